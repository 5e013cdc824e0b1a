import { openResponse } from "@carteiro/owners/Idempotency.ts"
import { openTexts } from "@carteiro/runtime/request-logs/log/RequestBlock.ts"
import { openBody } from "@carteiro/runtime/vendor-webhooks/SealedBody.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A column of a table of the product. */
interface ColumnOf {
  readonly table_name: string
  readonly column_name: string
  readonly data_type: string
}

/** Every column of every table, in the order of their names. */
export const allColumns = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<ColumnOf>`select c.table_name, c.column_name, c.data_type from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, 2`
)

/** Payloads of payments follow the retention of events, whoever is erased. gaps-3 C "Personal data in payments" */
const ofPayments = new Set(["outbox_events", "webhook_events"])

/** Returns how many rows match the pattern, by `table.column`; what the product seals is opened with its keys. */
export const tellingRows = Effect.fnUntraced(function* (pattern: RegExp) {
  const sql = yield* SqlClient.SqlClient
  const telling: Record<string, number> = {}
  const found = (column: string, count: number) => {
    if (count > 0) telling[column] = (telling[column] ?? 0) + count
  }
  for (const { column_name, data_type, table_name } of yield* allColumns) {
    const text = data_type === "bytea" ? `encode(t."${column_name}", 'escape')` : `t."${column_name}"::text`
    const others = ofPayments.has(table_name)
      ? "and t.source_type not in ('payment_request', 'agentic_payment', 'agentic_authorization')"
      : ""
    const [row] = yield* sql.unsafe<{ readonly count: number }>(
      `select count(*)::int4 as count from "${table_name}" t where ${text} ~* $1 ${others}`,
      [pattern.source]
    )
    found(`${table_name}.${column_name}`, row?.count ?? 0)
  }
  for (const [column, texts] of Object.entries(yield* openedTexts)) {
    found(column, texts.filter((text) => pattern.test(text)).length)
  }
  return telling
})

/** The texts of the columns that the product seals and that may tell of customers. */
export const openedTexts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const responses = yield* sql<{
    readonly environment_id: string
    readonly key_hash: string
    readonly response_status: number | null
    readonly response_body: Uint8Array | null
  }>`select environment_id, key_hash, response_status, response_body from idempotency_records`
  const bodies = yield* sql<{ readonly id: string; readonly body: Uint8Array }>`select id, body from vendor_webhooks
    where get_byte(body || '\\x01'::bytea, 0) = 0`
  const logged = yield* sql<{ readonly environment_id: string; readonly id: string; readonly details: Uint8Array }>`
    select environment_id, id, details from request_logs where details is not null`
  const blocks = yield* sql<{
    readonly environment_id: string
    readonly last_id: string
    readonly details: Uint8Array
  }>`
    select environment_id, last_id, details from request_blocks where details is not null`
  return {
    "request_blocks.details": blocks.flatMap((block) => openTexts(secrets, block)),
    "request_logs.details": logged.flatMap(({ details, environment_id, id }) => {
      const opened = secrets.open("request_log", details, `${environment_id}/${id}`)
      return opened === undefined ? [] : [opened]
    }),
    "idempotency_records.response_body": responses.flatMap((row) => {
      const opened = openResponse(secrets, row.environment_id, row)
      return opened === undefined ? [] : [opened.body]
    }),
    "vendor_webhooks.body": bodies.map(({ body, id }) => Buffer.from(openBody(secrets, id, body)).toString("latin1"))
  }
})
