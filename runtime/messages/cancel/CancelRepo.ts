import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DueMessage } from "../facts/SendingFacts.ts"
import type { MessageRow } from "../message/MessageRead.ts"
import { isReported } from "../message/StoredReports.ts"
import { messageColumns } from "../read/MessageRows.ts"

/** A message to cancel: the row that reads show, and the state that its owner changes. */
export interface CancelledMessage {
  readonly row: MessageRow
  readonly due: DueMessage
  /** True when a stored report, which the owner has not handled yet, proves that an earlier attempt was sent. */
  readonly isReported: boolean
}

/** Reads messages of one number, by id, with all columns that changing and showing them needs. */
export class CancelRepo extends Context.Service<
  CancelRepo,
  {
    /**
     * Returns each message in the environment of its request: a number that moved left its messages where they were.
     */
    find(
      numberId: string,
      messages: ReadonlyArray<{ readonly environment_id: string; readonly id: string }>
    ): Effect.Effect<ReadonlyMap<string, CancelledMessage>>
  }
>()("@carteiro/runtime/messages/cancel/CancelRepo") {
  static readonly layer = Layer.effect(
    CancelRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      CancelRepo.of({
        find: (numberId, asked) =>
          Effect.map(
            many(
              sql.unsafe<Row>(
                `select ${messageColumns}, provider_payload, content, context, metadata, provider_error, events, scenario,
                  sending_since, released_at, marketing_hash, refusals, refused_by, refused_since,
                  flow_id, flow_token, due_at,
                  status = 'queued' and refusals > 0 and ${isReported("m.id", "m.business_id")} as is_reported
                from unnest($2::text[], $3::text[]) as k(asked_environment, asked_id)
                cross join lateral (select * from messages m where m.environment_id = k.asked_environment
                  and m.id = k.asked_id and m.business_id = $1 limit 1) m`,
                [
                  numberId,
                  arrayParameter(
                    "text",
                    asked.map(({ environment_id }) => environment_id)
                  ),
                  arrayParameter(
                    "text",
                    asked.map(({ id }) => id)
                  )
                ]
              )
            ),
            (rows) =>
              new Map(
                rows.map(({ is_reported, ...row }) => [
                  row.id,
                  { row, due: { ...row, ...unjudged }, isReported: is_reported }
                ])
              )
          )
      })
    )
  )
}

/** The facts that only decide a send; a cancel needs none of them. */
const unjudged = { template_status: null, latest_inbound_at: null, opted_out: false }

type Row = MessageRow & Omit<DueMessage, keyof typeof unjudged> & { readonly is_reported: boolean }
