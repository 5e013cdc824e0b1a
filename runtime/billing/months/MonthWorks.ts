import { Context, Effect, Layer } from "effect"
import type { AccountState, AccountUnit } from "../account/AccountUnit.ts"
import type { DueMonth } from "./MonthRepo.ts"

/**
 * One commit of a month's job, decided on the account's present memory; all its rows are written together. A guard
 * stops it when one of its rows may already exist. gaps-3 F "Month clock as jobs"
 */
export type MonthStep = (unit: AccountUnit, state: AccountState) => void

/** The work of a room in a month's job. */
export interface MonthWork {
  readonly job: DueMonth["job"]
  /** Returns some of the remaining steps for an account, none when all are done. It is called again until then. */
  readonly steps: (accountId: string, month: string, now: number) => Effect.Effect<ReadonlyArray<MonthStep>>
}

/** The work of all rooms in the jobs of a month; each room adds its own when its owners are hosted. */
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
