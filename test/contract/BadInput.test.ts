import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { queries } from "./BadQueries.ts"
import { bounds } from "./Bounds.ts"
import { bodySchema, codesFor, type DescribedOperation, operation, operations, pathOf } from "./Described.ts"
import { badBodies, membersOf } from "./Mutations.ts"
import { examples, seedThings, type Things } from "./Stage.ts"

class Stage extends Context.Service<Stage, Things>()("@carteiro/test/contract/BadInputStage") {
  static readonly layer = Layer.effect(
    Stage,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const things = yield* Effect.flatMap(Api, ({ acme }) => seedThings(acme.sandbox))
      // The deliveries of the stage end first: their retries would count as effects.
      const due = Effect.andThen(
        quiesce,
        sql`select 1 from webhook_attempts where status = 'pending' and due_at <= created_at limit 1`
      )
      yield* Effect.repeat(due, { until: (rows) => rows.length === 0 })
      return things
    })
  )
}

/** Rows of every table, but for those that tell of no effect. */
const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string; readonly count: string }>`select table_name as name,
      (xpath('/row/c/text()', query_to_xml('select count(*) as c from ' || quote_ident(table_name), false, true, '')))[1]::text
        as count
    from information_schema.tables where table_schema = 'public' and table_name not in ('commits', 'owner_levels')
    order by 1`.unprepared
  return rows.map(({ count, name }) => `${name} ${count}`)
}).pipe(Effect.orDie)

/** The rows that the last test found at its end: time stands still, so the next one finds them at its beginning. */
class Rows extends Context.Service<Rows, Ref.Ref<ReadonlyArray<string>>>()("@carteiro/test/contract/BadInputRows") {
  static readonly layer = Layer.effect(
    Rows,
    Effect.flatMap(counts, (rows) => Ref.make<ReadonlyArray<string>>(rows))
  )
}

/** Behind a credential of their own, which is looked at before the body. */
const behindCredential = new Set([
  "providerConnections.signupSessions.complete",
  "providerConnections.setupSessions.complete",
  "providerConnections.setupSessions.deny"
])
const withBody = operations.filter((one) => bodySchema(one) !== undefined && !behindCredential.has(one.operationId))

const send = Effect.fnUntraced(function* (one: DescribedOperation, body: unknown) {
  const { acme, call } = yield* Api
  const stage = yield* Stage
  const key = one.operationId === "webhooks.listenSessions.create" ? acme.production.key : acme.sandbox.key
  return yield* call(one.method, pathOf(one.path, stage), body, { key, idempotencyKey: "one key, refused each time" })
})

const bodyOf = (operationId: string, stage: Things, more: object = {}) => ({
  ...examples({ phone_number_id: stage.phone_number_id, environment: "sandbox" })[operationId],
  ...more
})

const leavesNothing = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* use
    const after = yield* counts
    assert.deepStrictEqual(after, yield* Ref.getAndSet(yield* Rows, after))
  })

const stage = Rows.layer.pipe(Layer.provideMerge(Stage.layer), Layer.provideMerge(WholeProduct()))

