import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { many } from "@carteiro/tables/Read.ts"
import { rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { ownersOfTenant, walkOwners } from "@carteiro/tables/WalkOwners.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { flowsTable, flowTaskColumns } from "../flow/FlowTables.ts"
import type { ProviderTask, TaskOutcome } from "./ProviderTask.ts"

/** The due steps of one environment at its provider. */
export interface DueTasks {
  readonly tasks: ReadonlyArray<ProviderTask>
  /** When the next step becomes due, epoch milliseconds. */
  readonly next: number | undefined
}

/** Reads rows of `flows` with a step at their provider. */
export class ProviderTaskRepo extends Context.Service<
  ProviderTaskRepo,
  {
    /** Returns the due steps, longest due first. */
    due(environmentId: string, now: number, count: number): Effect.Effect<DueTasks>
    /**
     * Records durably that a step is sent: without a result it is repeated at `until`, a `create` as a look-up. Returns
     * its key when no other call reserved it.
     */
    reserve(environmentId: string, task: ProviderTask, now: number, until: number): Row
    /** Records the result of a reserved step, unless the flow has changed meanwhile. */
    record(environmentId: string, task: ProviderTask, outcome: TaskOutcome, at: number): Row
    /** Makes a flow due after a provider's notice, so that its state there is read. */
    notice(environmentId: string, providerFlowId: string, at: number): Row
    /** Returns environments with a due step, one page along the index. */
    readonly dueEnvironments: DueOwners["due"]
  }
>()("@carteiro/runtime/flows/publish/ProviderTaskRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) =>
      ProviderTaskRepo.of({
        due: Effect.fnUntraced(function* (environmentId, now, count) {
          const waiting = yield* many(sql<ProviderTask & { readonly due_at: number }>`
            select ${sql.literal(flowTaskColumns.list)}, case when provider_step = 'upload' then flow_json else '{}' end as flow_json, due_at
            from flows where environment_id = ${environmentId} and due_at is not null
            order by due_at, id limit ${count + 1}`)
          return {
            tasks: waiting.filter(({ due_at }) => due_at <= now).slice(0, count),
            next: waiting.find(({ due_at }) => due_at > now)?.due_at
          }
        }),
        reserve: (environment_id, { id, provider_step, publishing_since }, now, until) =>
          reserveWrite.row({ environment_id, id, provider_step, publishing_since, now, until }),
        record: (environment_id, { id, provider_step, publishing_since }, { removed, ...outcome }, updated_at) => {
          const step = provider_step === "create" ? "find" : provider_step
          return removed
            ? removeWrite.row({ environment_id, id, step })
            : recordWrite.row({ environment_id, id, step, publishing_since, updated_at, ...outcome })
        },
        notice: (environment_id, provider_flow_id, at) => noticeWrite.row({ environment_id, provider_flow_id, at }),
        dueEnvironments: walkOwners(waitingFlows)
      })
    )
  )
}

const waitingFlows = "select environment_id as owner, due_at from flows where due_at is not null"

/** Returns when a flow of an environment has a due step, on the environment's clock. */
export const flowsOfTenant = ownersOfTenant("select $1::text as id", waitingFlows)

const key = { environment_id: "text", id: "text" } as const
const target = rowOf("flows", "environment_id", "id")

export const reserveWrite = updateOf(flowsTable, {
  name: "flows.reserve",
  beside: { provider_step: "text", publishing_since: "timestamptz", now: "timestamptz", until: "timestamptz" },
  values: {
    provider_step: "case when t.provider_step = 'create' then 'find' else t.provider_step end",
    due_at: "r.until"
  },
  where: "t.provider_step = r.provider_step and t.publishing_since = r.publishing_since and t.due_at <= r.now",
  returning: "t.id"
})

const recordWrite = updateOf(flowsTable, {
  name: "flows.record",
  beside: { step: "text", publishing_since: "timestamptz" },
  set: [
    "status",
    "provider_flow_id",
    "rejection_reason",
    "attempts",
    "published_at",
    "provider_step",
    "due_at",
    "updated_at"
  ],
  values: { updated_at: "case when t.status = r.status then t.updated_at else r.updated_at end" },
  where: "t.provider_step = r.step and t.publishing_since = r.publishing_since"
})

const removeWrite = defineWrite({
  name: "flows.remove",
  columns: { ...key, step: "text" },
  target,
  sql: (source) => `delete from flows t using ${source} r
    where t.environment_id = r.environment_id and t.id = r.id and t.provider_step = r.step and t.deleted_at is not null`
})

export const noticeWrite = updateOf(flowsTable, {
  name: "flows.notice",
  key: ["environment_id", "provider_flow_id"],
  beside: { at: "timestamptz" },
  values: { provider_step: "'poll'", due_at: "r.at", attempts: "0" },
  where: `t.deleted_at is null and ((t.status = 'published' and t.provider_step is null)
    or (t.status = 'publishing' and t.provider_step = 'poll' and t.due_at > r.at))`,
  returning: "t.environment_id",
  target: ({ environment_id, provider_flow_id }) => `flows/${environment_id}/provider/${provider_flow_id}`
})
