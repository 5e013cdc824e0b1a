import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedKey } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { apart, paying } from "./PaymentsStage.ts"

const path = (id: string) => `/v1/sandbox/payments/${id}/status`
const outcomes = ["paid", "failed", "expired", "cancelled"] as const

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Outcomes set in a sandbox", (it) => {
  for (const status of outcomes) {
    it.effect(
      `${status}: of a payment without a link and of one with it, with its event and its fee C-PSBX-05 C-PSBX-06 C-PSBX-07 C-PAY-12 C-PEVT-05 C-PEVT-17`,
      () =>
        Effect.gen(function* () {
          const { balance, create, events, payment, setStatus } = yield* paying("sandbox")
          const early = (yield* create()).body.id
          const { id } = (yield* create()).body
          const before = yield* balance
          const moved = yield* setStatus(early, { status })
          assert.deepStrictEqual([moved.status, moved.body.status], [200, status])
          yield* turnBy(500)
          assert.strictEqual((yield* payment(early)).payment_link_url, null)
          assert.deepStrictEqual(
            (yield* events(early)).map(({ type }) => type),
            ["payment.created", `payment.${status}`]
          )
          assert.strictEqual((yield* payment(id)).status, "link_generated")
          const ended = (yield* setStatus(id, { status })).body
          for (const one of outcomes) {
            assert.strictEqual(ended[`${one}_at`], one === status ? ended.updated_at : null)
          }
          assert.deepInclude(ended.fees.completion, { state: status === "paid" ? "settled" : "released" })
          assert.isTrue(ended.fees.simulated)
          const event = (yield* events(id)).at(-1)
          assert.strictEqual(event.type, `payment.${status}`)
          assert.deepInclude(event.data, { status, operation: "sandbox_status", sandbox_simulator: true })
          assert.notProperty(event.data, "sandbox_pay_page")
          assert.match(event.data.provider_event_id, /^sbevt_[0-9a-z]{26}$/)
          assert.deepStrictEqual(yield* balance, before)
          assert.deepStrictEqual(yield* apart, [])
        })
    )
  }

  it.effect(
    "have an event id and metadata, separate from those of the payment C-PSBX-03 C-PSBX-04 C-PEVT-08 C-PEVT-15",
    () =>
      Effect.gen(function* () {
        const { create, events, payment, setStatus } = yield* paying("sandbox")
        const { id } = (yield* create({ metadata: { order: "1" } })).body
        const provider_event_id = "e".repeat(255)
        yield* setStatus(id, { status: "paid", provider_event_id, metadata: { teller: "nobody" } })
        const after = yield* payment(id)
        assert.deepStrictEqual(after.metadata, { order: "1" })
        assert.deepStrictEqual(after.provider_metadata.sandbox, { teller: "nobody" })
        const { data } = (yield* events(id)).at(-1)
        assert.strictEqual(data.provider_event_id, provider_event_id)
        assert.deepStrictEqual(data.metadata, { order: "1" })
        assert.notInclude(JSON.stringify(data), "teller")
      })
  )

  it.effect("change nothing when repeated, and are refused when they differ C-PAY-26 C-PSBX-05", () =>
    Effect.gen(function* () {
      const { create, events, payment, setStatus } = yield* paying("sandbox")
      const { id } = (yield* create()).body
      yield* setStatus(id, { status: "expired", metadata: { first: true } })
      const before = yield* payment(id)
      yield* turnBy(1000)
      const again = yield* setStatus(id, { status: "expired", metadata: { second: true } })
      assert.deepStrictEqual([again.status, again.body.updated_at], [200, before.updated_at])
      const other = yield* setStatus(id, { status: "paid" })
      assert.deepStrictEqual([other.status, other.body.error.code], [409, "payment_already_terminal"])
      assert.deepStrictEqual(yield* payment(id), before)
      assert.strictEqual((yield* events(id)).length, 2)
    })
  )

  it.effect("replay the first response for a key, with the fees of that time C-PSBX-01 C-FEE-19", () =>
    Effect.gen(function* () {
      const { create, setStatus } = yield* paying("sandbox")
      const { id } = (yield* create()).body
      const options = { headers: { "idempotency-key": `status-${id}` } }
      const first = yield* setStatus(id, { status: "paid" }, options)
      const again = yield* setStatus(id, { status: "paid" }, options)
      assert.deepStrictEqual([again.status, again.headers["svc-idempotent-replayed"]], [200, "true"])
      assert.strictEqual(again.text, first.text)
      const other = yield* setStatus(id, { status: "failed" }, options)
      assert.deepStrictEqual([other.status, other.body.error.code], [409, "idempotency_key_conflict"])
    })
  )

  it.effect("are refused for invalid bodies, production keys and foreign ids C-PSBX-01..04", () =>
    Effect.gen(function* () {
      const { acme, create, payment, setStatus } = yield* paying("sandbox")
      const { other, post } = yield* Api
      const { id } = (yield* create()).body
      const bad: ReadonlyArray<readonly [body: unknown, param: string]> = [
        [{}, "status"],
        [{ status: "link_generated" }, "status"],
        [{ status: "approved" }, "status"],
        [{ status: "paid", provider_event_id: "" }, "provider_event_id"],
        [{ status: "paid", provider_event_id: "e".repeat(256) }, "provider_event_id"],
        [{ status: "paid", metadata: [] }, "metadata"],
        [{ status: "paid", more: 1 }, "more"]
      ]
      for (const [body, param] of bad) {
        const { body: answer, status } = yield* setStatus(id, body)
        assert.deepStrictEqual([status, answer.error.code, answer.error.param], [400, "invalid_payment_request", param])
      }
      const production = yield* post(path(id), { status: "paid" }, { key: acme.production.key })
      assert.deepStrictEqual([production.status, production.body.error.code], [400, "sandbox_only_route"])
      for (const [key, named] of [
        [other.sandbox.key, id],
        [acme.sandbox.key, "pay_none"],
        [acme.sandbox.key, id.replace("pay_", "agp_")]
      ]) {
        const foreign = yield* post(path(String(named)), { status: "paid" }, { key: String(key) })
        assert.deepStrictEqual([foreign.status, foreign.body.error.code], [404, "payment_not_found"])
      }
      const { key } = yield* seedKey(acme.sandbox, { scopes: ["payments:write"] })
      const scope = yield* post(path(id), { status: "paid" }, { key })
      assert.deepStrictEqual([scope.status, scope.body.error.code], [403, "insufficient_scope"])
      assert.strictEqual((yield* payment(id)).status, "link_pending")
    })
  )
})
