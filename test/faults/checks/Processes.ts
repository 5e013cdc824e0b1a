import type { Evidence } from "../Evidence.ts"

/** No process ended by itself, and each planned stop ended well. Boot contract, Stopping */
export const processesLive = ({ entries }: Evidence): ReadonlyArray<string> =>
  entries.flatMap((entry) => (entry.phase === "fault" && entry.stage === "unasked" ? [entry.target] : []))
