import type { Evidence } from "../Evidence.ts"
import { awaited } from "../VendorFaults.ts"

/** Each fault of a vendor that was due and that a run counts on has struck: a run without it would prove nothing of it. */
export const dueFaultsStrike = ({ entries, strikes }: Evidence): ReadonlyArray<string> =>
  entries.flatMap((entry) => {
    if (entry.phase !== "fault" || entry.stage !== "end" || (entry.name !== "pix" && entry.name !== "cards")) return []
    const chosen = entry.target.split(" ").map((name) => ({ name }))
    return awaited(chosen, {}, strikes[entry.name]).map((name) => `${name} of ${entry.name} never struck`)
  })
