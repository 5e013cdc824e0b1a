import { Ids } from "@carteiro/owners/Ids.ts"
import { traceOf } from "@carteiro/owners/Ulid.ts"
import { writeLines } from "@carteiro/runtime/request-logs/log/RequestLines.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { matchKey } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect } from "effect"
import { BenchFailure } from "./BenchFailure.ts"
import * as Population from "./Population.ts"
import type { Database } from "./Postgres.ts"
import type { Product } from "./Product.ts"
import { type Beside, copies, daysOfRows } from "./RowCopies.ts"
import { inbound, recipient, recipients, sendBody, senderOf } from "./Sends.ts"

// Rows of one large environment: the product writes one of each kind through its API, and SQL copies it.

/** Rows of each kind. */
export const sizes = {
  messages: 1_000_000,
  contacts: recipients,
  deliveries: 200_000,
  requests: 200_000,
  ledger: 100_000,
  audit: 100_000,
  media: 10_000,
  payments: 1000,
  reports: 1000,
  batches: 500,
  templates: 250,
  keys: 100,
  numbers: 50
} as const

/** One message in so many has a status that is rarely looked for. */
const failsOneIn = 50_000
/** One message in so many belongs to the batch. */
const ofBatchOneIn = 100

const customers: Beside = {
  names: ["phone", "match"],
  values: (rows) => [
    rows.map(recipient),
    // Its digits are Brazilian numbers with the ninth digit, which is how they are compared.
    rows.map((n) => matchKey(recipient(n).slice(1)))
  ]
}

/** What the product writes after its answer is there within so many looks of 50 ms. */
const mostLooks = 1200

/** Waits until a statement finds a row, and returns its id. */
const idOf = Effect.fnUntraced(function* (database: Database, text: string, values: ReadonlyArray<unknown>) {
  for (let look = 0; look < mostLooks; look++) {
    const [row] = yield* database.query(text, values)
    if (row !== undefined) return String(row.id)
    yield* Effect.sleep(50)
  }
  return yield* new BenchFailure({ message: `no row came of: ${text}` })
})

/** One message of each kind and a batch, made through the API, and the rows that came of them. */
const firstMessages = Effect.fnUntraced(function* (product: Product) {
  const { database, sandbox } = product
  const sender = yield* senderOf(product)
  yield* inbound(product, 0)
  const sent = yield* sandbox.post("/v1/messages", JSON.parse(sendBody(sender, recipient(0))))
  const batch = yield* sandbox.post("/v1/batches", {
    sender: { type: "chatapp_phone_number", id: sender },
    name: "Campanha de maio",
    template: { name: "welcome", language: "pt_BR" },
    recipients: [{ to: recipient(0), variables: { "1": "Maria" } }]
  })
  const done = (condition: string) => `select id from messages where ${condition} and due_at is null`
  const outbound = yield* idOf(database, done("id = $1"), [sent.body.id])
  const ofBatch = yield* idOf(database, done("batch_id = $1"), [batch.body.id])
  const heard = yield* idOf(database, done("direction = 'inbound' and environment_id = $1"), [
    product.dev.sandbox.environment_id
  ])
  const contact = yield* idOf(database, "select id from contacts where match_key = $1", [
    matchKey(recipient(0).slice(1))
  ])
  return { outbound, ofBatch, heard, contact, batch: String(batch.body.id) }
})

type First = Effect.Success<ReturnType<typeof firstMessages>>

