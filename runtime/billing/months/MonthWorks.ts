import { Context, Effect, Layer } from "effect"
import type { AccountState, AccountUnit } from "../account/AccountUnit.ts"
import type { DueMonth } from "./MonthRepo.ts"

/**
 * One commit of a job of a month, decided on the account's memory as it is then: what it moves and writes stands or falls
 * together. A row of it that may be there already stops it by a guard. gaps-3 F "Month clock as jobs"
 */
export type MonthStep = (unit: AccountUnit, state: AccountState) => void

/** The work of a room in a job of a month. */
export interface MonthWork {
  readonly job: DueMonth["job"]
  /** Some of what is left to do for an account; none when all is done. It is asked again until then. */
  readonly steps: (accountId: string, month: string, now: number) => Effect.Effect<ReadonlyArray<MonthStep>>
}

/** The work of all rooms in the jobs of a month; each adds its own as its owners are hosted. Architecture, section 6 */
export class MonthWorks extends Context.Service<
  MonthWorks,
  {
    readonly add: (work: MonthWork) => Effect.Effect<void>
    readonly of: (job: DueMonth["job"]) => ReadonlyArray<MonthWork>
  }
>()("@carteiro/runtime/billing/months/MonthWorks") {
  static readonly layer = Layer.sync(MonthWorks, () => {
    const works: Array<MonthWork> = []
    return MonthWorks.of({
      add: (work) => Effect.sync(() => void works.push(work)),
      of: (job) => works.filter((work) => work.job === job)
    })
  })
}
