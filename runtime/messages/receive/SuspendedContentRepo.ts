import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { capturedColumns } from "../message/MessageTables.ts"
import { heldBack } from "./InboundKeyword.ts"

/** An event of the delivery log: `source_id` is the message's id when `source_type` is `message`. */
interface LoggedEvent {
  readonly id: string
  readonly source_type: string
  readonly source_id: string
}

/**
 * Returns those events, by id, whose content came in through a number that is suspended now, in whichever environment
 * the number is.
 */
export const suspendedContent = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    (environmentId: string, events: ReadonlyArray<LoggedEvent>): Effect.Effect<ReadonlySet<string>> => {
      const sources = events.flatMap(({ source_id, source_type }) => (source_type === "message" ? [source_id] : []))
      if (sources.length === 0) return Effect.succeed(new Set())
      const read = (now: number) =>
        many(
          sql.unsafe<CapturedContent>(
            `select ${capturedColumns.of("m")} from messages m
              join phone_numbers n on n.id = m.business_id
              where m.environment_id = $1 and m.id = any($2::text[]) and (m.direction = 'inbound' or m.source is not null)
                and n.suspended_at <= $3`,
            [environmentId, arrayParameter("text", sources), instant(now)]
          )
        )
      return Effect.map(Effect.flatMap(Clock.currentTimeMillis, read), (rows) => {
        const held = new Set(rows.filter(heldBack).map(({ id }) => id))
        return new Set(events.flatMap(({ id, source_id }) => (held.has(source_id) ? [id] : [])))
      })
    }
)

interface CapturedContent extends SelectedRow<typeof capturedColumns> {
  readonly content: JsonText<InboundContent> | null
}