const manyMessages = Effect.fnUntraced(function* (database: Database, first: First) {
  const { batch, contact, heard, ofBatch, outbound } = first
  const copy = { table: "messages", prefix: "msg", count: sizes.messages, origin: outbound } as const
  const set = {
    customer_id: "r.phone",
    customer_key: "r.match",
    provider_message_id: "r.id",
    status: `case when r.n % ${failsOneIn} = 1 and o.direction = 'outbound' then 'failed' else o.status end`
  }
  yield* copies(
    database,
    { ...copy, set },
    {
      ...customers,
      originOf: (n) => (n % ofBatchOneIn === 0 ? ofBatch : n % 3 === 0 ? heard : outbound)
    }
  )
  const others = { table: "contacts", prefix: "con", count: sizes.contacts - 1, origin: contact } as const
  const next = (rows: ReadonlyArray<number>) => customers.values(rows.map((n) => n + 1))
  yield* copies(
    database,
    { ...others, set: { phone: "r.phone", match_key: "r.match" } },
    { ...customers, values: next }
  )
  yield* copies(database, { table: "batches", prefix: "bat", count: sizes.batches, origin: batch })
})

/** Deliveries of one event to one of twenty endpoints, one in a thousand failed for good. */
const deliveries = Effect.fnUntraced(function* (product: Product, message: string) {
  const { database, dev } = product
  const ids = yield* Ids
  const [endpoint = ""] = yield* Population.endpoints(product, 20)
  const end = Date.now() - 60_000
  const times = Array.from({ length: sizes.deliveries }, (_, n) => end - (sizes.deliveries - n) * 2500)
  yield* database.query(
    `with made as (
        insert into webhook_events (environment_id, id, endpoint_id, event_id, type, source_type, source_id, trace_id, created_at)
        select $1, r.id, $2, e.id, e.type, e.source_type, e.source_id, e.trace_id, r.at
        from unnest($4::text[], $6::timestamptz[]) r (id, at)
        cross join (select * from outbox_events where environment_id = $1 and source_id = $3 order by id limit 1) e
      )
      insert into webhook_attempts (environment_id, webhook_event_id, attempt, id, endpoint_id, status, explicit, due_at,
        status_code, created_at, completed_at)
      select $1, r.event, 1, r.id, $2, case when n % 1000 = 1 then 'failed' else 'succeeded' end, false, r.at,
        case when n % 1000 = 1 then 503 else 200 end, r.at, r.at
      from unnest($4::text[], $5::text[], $6::timestamptz[]) with ordinality r (event, id, at, n)`,
    [
      dev.sandbox.environment_id,
      endpoint,
      message,
      times.map((at) => ids.mint("whe", at)),
      times.map((at) => ids.mint("att", at)),
      times.map((at) => new Date(at).toISOString())
    ]
  )
})

const things = Effect.fnUntraced(function* ({ database, dev, sandbox }: Product, message: string) {
  const environment = dev.sandbox.environment_id
  const [, , , report, file] = yield* Effect.all([
    sandbox.get(`/v1/messages/${message}`),
    sandbox.get("/v1/messages/msg_x").pipe(Effect.ignore),
    Effect.forEach(Array.from({ length: sizes.payments }), () =>
      sandbox.post("/v1/payments", { amount_brl_centavos: 12_550, description: "Order", customer_name: "Ana Souza" })
    ),
    sandbox.post("/v1/feedback", { message: "The docs of listen do not say how long a page waits." }, "report"),
    sandbox.post("/v1/media/uploads", {
      kind: "document",
      lifecycle: "library",
      filename: "catalog.pdf",
      mime_type: "application/pdf",
      byte_length: 5000
    })
  ])
  const newest = (table: string, condition = "environment_id = $1", value = environment) =>
    idOf(database, `select id from ${table} where ${condition} order by id desc limit 1`, [value])
  const keys = `decode(md5(r.id) || md5('x' || r.id), 'hex')`
  yield* Effect.forEach(
    [
      {
        table: "ledger_entries",
        prefix: "led",
        count: sizes.ledger,
        set: {
          recorded_at: "r.at",
          source_id: "r.id",
          account_id: "o.organization_id",
          environment: "'production'",
          environment_id: `'${dev.production.environment_id}'`,
          type: "'debit'",
          is_listed: "true",
          from_account: "'available'",
          to_account: "'revenue'",
          source_type: "'usage'",
          reservation_id: "null"
        },
        origin: yield* newest("ledger_entries", "organization_id = $1", dev.organization_id)
      },
      {
        table: "media_assets",
        prefix: "mda",
        count: sizes.media,
        set: { ends_at: "null" },
        origin: String(file?.body.id)
      },
      { table: "feedback_reports", prefix: "fbk", count: sizes.reports, origin: String(report?.body.id) },
      {
        table: "templates",
        prefix: "tpl",
        count: sizes.templates,
        set: { name: "'copy_' || r.n" },
        origin: yield* newest("templates", "environment_id = $1 and due_at is null")
      },
      {
        table: "api_keys",
        prefix: "key",
        count: sizes.keys,
        set: { secret_hash: keys },
        origin: yield* newest("api_keys")
      }
    ] as const,
    (copy) => copies(database, copy),
    { discard: true }
  )
})

