import { Context, type Effect } from "effect"
import type { PacingEstimate } from "./Allowance.ts"
import type { Place } from "./PacingRepo.ts"

/** Estimates how pacing would hold back a batch of these recipients, by their match keys. M-BAT-03..07 */
export class PacingEstimates extends Context.Service<
  PacingEstimates,
  {
    /** Returns `pacing` of a new batch; null where nothing can be said. */
    estimateBatch(number: Place, keys: ReadonlyArray<string>, now: number): Effect.Effect<PacingEstimate | null>
  }
>()("@carteiro/runtime/messages/pacing/PacingEstimates") {}
