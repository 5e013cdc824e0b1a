import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import type { AccountSetup } from "@carteiro/simulators/pix/Accounts.ts"
import { startPixprov1 } from "@carteiro/simulators/pixprov1/Simulator.ts"
import { startPixprov2 } from "@carteiro/simulators/pixprov2/Simulator.ts"
import { Effect } from "effect"

/** A simulated Pix provider while the scope is open. */
export const simulatedPix = (
  vendor: "pixprov1" | "pixprov2",
  { accounts = [], workMs = 0 }: { readonly accounts?: ReadonlyArray<AccountSetup>; readonly workMs?: number } = {}
) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      (vendor === "pixprov1" ? startPixprov1 : startPixprov2)({ now: vendorClock, workMs, accounts })
    ),
    (simulator) => Effect.promise(() => simulator.close())
  )