/** Finished requests, each alone in its block as at a quiet tenant, without details. */
const requests = Effect.fnUntraced(function* ({ database, dev }: Product) {
  const ids = yield* Ids
  const end = Date.now() - 60_000
  const made = Array.from({ length: sizes.requests }, (_, n) => {
    const at = Math.floor(end - daysOfRows * dayMs * (1 - n / sizes.requests))
    const id = ids.mint("req", at)
    return {
      id,
      api_key_id: "key_1",
      method: "GET",
      route: "/v1/messages/{message_id}",
      status: n % 10_000 === 1 ? 500 : 200,
      code: null,
      duration_ms: 3,
      source_address: "127.0.0.1",
      replayed: false,
      warning: null,
      trace_id: traceOf(id),
      created_at: at
    }
  })
  yield* database.query(
    `insert into request_blocks (environment_id, last_id, first_id, production, refused, lines)
      select $1, r.id, r.id, false, r.refused, r.lines from unnest($2::text[], $3::bool[], $4::text[]) r (id, refused, lines)`,
    [
      dev.sandbox.environment_id,
      made.map(({ id }) => id),
      made.map(({ status }) => status >= 400),
      made.map((line) => writeLines([line]))
    ]
  )
})

/** Hours of every day that is looked at, and changes that people made. */
const history = ({ database, dev }: Product) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    yield* database.query(
      `insert into activity_hours (environment_id, measure, hour, count, amount)
        select $1, m, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 400, 0
        from generate_series(2, 24 * ${daysOfRows}) h cross join unnest($2::text[]) m
        on conflict do nothing`,
      [
        dev.sandbox.environment_id,
        ["message.received", "message.sent", "message.delivered", "message.read", "webhook.succeeded"]
      ]
    )
    const start = Date.now() - daysOfRows * dayMs
    const made = Array.from({ length: sizes.audit }, (_, n) => start + n * 40_000)
    yield* database.query(
      `insert into audit_log (organization_id, id, environment_id, member_id, action, request_id, created_at)
        select $1, r.id, $2, m.id, case when n % 1000 = 1 then 'member.added' else 'message.sent' end, 'req_' || substr(r.id, 5), r.at
        from unnest($3::text[], $4::timestamptz[]) with ordinality r (id, at, n)
        cross join (select id from members where organization_id = $1 limit 1) m`,
      [
        dev.organization_id,
        dev.sandbox.environment_id,
        made.map((at) => ids.mint("adt", at)),
        made.map((at) => new Date(at).toISOString())
      ]
    )
  })

/** Fills the sandbox of the demo organization. */
export const fill = Effect.fnUntraced(function* (product: Product) {
  const first = yield* firstMessages(product)
  yield* things(product, first.outbound)
  yield* requests(product)
  yield* deliveries(product, first.outbound)
  yield* history(product)
  yield* Population.numbers(product, sizes.numbers)
  yield* manyMessages(product.database, first)
  yield* product.database.query("vacuum analyze")
})
