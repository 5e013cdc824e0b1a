import { OutboxEventRepo } from "@carteiro/runtime/webhooks/log/OutboxEventRepo.ts"
import { WebhookEventRepo } from "@carteiro/runtime/webhooks/log/WebhookEventRepo.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { nodesOf, planOf, Statements } from "../contract/Planned.ts"
import { OwnerTest } from "../support/OwnerTest.ts"

const product = OwnerTest(Layer.merge(OutboxEventRepo.layer, WebhookEventRepo.layer)).pipe(
  Layer.provideMerge(Statements.layer)
)

/** Rows of each table: every thousandth is of another environment, and the first event is of a rare type. */
const rows = 12_000

const seed = Effect.fnUntraced(function* () {
  const sql = yield* SqlClient.SqlClient
  const numbered = sql.literal(`generate_series(1, ${rows}) n`)
  const environment = sql.literal("case when n % 1000 = 0 then 'env_2' else 'env_1' end")
  yield* sql`insert into outbox_events (environment_id, id, type, source_type, source_id, trace_id, created_at, envelope)
    select ${environment}, 'evt_' || lpad(n::text, 26, '0'), case when n = 1 then 'payment.paid' else 'message.sent' end,
      'message', 'msg_' || n, 'trace', now(), '{}' from ${numbered} on conflict do nothing`
  // Ten deliveries begin with the time of each event.
  yield* sql`insert into webhook_events
      (environment_id, id, endpoint_id, event_id, type, source_type, source_id, trace_id, created_at)
    select ${environment}, 'whe_' || lpad((n / 10)::text, 10, '0') || lpad(n::text, 16, '0'), 'we_' || n % 10,
      'evt_' || n / 10, 'message.sent', 'message', 'msg_' || n / 10, 'trace', now() from ${numbered}
    on conflict do nothing`
  yield* sql`insert into webhook_attempts
      (environment_id, webhook_event_id, attempt, id, endpoint_id, status, explicit, due_at, created_at)
    select environment_id, id, 1, 'att_' || substr(id, 5), endpoint_id, 'pending', false, now(), now() from webhook_events
    on conflict do nothing`
  yield* sql`analyze outbox_events, webhook_events, webhook_attempts`
})

const idOf = (n: number) => `evt_${String(n).padStart(26, "0")}`

it.layer(product, { excludeTestServices: true })("Events of the outbox", (it) => {
  it.effect("a page by type walks 5,000 events of its own environment along the primary key A-CONV-21", () =>
    Effect.gen(function* () {
      yield* seed()
      const repo = yield* OutboxEventRepo
      const pages = Effect.gen(function* () {
        const found: Array<ReadonlyArray<string>> = []
        let before: string | undefined
        do {
          const { rows, walked_to } = yield* repo.list("env_1", "payment.paid", before, 3)
          found.push(rows.map(({ id }) => id))
          before = walked_to ?? undefined
        } while (before !== undefined)
        return found
      })
      const statements = yield* Statements
      const [found, asked] = yield* statements.during(pages)
      assert.deepStrictEqual(found, [[], [], [idOf(1)]])
      const [newest, plain] = yield* statements.during(repo.list("env_1", undefined, undefined, 2))
      assert.deepStrictEqual(
        newest.rows.map(({ id }) => id),
        [idOf(rows - 1), idOf(rows - 2)]
      )
      assert.deepStrictEqual(
        (yield* repo.list("env_2", undefined, idOf(2001), 2)).rows.map(({ id }) => id),
        [idOf(2000), idOf(1000)]
      )
      assert.strictEqual(yield* repo.find("env_2", idOf(1)), undefined)
      // The oldest pages may be read and sorted as a whole: they are short.
      for (const statement of [...asked.slice(0, 1), ...plain]) {
        const kinds = nodesOf(yield* planOf(statement)).map((node) => node["Node Type"])
        for (const kind of ["Seq Scan", "Sort", "Bitmap Heap Scan"]) assert.notInclude(kinds, kind)
      }
    })
  )

  it.effect("the deliveries of an event are read among those of its millisecond alone", () =>
    Effect.gen(function* () {
      yield* seed()
      const repo = yield* WebhookEventRepo
      const statements = yield* Statements
      const at = (n: number) => `whe_${String(n).padStart(10, "0")}`
      const bounds = { from: at(7), before: at(8), event_id: "evt_7" }
      const [found, asked] = yield* statements.during(repo.select("env_1", bounds, 100))
      assert.strictEqual(found.length, 10)
      assert.deepStrictEqual(yield* repo.select("env_1", { ...bounds, event_id: "evt_8" }, 100), [])
      for (const statement of asked) {
        const nodes = nodesOf(yield* planOf(statement)).filter((node) => node["Relation Name"] === "webhook_events")
        assert.deepStrictEqual(
          nodes.map((node) => node["Index Name"]),
          ["webhook_events_pkey"]
        )
      }
    })
  )
})
