import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { many } from "@carteiro/tables/Read.ts"
import { ownersOfTenant, walkOwners } from "@carteiro/tables/WalkOwners.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** A task at the provider for a number's groups; instants are epoch milliseconds. */
export interface DueJob {
  readonly environment_id: string
  readonly environment: "sandbox" | "production"
  /** Empty for an eligibility check of the number. */
  readonly group_id: string
  readonly kind: "life" | "reset" | "check"
  readonly due_at: number
  readonly requested_at: number
  /** True when the task was started and its result was never written. */
  readonly wasStarted: boolean
}

/** Tasks of the owners of groups. */
export class GroupJobRepo extends Context.Service<
  GroupJobRepo,
  {
    /** Returns the due tasks, longest due first, and when the next one is due. */
    due(
      phoneNumberId: string,
      now: number,
      count: number
    ): Effect.Effect<{ readonly due: ReadonlyArray<DueJob>; readonly next: number | undefined }>
    /** Returns numbers with a due task, one page along the index. */
    readonly dueNumbers: DueOwners["due"]
  }
>()("@carteiro/runtime/groups/worker/GroupJobRepo") {
  static readonly layer = Layer.effect(
    GroupJobRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      GroupJobRepo.of({
        due: (phoneNumberId, now, count) =>
          Effect.map(
            many(sql<JobRow>`(select environment_id, environment, id as group_id, 'life' as kind, life_due_at as due_at,
                created_at as requested_at, life_state = 'sending' as was_started from groups
              where phone_number_id = ${phoneNumberId} and life_due_at is not null
              order by least(life_due_at, reset_due_at), id limit ${count + 1})
              union all (select environment_id, environment, id, 'reset', reset_due_at, reset_requested_at,
                reset_state = 'sending' from groups
              where phone_number_id = ${phoneNumberId} and reset_due_at is not null
              order by least(life_due_at, reset_due_at), id limit ${count + 1})
              union all select environment_id, environment, '', 'check', check_due_at, check_queued_at,
                check_state = 'running' from group_eligibility
              where phone_number_id = ${phoneNumberId} and check_due_at is not null
              order by due_at, group_id limit ${count + 1}`),
            (rows) => ({
              due: rows
                .filter(({ due_at }) => due_at <= now)
                .slice(0, count)
                .map(({ was_started, ...job }) => ({ ...job, wasStarted: was_started })),
              next: rows.find(({ due_at }) => due_at > now)?.due_at
            })
          ),
        dueNumbers: walkOwners(...waiting)
      })
    )
  )
}

const waiting = [
  `select phone_number_id as owner, least(life_due_at, reset_due_at) as due_at from groups
    where life_due_at is not null or reset_due_at is not null`,
  "select phone_number_id as owner, check_due_at as due_at from group_eligibility where check_due_at is not null"
] as const

/** Returns when the groups of an environment's numbers have a due task, on its clock. */
export const groupsOfTenant = ownersOfTenant(
  `select phone_number_id as id from groups where environment_id = $1
    union select phone_number_id from group_eligibility where environment_id = $1`,
  ...waiting
)

interface JobRow extends Omit<DueJob, "wasStarted"> {
  readonly was_started: boolean
}
