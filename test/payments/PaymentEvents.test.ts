import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { correct } from "../billing/Accounts.ts"
import { type Answer, Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { tellSigned } from "../support/ProviderSignature.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { advance, connect, everything, paying } from "./PaymentsStage.ts"
import { ScriptedPix } from "./ScriptedPix.ts"

const vendor = new ScriptedPix()

const paymentEvents = eventCatalog.filter(({ type }) => type.startsWith("payment."))
const types = paymentEvents.map(({ type }) => type)

/** The events that acme's endpoint received about one payment. */
const delivered = (kind: "sandbox" | "production", endpoint: string, paymentId: string) =>
  Effect.gen(function* () {
    const { acme, get } = yield* Api
    const { key } = acme[kind]
    const listed = yield* get(`/v1/webhook-events?limit=100&webhook_endpoint_id=${endpoint}`, { key })
    const shown = yield* Effect.forEach(listed.body.data as ReadonlyArray<{ readonly id: string }>, ({ id }) =>
      Effect.map(get(`/v1/webhook-events/${id}`, { key }), ({ body }) => body)
    )
    return shown.filter(({ payload }) => payload?.data?.id === paymentId) as ReadonlyArray<Answer["body"]>
  })

const subscribe = (kind: "sandbox" | "production") =>
  Effect.gen(function* () {
    const { acme, post } = yield* Api
    const asked = { url: "https://hooks.example.test/payments", subscribed_events: types }
    const { body, text } = yield* post("/v1/webhook-endpoints", asked, { key: acme[kind].key })
    assert.isString(body.id, text)
    return body.id as string
  })

it.layer(WholeProduct({ sweeps: false, vendors: vendor.layer }), { excludeTestServices: true })(
  "Payment events",
  (it) => {
    it.effect("are fanned out to their subscribers with the payment as it was then C-PEVT-01..17", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(types, [
          "payment.created",
          "payment.approval_available",
          "payment.link_generated",
          "payment.paid",
          "payment.failed",
          "payment.expired",
          "payment.cancelled",
          "payment.late_outcome"
        ])
        const endpoint = yield* subscribe("sandbox")
        const { create, payment, setStatus } = yield* paying("sandbox")
        const { id } = (yield* create(everything)).body
        yield* turnBy(500)
        const { payment_link_url } = yield* payment(id)
        yield* turnBy(100)
        yield* setStatus(id, { status: "failed", metadata: { secret: "kept" } })
        yield* turnBy(10)
        const events = (yield* delivered("sandbox", endpoint, id)).map(({ payload }) => payload).toSorted(inTime)
        assert.deepStrictEqual(
          events.map(({ data, type }) => [type, data.status, data.payment_link_url, data.operation]),
          [
            ["payment.created", "link_pending", null, "create"],
            ["payment.approval_available", "link_generated", payment_link_url, "link"],
            ["payment.link_generated", "link_generated", payment_link_url, "link"],
            ["payment.failed", "failed", payment_link_url, "sandbox_status"]
          ]
        )
        const [created, available, generated, failed] = events
        assert.notStrictEqual(available.id, generated.id)
        assert.strictEqual(available.occurred_at, generated.occurred_at)
        for (const one of events) {
          const declared = paymentEvents.find(({ type }) => type === one.type)
          assert.isTrue(
            declared !== undefined && Schema.is(declared.data as Schema.Schema<unknown>)(one.data),
            one.type
          )
          assert.match(one.occurred_at, /Z$/)
          assert.isAtLeast(Date.parse(one.created_at), Date.parse(one.occurred_at))
          const { customer_tax_id: _, ...shown } = everything
          assert.deepInclude(one.data, {
            id,
            payment_request_id: id,
            amount_brl: "125.5000",
            currency: "BRL",
            ...shown
          })
          for (const hidden of ["customer_tax_id", "provider_metadata", "fees", "error_code", "sandbox_pay_page"]) {
            assert.notProperty(one.data, hidden)
          }
          assert.notInclude(JSON.stringify(one), "12345678909")
        }
        assert.deepStrictEqual(
          [created.data.provider_payment_id, generated.data.provider_payment_id],
          [null, `sbpay_${id.slice(4)}`]
        )
        assert.strictEqual(failed.data.sandbox_simulator, true)
        assert.notInclude(JSON.stringify(failed), "kept")
        assert.notProperty(created.data, "sandbox_simulator")
      })
    )

    it.effect("are resent with the earlier payment, not the present one C-PEVT-07", () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const endpoint = yield* subscribe("sandbox")
        const { create, setStatus } = yield* paying("sandbox")
        const { id } = (yield* create(everything)).body
        yield* turnBy(500)
        yield* setStatus(id, { status: "paid" })
        yield* turnBy(10)
        const first = (yield* delivered("sandbox", endpoint, id)).at(-1)
        assert.strictEqual(first?.payload.type, "payment.created")
        yield* post(`/v1/webhook-events/${first?.id}/resend`, {}, { key: acme.sandbox.key, idempotencyKey: "again" })
        yield* turnBy(10)
        const again = (yield* delivered("sandbox", endpoint, id)).filter(
          ({ payload }) => payload.id === first?.payload.id
        )
        for (const { payload } of again) assert.deepStrictEqual(payload, first?.payload)
      })
    )

    it.effect(
      "of an outcome carry the event of the provider and its time, and nothing raw C-PEVT-06 C-PEVT-08 C-PEVT-15 C-PEVT-16",
      () =>
        Effect.gen(function* () {
          const connection = yield* connect("pixprov2")
          const { acme, create, events, payment } = yield* paying("production")
          yield* correct(acme.organization_id, "credit", 100_0000)
          const { id } = (yield* create(everything)).body
          yield* turnBy(10)
          const happened = new Date((yield* Clock.currentTimeMillis) + 500).toISOString()
          yield* turnBy(1500)
          const tell = (event: string, type: string, status: string, created_at: string, external_id = id) =>
            tellSigned(
              `/webhooks/pixprov2/${connection}`,
              JSON.stringify({
                id: event,
                type,
                created_at,
                data: { id: `chk_${id}`, external_id, status, raw: "secret" }
              }),
              "pixprov2-secret"
            )
          // A false notice causes a look-up without effect.
          assert.strictEqual((yield* tell("evt_lie", "checkout.updated", "paid", happened)).status, 200)
          yield* turnBy(10)
          assert.strictEqual((yield* payment(id)).status, "link_generated")
          vendor.show(id, { status: "paid" })
          yield* tell("evt_true", "checkout.paid", "paid", happened)
          // An earlier notice arrives later.
          yield* tell("evt_old", "checkout.updated", "pending", "2026-01-01T00:00:00.000Z")
          yield* turnBy(10)
          const paid = (yield* events(id)).at(-1)
          assert.deepInclude(paid.data, {
            status: "paid",
            operation: "provider_outcome",
            provider_event_id: "evt_true",
            provider_event_type: "checkout.paid"
          })
          assert.strictEqual(paid.occurred_at, happened)
          assert.isAbove(Date.parse(paid.created_at), Date.parse(happened))
          assert.notInclude(JSON.stringify(yield* events(id)), "secret")
          const before = vendor.count("read", id)
          // A repeated notice is stored once, and causes one look-up.
          yield* tell("evt_true", "checkout.paid", "paid", happened)
          yield* turnBy(10)
          assert.strictEqual(vendor.count("read", id), before)
          assert.lengthOf(yield* events(id), 4)
        })
    )

    it.effect(
      'are not caused by notices of another connection, another secret or an old call gaps-3 G "Trust in webhook content"',
      () =>
        Effect.gen(function* () {
          const connection = yield* connect("pixprov2")
          const other = yield* connect("pixprov1")
          const { post } = yield* Api
          const sql = yield* SqlClient.SqlClient
          yield* sql`update provider_connections set selected_at = case when id = ${connection} then now() end
            where id in (${connection}, ${other})`
          const { create, payment } = yield* paying("production")
          const { id } = (yield* create()).body
          yield* turnBy(10)
          vendor.show(id, { status: "paid" })
          const body = (event: string) =>
            JSON.stringify({
              id: event,
              type: "charge.updated",
              data: { id: `chk_${id}`, external_id: id, status: "paid" }
            })
          assert.strictEqual(
            (yield* tellSigned(`/webhooks/pixprov1/${other}`, body("evt_1"), "pixprov1-secret")).status,
            200
          )
          assert.strictEqual(
            (yield* tellSigned(`/webhooks/pixprov2/${connection}`, body("evt_2"), "another")).status,
            401
          )
          assert.strictEqual((yield* post(`/webhooks/pixprov2/${connection}`, body("evt_3"), {})).status, 401)
          yield* turnBy(10)
          assert.strictEqual((yield* payment(id)).status, "link_generated")
          yield* advance(60_000)
          assert.strictEqual((yield* payment(id)).status, "paid")
        })
    )

    it.effect(
      "lead a consumer who removes duplicates and keeps final states to the true state, in every order C-PEVT-18",
      () =>
        Effect.gen(function* () {
          const { create, events, payment, setStatus } = yield* paying("sandbox")
          for (const status of ["paid", "cancelled"] as const) {
            const { id } = (yield* create()).body
            yield* turnBy(500)
            yield* setStatus(id, { status })
            const told = (yield* events(id)) as ReadonlyArray<Told>
            const truth = (yield* payment(id)).status
            fc.assert(
              fc.property(fc.shuffledSubarray([...told, ...told], { minLength: told.length * 2 }), (order) => {
                assert.strictEqual(consume(order), truth)
              })
            )
          }
        })
    )
  }
)

/** In the order in which they happened, and both events of a link by their names. */
const inTime = (one: Answer["body"], other: Answer["body"]): number => {
  const [first, second] = [one, other].map(({ occurred_at, type }) => `${occurred_at} ${type}`)
  return (first ?? "") < (second ?? "") ? -1 : 1
}

interface Told {
  readonly id: string
  readonly data: { readonly status: string }
}

/** The consumer's rule in the document. */
const consume = (order: ReadonlyArray<Told>): string => {
  const rank = (status: string) => (status === "link_pending" ? 0 : status === "link_generated" ? 1 : 2)
  const seen = new Set<string>()
  let state = "link_pending"
  for (const { data, id } of order) {
    if (seen.has(id)) continue
    seen.add(id)
    if (rank(data.status) > rank(state)) state = data.status
  }
  return state
}
