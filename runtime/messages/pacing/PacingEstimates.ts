import { Context, type Effect } from "effect"
import type { PacingEstimate } from "./Allowance.ts"
import type { NumberInEnvironment } from "./PacingRepo.ts"

/** Estimates how pacing would delay a batch to these recipients, by their match keys. M-BAT-03..07 */
export class PacingEstimates extends Context.Service<
  PacingEstimates,
  {
    /** Returns `pacing` of a new batch; null when there is no estimate. */
    estimateBatch(
      number: NumberInEnvironment,
      keys: ReadonlyArray<string>,
      now: number
    ): Effect.Effect<PacingEstimate | null>
  }
>()("@carteiro/runtime/messages/pacing/PacingEstimates") {}
