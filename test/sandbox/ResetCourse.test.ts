import { emptiedTables } from "@carteiro/runtime/sandbox/clock/ResetTables.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"
import { create, TestDatabase } from "../support/TestDatabase.ts"
import { quiesce } from "../support/TurnedClock.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { outgoingWithin, receiver } from "../webhooks/Deliveries.ts"

/** Longer than any of these tests, in milliseconds: no call ends by its timeout. */
const never = 600_000

/** A node over that database; it stops in the middle of whatever it does when `use` has ended. */
const onNode = Effect.fnUntraced(function* <A>(
  url: string,
  use: Effect.Effect<A, unknown, Layer.Success<ReturnType<typeof WholeProduct>>>
) {
  const scope = yield* Scope.make()
  const product = WholeProduct({ clock: "live", database: TestDatabase.at(url) })
  const context = yield* Layer.buildWithMemoMap(product, Layer.makeMemoMapUnsafe(), scope)
  return yield* Effect.ensuring(Effect.provideContext(Effect.orDie(use), context), Scope.close(scope, Exit.void))
})

/** The calls of a sandbox's key. */
const callsOf = Effect.fnUntraced(function* (key: string) {
  const api = yield* Api
  const get = (path: string) => api.get(`/v1/${path}`, { key })
  const post = (path: string, body?: object) => api.post(`/v1/${path}`, body, { key })
  const settled = Effect.fnUntraced(function* (id: string) {
    const read = Effect.map(get(`sandbox/clock/advances/${id}`), ({ body }) => body)
    yield* until(Effect.map(read, ({ status }) => status !== "running"))
    return yield* read
  })
  const say = (to: string) =>
    post("sandbox/inbound-messages", {
      channel: "chatapp",
      from: "+5511912345678",
      to,
      type: "text",
      text: { body: "oi" }
    })
  return { get, post, say, settled }
})

let projects = 0
const sandboxWithNumber = Effect.gen(function* () {
  const { acme } = yield* Api
  const project = yield* seedProject(acme.organization_id, `course-${++projects}`)
  return { ...project, numberId: (yield* seedNumber(project.sandbox)).id }
})

it.live(
  "a reset that a node leaves in its middle is finished by the next one, and nothing is left half done",
  () =>
    Effect.gen(function* () {
      const url = yield* create()
      const begun = yield* onNode(
        url,
        Effect.gen(function* () {
          const { numberId, sandbox, slug } = yield* sandboxWithNumber
          const { get, post, say } = yield* callsOf(sandbox.key)
          for (let n = 0; n < 5; n++) assert.strictEqual((yield* say(numberId)).status, 202)
          assert.strictEqual((yield* post("payments", { amount_brl_centavos: 5_000 })).status, 201)
          const hook = { url: "https://hooks.test/in", subscribed_events: ["message.received"] }
          assert.strictEqual((yield* post("webhook-endpoints", hook)).status, 201)
          const reset = yield* post("sandbox/clock/reset", { project_slug: slug })
          assert.strictEqual(reset.status, 202, reset.text)
          // The node stops before it has deleted anything: deletions begin later.
          assert.strictEqual((yield* get("messages")).body.data.length, 5)
          return { id: reset.body.id as string, numberId, sandbox, slug }
        })
      )
      const { id, numberId, sandbox, slug } = begun
      yield* onNode(
        url,
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          // What a node that was killed between two statements leaves behind.
          for (const table of emptiedTables.slice(0, emptiedTables.indexOf("payment_requests")))
            yield* sql`delete from ${sql(table)} where environment_id = ${sandbox.id}`
          const { get, post, say, settled } = yield* callsOf(sandbox.key)
          assert.deepInclude(yield* settled(id), { status: "settled", kind: "reset", error: null })
          for (const path of ["messages", "contacts", "payments", "webhook-endpoints", "webhook-events"])
            assert.deepStrictEqual((yield* get(path)).body.data, [], path)
          const clock = (yield* get("sandbox/clock")).body
          assert.deepInclude(clock, { lead_seconds: 0, frozen: false, advance_id: null })
          // The sandbox is in use again, and the next reset is another one.
          assert.strictEqual((yield* say(numberId)).status, 202)
          assert.strictEqual((yield* get("messages")).body.data.length, 1)
          const next = yield* post("sandbox/clock/reset", { project_slug: slug })
          assert.strictEqual((yield* settled(next.body.id)).status, "settled")
          assert.deepStrictEqual((yield* get("messages")).body.data, [])
        })
      )
    }).pipe(Effect.scoped),
  240_000
)

it.layer(WholeProduct({ clock: "live", outgoing: outgoingWithin(never) }), { excludeTestServices: true })(
  "A call under way at a reset",
  (it) => {
    it.effect("writes nothing into the emptied sandbox, whatever it comes to", () =>
      Effect.gen(function* () {
        const answers: Array<(status: number) => void> = []
        const { received, url } = yield* receiver(() => (respond) => void answers.push(respond))
        const { numberId, sandbox, slug } = yield* sandboxWithNumber
        const { post, say, settled } = yield* callsOf(sandbox.key)
        const hook = yield* post("webhook-endpoints", { url, subscribed_events: ["message.received"] })
        assert.strictEqual(hook.status, 201, hook.text)
        yield* say(numberId)
        yield* until(Effect.sync(() => received.length === 1))
        const reset = yield* post("sandbox/clock/reset", { project_slug: slug })
        assert.strictEqual((yield* settled(reset.body.id)).status, "settled")
        for (const answer of answers) answer(503)
        yield* quiesce
        const sql = yield* SqlClient.SqlClient
        for (const table of ["webhook_attempts", "webhook_events", "webhook_endpoints", "outbox_events"]) {
          const rows = yield* sql`select 1 from ${sql(table)} where environment_id = ${sandbox.id}`
          assert.deepStrictEqual(rows, [], table)
        }
        // An endpoint of the emptied sandbox begins anew.
        yield* post("webhook-endpoints", { url, subscribed_events: ["message.received"] })
        yield* say(numberId)
        yield* until(Effect.sync(() => received.length === 2))
        answers.at(-1)?.(200)
        yield* quiesce
        const attempts = yield* sql`select status from webhook_attempts where environment_id = ${sandbox.id}`
        assert.deepStrictEqual(attempts, [{ status: "succeeded" }])
      })
    )
  }
)