it.layer(stage, { excludeTestServices: true })("Bad input", (it) => {
  it.effect.each(withBody.map(({ operationId }) => operationId))(
    "%s refuses a body that breaks its description, names the field and leaves nothing behind A-ERR-02 A-ERR-08 A-ERR-22 A-CONV-08",
    (operationId) =>
      leavesNothing(
        Effect.gen(function* () {
          const stage = yield* Stage
          const one = operation(operationId)
          const bad = badBodies(one, bodyOf(operationId, stage))
          for (const name of membersOf(one, bodyOf(operationId, stage))) {
            const broken = bad.filter(({ param }) => param === name || param?.startsWith(`${name}.`))
            assert.isNotEmpty(broken, `no body of ${operationId} breaks ${name}`)
          }
          for (const { body, framework, name, param } of bad) {
            const answer = yield* send(one, body)
            const { code, type, param: named } = answer.body.error ?? {}
            assert.deepStrictEqual([answer.status, type], [400, "validation_error"], `${name}: ${answer.text}`)
            if (framework === true) assert.strictEqual(code, "http_exception", name)
            else assert.include(codesFor(one, 400), code, name)
            if (param === undefined) assert.isUndefined(named, `${name}: ${answer.text}`)
            else assert.isTrue(named === param || named?.startsWith(`${param}.`), `${name}: ${answer.text}`)
          }
        })
      )
  )

  it.effect.each(bounds)(
    "$operationId refuses $name with param $param A-ERR-02",
    ({ body, operationId, param, ...more }) =>
      leavesNothing(
        Effect.gen(function* () {
          const stage = yield* Stage
          const one = operation(operationId)
          const answer = yield* send(one, bodyOf(operationId, stage, body))
          const code = more.code ?? codesFor(one, 400).find((one) => one !== "sandbox_only_route")
          assert.deepStrictEqual(told(answer), [400, code, param], answer.text.slice(0, 300))
        })
      )
  )

  it.effect.each(queries)(
    "$operationId refuses the query $search A-ERR-02 A-CONV-15 A-LIM-04",
    ({ code, operationId, param, search }) =>
      leavesNothing(
        Effect.gen(function* () {
          const { acme, get } = yield* Api
          const one = operation(operationId)
          const path = pathOf(one.path, yield* Stage)
          const answer = yield* get(`${path}?${search}`, { key: acme.sandbox.key })
          assert.deepStrictEqual(told(answer), [400, code, param], answer.text.slice(0, 300))
        })
      )
  )

  it.effect("an invalid cursor is refused before any look-up (gaps-1 A, order of checks) A-CONV-18", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      for (const { code, operationId, param, search } of queries) {
        if (code !== "invalid_cursor" || !search.endsWith("=x")) continue
        const path = operation(operationId).path.replaceAll(/\{\w+\}/g, "nowhere")
        for (const { key } of [acme.sandbox, acme.production]) {
          const answer = yield* get(`${path}?${search}`, { key })
          assert.deepStrictEqual(told(answer), [400, "invalid_cursor", param], operationId)
        }
      }
    })
  )

  it.effect("right-to-left text, emoji and combining marks are stored unchanged", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const stage = yield* Stage
      const key = acme.sandbox.key
      for (const text of [
        "שלום \u202eolleh",
        "👩‍👩‍👧‍👦🇧🇷",
        "e\u0301 ação",
        "\ta\nb",
        "x".repeat(4096),
        "𝒳".repeat(4096)
      ]) {
        const metadata = { text: text.slice(0, 100), [text.slice(0, 8)]: true }
        const body = bodyOf("messages.send", stage, { message: { type: "text", text: { body: text } }, metadata })
        const sent = yield* post("/v1/messages", body, { key })
        assert.strictEqual(sent.status, 202, sent.text)
        const read = yield* get(`/v1/messages/${sent.body.id}`, { key })
        assert.strictEqual(read.body.payload.request.text.body, text)
        assert.deepStrictEqual(read.body.metadata, metadata)
      }
    })
  )

  it.effect("an invalid quoted id spoils no other send of the number A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const stage = yield* Stage
      const key = acme.sandbox.key
      const ask = (more: object) => post("/v1/messages", bodyOf("messages.send", stage, more), { key })
      const quoting = { reply_to: { message_id: "msg_\u0000" } }
      const answers = yield* Effect.all(
        Array.from({ length: 12 }, (_, n) => ask(n % 3 === 0 ? quoting : {})),
        { concurrency: "unbounded" }
      )
      for (const [n, answer] of answers.entries()) {
        assert.deepStrictEqual(
          told(answer),
          n % 3 === 0 ? [404, "message_not_found", "reply_to.message_id"] : [202, undefined, undefined]
        )
      }
    })
  )
})
