import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { StagedRecipient } from "./BatchStaging.ts"

/** The number and the template a batch names. Instants are epoch milliseconds. */
export interface BatchFacts {
  readonly sender: { readonly suspended_at: number | null; readonly status: string } | undefined
  readonly template:
    | {
        readonly id: string
        /** Null when no version was ever approved. */
        readonly version_id: string | null
        readonly version: number | null
        readonly parameter_format: "POSITIONAL" | "NAMED" | null
        readonly category: "marketing" | "utility" | "authentication" | null
        readonly components: JsonText<ReadonlyArray<TemplateComponent>> | null
      }
    | undefined
}

/** Where a stage stands. */
export interface StageKey {
  readonly environment_id: string
  readonly batch_id: string
}

/**
 * Writes recipients beside the batch that they will belong to. They leave in statements of their own, so that no
 * neighbour's commit waits for them; the commit that publishes the batch is flushed behind them and makes them durable.
 */
export class StageRepo extends Context.Service<
  StageRepo,
  {
    /** Number and template of an environment, in one read. */
    facts(
      environmentId: string,
      senderId: string,
      template: { readonly name: string; readonly language: string }
    ): Effect.Effect<BatchFacts>
    /** Opens a stage; false when it is open already, or its batch is there. `at` in epoch milliseconds. */
    open(stage: StageKey, at: number): Effect.Effect<boolean>
    /** Adds recipients to it. */
    add(stage: StageKey, recipients: ReadonlyArray<StagedRecipient>): Effect.Effect<void>
    /** Leaves it to be swept at once: its batch will not be published. */
    abandon(stage: StageKey): Effect.Effect<void>
  }
>()("@carteiro/runtime/batches/accept/StageRepo") {
  static readonly layer = Layer.effect(
    StageRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      StageRepo.of({
        facts: (environmentId, senderId, { language, name }) =>
          Effect.map(
            one(
              sql<FactsRow>`select n.status as sender_status, n.suspended_at, t.id as template_id, t.version_id, t.version,
                  t.parameter_format, t.category, t.components
                from (select 1) as asked
                left join lateral (select status, suspended_at from phone_numbers
                  where environment_id = ${environmentId} and id = ${senderId} limit 1) n on true
                left join lateral (select t.id, t.latest_approved_version_id as version_id,
                    t.latest_approved_version as version, v.parameter_format, v.category, v.components
                  from templates t left join template_versions v
                    on v.environment_id = t.environment_id and v.id = t.latest_approved_version_id
                  where t.environment_id = ${environmentId} and t.name = ${name} and t.language = ${language}
                    and t.deleted_at is null limit 1) t on true`
            ),
            readFacts
          ),
        open: ({ batch_id, environment_id }, at) =>
          Effect.map(
            many(sql`insert into batch_stages (environment_id, batch_id, staged_at)
              select ${environment_id}, ${batch_id}, ${instant(at)} where not exists (select 1 from batches b
                where b.environment_id = ${environment_id} and b.id = ${batch_id})
              on conflict do nothing returning batch_id`),
            ({ length }) => length > 0
          ),
        add: ({ batch_id, environment_id }, recipients) =>
          Effect.asVoid(
            many(
              sql.unsafe(addSql, [
                environment_id,
                batch_id,
                arrayParameter(
                  "int4",
                  recipients.map(({ position }) => position)
                ),
                arrayParameter(
                  "text",
                  recipients.map(({ phone }) => phone)
                ),
                arrayParameter(
                  "text",
                  recipients.map(({ customer_key }) => customer_key)
                ),
                arrayParameter(
                  "text",
                  recipients.map(({ variables }) => variables)
                ),
                arrayParameter(
                  "text",
                  recipients.map(({ metadata }) => metadata)
                )
              ])
            )
          ),
        abandon: ({ batch_id, environment_id }) =>
          Effect.asVoid(
            many(sql`update batch_stages set staged_at = '-infinity'
              where environment_id = ${environment_id} and batch_id = ${batch_id}`)
          )
      })
    )
  )
}

const addSql = `insert into batch_recipients
    (environment_id, batch_id, position, phone, customer_key, variables, metadata)
  select $1, $2, r.* from unnest($3::int4[], $4::text[], $5::text[], $6::text[], $7::text[]) as r
  on conflict (environment_id, batch_id, position) do nothing`

interface FactsRow {
  readonly sender_status: string | null
  readonly suspended_at: number | null
  readonly template_id: string | null
  readonly version_id: string | null
  readonly version: number | null
  readonly parameter_format: "POSITIONAL" | "NAMED" | null
  readonly category: "marketing" | "utility" | "authentication" | null
  readonly components: JsonText<ReadonlyArray<TemplateComponent>> | null
}

const readFacts = (row: FactsRow | undefined): BatchFacts => ({
  sender:
    row === undefined || row.sender_status === null
      ? undefined
      : { status: row.sender_status, suspended_at: row.suspended_at },
  template:
    row === undefined || row.template_id === null
      ? undefined
      : {
          id: row.template_id,
          version_id: row.version_id,
          version: row.version,
          parameter_format: row.parameter_format,
          category: row.category,
          components: row.components
        }
})
