import { qrCode } from "@carteiro/html/QrCode.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { hintPaymentRequest } from "@carteiro/runtime/payments/payment/PaymentWorkWrites.ts"
import { PaymentWorker } from "@carteiro/runtime/payments/worker/PaymentWorker.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { correct } from "../billing/Accounts.ts"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedKey } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { advance, apart, connect, paying, refusalOf } from "./PaymentsStage.ts"
import { ScriptedPix } from "./ScriptedPix.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const vendor = new ScriptedPix()

/** Resets the provider: no call is lost, none refused. */
const testedBy = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.ensuring(
    test,
    Effect.sync(() => vendor.calm())
  )

/** Payments of acme's production environment through a provider, with credit for their fees. */
const connected = (provider: "pixprov1" | "pixprov2" = "pixprov2") =>
  Effect.gen(function* () {
    const calls = yield* paying("production")
    const connection = yield* connect(provider)
    const sql = yield* SqlClient.SqlClient
    yield* sql`update provider_connections set selected_at = case when id = ${connection} then now() end
      where environment_id = ${calls.id}`
    /** A payment with its link. */
    const linked = (more: object = {}) =>
      Effect.gen(function* () {
        const { id } = (yield* calls.create(more)).body
        yield* turnBy(10)
        return id as string
      })
    const stateOf = (id: string) => Effect.map(calls.payment(id), ({ fees, status }) => [status, fees.completion.state])
    const types = (id: string) =>
      Effect.map(calls.events(id), (events) => events.map(({ type }: { readonly type: string }) => type))
    return { ...calls, connection, linked, stateOf, types }
  })

it.layer(WholeProduct({ sweeps: false, vendors: vendor.layer }), { excludeTestServices: true })(
  "Payments in production",
  (it) => {
    it.effect('are refused without a connection, and nothing is charged gaps-3 C "Which provider a payment uses"', () =>
      Effect.gen(function* () {
        const { acme, balance, create, get } = yield* paying("production")
        yield* correct(acme.organization_id, "credit", 10_000_000)
        const before = yield* balance
        assert.deepStrictEqual(refusalOf(yield* create()).slice(0, 2), [409, "payment_provider_connection_required"])
        assert.deepStrictEqual(yield* balance, before)
        assert.deepStrictEqual((yield* get("/v1/payments")).body.data, [])
      })
    )

    it.effect(
      "the initiation fee is charged and the completion fee held, then charged when it is paid C-PAY-07 C-PAY-08 C-PAY-24 C-PAY-27 C-PAY-28 C-FEE-02 C-FEE-05 C-FEE-07 C-FEE-14",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { balance, connection, create, ledger, payment, stateOf } = yield* connected()
            const units = (text: string) => Math.round(Number(text) * 10_000)
            const [before, aside] = yield* balance
            const created = (yield* create({ description: "Order", customer_name: "Ana" })).body
            assert.deepInclude(created, { status: "link_pending", provider: "pixprov2", payment_link_url: null })
            assert.strictEqual(created.fees.simulated, false)
            const [held, more] = yield* balance
            assert.deepStrictEqual([units(before) - units(held), units(more) - units(aside)], [4900 + 12_550, 12_550])
            yield* turnBy(10)
            const ready = yield* payment(created.id)
            assert.deepInclude(ready, {
              status: "link_generated",
              provider_connection_id: connection,
              provider_payment_id: `chk_${created.id}`,
              payment_link_url: `https://pay.example/${created.id}`,
              pix_copy_paste: null
            })
            assert.isNotNull(ready.link_generated_at)
            vendor.show(created.id, { status: "paid" })
            yield* advance(minuteMs)
            assert.deepStrictEqual(yield* stateOf(created.id), ["paid", "settled"])
            assert.deepStrictEqual(yield* balance, [held, aside])
            const own = (yield* ledger()).filter(
              (entry: { payment_fee: { id: string } | null }) => entry.payment_fee?.id === created.id
            )
            const { completion, initiation } = created.fees
            assert.deepStrictEqual(
              own.map(({ meter_id, payment_fee, trace_id, type }: Record<string, unknown>) => [
                type,
                meter_id,
                payment_fee,
                trace_id === created.trace_id
              ]),
              [
                ["debit", "payment.completion", completion],
                ["hold", null, completion],
                ["debit", "payment.initiation", initiation]
              ].map(([type, meter, { reservation_id }]) => [
                type,
                meter,
                { object: "payment_request", id: created.id, reservation_id },
                true
              ])
            )
            assert.strictEqual(vendor.count("create", created.id), 1)
            assert.deepStrictEqual(yield* apart, [])
          })
        )
    )

    it.effect(
      "by a code are paid on a page of ours, and cannot be cancelled C-PAY-06 C-PAY-25 C-PCAN-07 C-PCAN-08 C-PEVT-04 C-ERR-11",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { cancel, events, linked, payment, stateOf } = yield* connected()
            const id = yield* linked({ provider_options: { pixprov2: { mode: "transparent_pix" } } })
            const ready = yield* payment(id)
            assert.deepInclude(ready, { pix_copy_paste: `code of ${id}`, pix_qr_code_base64: "iVBORw0KGgo=" })
            assert.match(ready.payment_link_url, /\/pay\/[\w-]{22}$/)
            for (const { data } of (yield* events(id)).slice(1)) {
              assert.deepStrictEqual([data.status, data.payment_link_url], ["link_generated", ready.payment_link_url])
            }
            const refused = yield* cancel(id)
            assert.deepStrictEqual(refusalOf(refused).slice(0, 2), [400, "payment_cancellation_unsupported"])
            assert.deepStrictEqual(refused.body.error.feedback, { endpoint: "/v1/feedback", method: "POST" })
            assert.deepStrictEqual(yield* payment(id), ready)
            yield* advance(minuteMs)
            assert.strictEqual(vendor.count("cancel", id), 0)
            vendor.show(id, { status: "expired" })
            yield* advance(4 * minuteMs)
            assert.deepStrictEqual(yield* stateOf(id), ["expired", "released"])
            assert.deepStrictEqual(refusalOf(yield* cancel(id))[0], 200)
          })
        )
    )

    it.effect(
      'by a code without a picture get one, and one that no picture holds stays without gaps-3 C "Link URL of a transparent Pix payment"',
      () =>
        testedBy(
          Effect.gen(function* () {
            const { linked, payment } = yield* connected()
            const byCode = { provider_options: { pixprov2: { mode: "transparent_pix" } } }
            vendor.made = { pix_qr_code_base64: null }
            const { pix_copy_paste, pix_qr_code_base64 } = yield* payment(yield* linked(byCode))
            assert.strictEqual(pix_qr_code_base64, yield* qrCode(pix_copy_paste))
            assert.strictEqual(Buffer.from(pix_qr_code_base64, "base64").subarray(1, 4).toString(), "PNG")
            vendor.made = { pix_qr_code_base64: null, pix_copy_paste: "a".repeat(3000) }
            const long = yield* payment(yield* linked(byCode))
            assert.deepInclude(long, { status: "link_generated", pix_qr_code_base64: null })
          })
        )
    )

    it.effect('whose create has no response are found by our id and made once C-PAY-24 gaps-3 C "Link failure"', () =>
      testedBy(
        Effect.gen(function* () {
          const { create, stateOf, types } = yield* connected()
          vendor.lost.set("create", "after")
          const { id } = (yield* create()).body
          yield* turnBy(10)
          assert.deepStrictEqual(yield* stateOf(id), ["link_pending", "held"])
          yield* advance(minuteMs)
          assert.deepStrictEqual(yield* stateOf(id), ["link_generated", "held"])
          assert.deepStrictEqual([vendor.count("create", id), vendor.count("lookUp", id)], [1, 1])
          assert.deepStrictEqual((yield* types(id)).sort(), [
            "payment.approval_available",
            "payment.created",
            "payment.link_generated"
          ])
          assert.deepStrictEqual(yield* apart, [])
        })
      )
    )

    it.effect(
      'that never arrived are made again only once their absence is proven, 10 and 70 minutes later gaps-3 C "Proven create history"',
      () =>
        testedBy(
          Effect.gen(function* () {
            const { balance, create, stateOf } = yield* connected()
            vendor.lost.set("create", "before")
            const [, aside] = yield* balance
            const { id } = (yield* create()).body
            yield* turnBy(10)
            vendor.lost.clear()
            yield* advance(11 * minuteMs)
            yield* advance(58 * minuteMs)
            assert.deepStrictEqual(yield* stateOf(id), ["link_pending", "held"])
            assert.strictEqual(vendor.count("create", id), 1)
            assert.notStrictEqual((yield* balance)[1], aside)
            yield* advance(2 * minuteMs)
            assert.deepStrictEqual(yield* stateOf(id), ["link_generated", "held"])
            assert.strictEqual(vendor.count("create", id), 2)
            assert.deepStrictEqual(yield* apart, [])
          })
        )
    )

    it.effect("that the provider refuses fail, and their fee is released C-FEE-08 C-FEE-31 C-PEVT-16", () =>
      testedBy(
        Effect.gen(function* () {
          const { balance, create, events, ledger, payment } = yield* connected()
          const [, aside] = yield* balance
          vendor.refuses.add("create")
          const { id } = (yield* create()).body
          yield* turnBy(10)
          const failed = yield* payment(id)
          assert.deepInclude(failed, { status: "failed", payment_link_url: null, provider_payment_id: null })
          assert.isNotNull(failed.failed_at)
          assert.strictEqual(failed.fees.completion.state, "released")
          assert.strictEqual((yield* balance)[1], aside)
          const event = (yield* events(id)).at(-1)
          assert.strictEqual(event.type, "payment.failed")
          assert.deepInclude(event.data, { status: "failed", operation: "link", error_code: "payment_link_rejected" })
          assert.isString(event.data.error_message)
          const [release] = yield* ledger("&source_type=payment_fee_hold")
          assert.deepInclude(release, { type: "release", trace_id: failed.trace_id })
          assert.deepStrictEqual(yield* apart, [])
        })
      )
    )

    it.effect("release the fee of an outcome only after a later look-up C-FEE-09 C-FEE-11 C-FEE-31 C-PAY-27", () =>
      testedBy(
        Effect.gen(function* () {
          const { balance, create, stateOf, types } = yield* connected()
          const [, aside] = yield* balance
          vendor.lost.set("create", "after")
          const { id } = (yield* create()).body
          yield* turnBy(10)
          vendor.lost.clear()
          vendor.show(id, { status: "expired" })
          yield* advance(minuteMs)
          assert.deepStrictEqual(yield* stateOf(id), ["expired", "unresolved"])
          assert.notStrictEqual((yield* balance)[1], aside)
          yield* advance(minuteMs)
          assert.deepStrictEqual(yield* stateOf(id), ["expired", "released"])
          assert.strictEqual((yield* balance)[1], aside)
          assert.deepStrictEqual(yield* types(id), ["payment.created", "payment.expired"])
          assert.deepStrictEqual(yield* apart, [])
        })
      )
    )

    it.effect(
      'that prove paid after their end keep their status: a held fee is charged, a released one is not gaps-3 C "Outcome after a terminal state" C-PAY-26 C-FEE-21',
      () =>
        testedBy(
          Effect.gen(function* () {
            const { connection, create, events, payment, stateOf, types } = yield* connected()
            vendor.lost.set("create", "after")
            const held = (yield* create()).body.id
            yield* turnBy(10)
            vendor.lost.clear()
            vendor.show(held, { status: "cancelled" })
            const back = (yield* create()).body.id
            yield* turnBy(10)
            vendor.show(back, { status: "cancelled" })
            yield* advance(minuteMs)
            assert.deepStrictEqual(yield* stateOf(held), ["cancelled", "unresolved"])
            assert.deepStrictEqual(yield* stateOf(back), ["cancelled", "released"])
            for (const id of [held, back]) vendor.show(id, { status: "paid" })
            const hint = { status: "paid", provider_connection_id: connection }
            yield* hinted(back, hint)
            yield* advance(minuteMs)
            assert.deepStrictEqual(yield* stateOf(held), ["cancelled", "settled"])
            assert.deepStrictEqual(yield* stateOf(back), ["cancelled", "released"])
            for (const id of [held, back]) {
              const { late_outcome, provider_metadata } = yield* payment(id)
              assert.strictEqual(provider_metadata.late_outcome.status, "paid")
              assert.deepStrictEqual(late_outcome, { status: "paid", at: provider_metadata.late_outcome.observed_at })
              const linked = ["payment.approval_available", "payment.link_generated"]
              const ended = ["payment.cancelled", "payment.late_outcome"]
              assert.deepStrictEqual(yield* types(id), ["payment.created", ...(id === held ? [] : linked), ...ended])
              const told = (yield* events(id)).at(-1)
              assert.deepInclude(told?.data, { status: "cancelled", late_outcome, operation: "provider_outcome" })
            }
            // A repeated notice changes nothing more.
            const kept = yield* payment(back)
            yield* hinted(back, hint)
            yield* advance(10)
            assert.deepStrictEqual(yield* payment(back), kept)
            assert.deepStrictEqual(yield* apart, [])
          })
        )
    )

    it.effect(
      "that the provider shows with another amount or id do not change; a day later the fee reads unresolved C-FEE-06 C-FEE-10 C-FEE-11 C-FEE-12",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { balance, linked, payment, stateOf } = yield* connected()
            const id = yield* linked()
            const ready = yield* payment(id)
            vendor.show(id, { status: "paid", amount_centavos: 12_549 })
            yield* advance(minuteMs)
            assert.deepStrictEqual(yield* payment(id), ready)
            vendor.show(id, { amount_centavos: 12_550, external_id: "pay_other" })
            yield* advance(dayMs - minuteMs - 40)
            assert.deepStrictEqual(yield* stateOf(id), ["link_generated", "held"])
            yield* advance(20)
            assert.deepStrictEqual(yield* stateOf(id), ["link_generated", "unresolved"])
            const [, aside] = yield* balance
            vendor.show(id, { external_id: id })
            yield* advance(hourMs)
            assert.deepStrictEqual(yield* stateOf(id), ["paid", "settled"])
            assert.isBelow(Number((yield* balance)[1]), Number(aside))
            assert.deepStrictEqual(yield* apart, [])
          })
        )
    )

    it.effect(
      "are cancelled at the provider, which counts once it is confirmed C-PCAN-03 C-PCAN-04 C-PCAN-11 C-FEE-08 C-FEE-19",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { cancel, events, linked, payment, stateOf } = yield* connected()
            const id = yield* linked()
            const ready = yield* payment(id)
            vendor.confirmsCancels = false
            const first = yield* cancel(id, {}, { idempotencyKey: `cancel ${id}` })
            assert.deepStrictEqual([first.status, first.body], [200, ready])
            assert.deepStrictEqual((yield* cancel(id)).body, ready)
            yield* turnBy(10)
            assert.strictEqual(vendor.count("cancel", id), 1)
            assert.deepStrictEqual(yield* stateOf(id), ["link_generated", "held"])
            yield* advance(minuteMs)
            assert.strictEqual(vendor.count("cancel", id), 1)
            vendor.show(id, { status: "cancelled" })
            yield* advance(5 * minuteMs)
            assert.deepStrictEqual(yield* stateOf(id), ["cancelled", "released"])
            const event = (yield* events(id)).at(-1)
            assert.deepStrictEqual([event.type, event.data.operation], ["payment.cancelled", "cancel"])
            assert.strictEqual((yield* cancel(id, {}, { idempotencyKey: `cancel ${id}` })).text, first.text)
            assert.strictEqual((yield* cancel(id)).body.status, "cancelled")
            assert.deepStrictEqual(yield* apart, [])
          })
        )
    )

    it.effect("keep the fee held while a cancel has no answer, and the cancel is sent again C-PCAN-09", () =>
      testedBy(
        Effect.gen(function* () {
          const { cancel, linked, stateOf } = yield* connected()
          const id = yield* linked()
          vendor.lost.set("cancel", "before")
          vendor.lost.set("read", "before")
          yield* cancel(id)
          yield* turnBy(10)
          yield* advance(minuteMs)
          assert.deepStrictEqual(yield* stateOf(id), ["link_generated", "held"])
          assert.isAtLeast(vendor.count("cancel", id), 2)
          vendor.lost.clear()
          yield* advance(5 * minuteMs)
          assert.deepStrictEqual(yield* stateOf(id), ["cancelled", "released"])
          // A cancel whose response was lost is read, and counts.
          const other = yield* linked()
          vendor.lost.set("cancel", "after")
          yield* cancel(other)
          yield* turnBy(10)
          assert.deepStrictEqual(yield* stateOf(other), ["cancelled", "released"])
          assert.deepStrictEqual(yield* apart, [])
        })
      )
    )

    it.effect(
      "that were paid meanwhile end as paid despite a cancel C-PCAN-10; a refused cancel may be requested again",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { cancel, linked, stateOf } = yield* connected()
            const id = yield* linked()
            vendor.refuses.add("cancel")
            vendor.show(id, { status: "paid" })
            yield* cancel(id)
            yield* turnBy(10)
            assert.deepStrictEqual(yield* stateOf(id), ["paid", "settled"])
            const other = yield* linked()
            yield* cancel(other)
            yield* turnBy(10)
            assert.deepStrictEqual(yield* stateOf(other), ["link_generated", "held"])
            vendor.refuses.clear()
            yield* cancel(other)
            yield* turnBy(10)
            assert.deepStrictEqual(yield* stateOf(other), ["cancelled", "released"])
            assert.strictEqual(vendor.count("cancel", other), 2)
          })
        )
    )

    it.effect("are approved at the provider, which counts when it shows so C-PAY-09 C-PAY-12 C-PAY-32", () =>
      testedBy(
        Effect.gen(function* () {
          const { cancel, linked, payment, requestApproval, stateOf, types } = yield* connected()
          const id = yield* linked()
          vendor.lost.set("approve", "after")
          const asked = yield* requestApproval(id, { note: "Please" })
          assert.deepInclude(asked.body, { status: "approval_requested", provider_approval_id: null })
          yield* turnBy(10)
          assert.isNull((yield* payment(id)).provider_approval_id)
          vendor.lost.clear()
          yield* advance(minuteMs)
          assert.strictEqual((yield* payment(id)).provider_approval_id, `apr_${id}:approval`)
          vendor.show(id, { status: "approved" })
          yield* advance(5 * minuteMs)
          const approved = yield* payment(id)
          assert.strictEqual(approved.status, "approved")
          assert.isNotNull(approved.approved_at)
          assert.lengthOf(yield* types(id), 3)
          // Both may be cancelled too.
          yield* cancel(id)
          yield* turnBy(10)
          assert.deepStrictEqual(yield* stateOf(id), ["cancelled", "released"])
          // The provider may approve without a request.
          vendor.made = { status: "approved" }
          const other = yield* linked()
          yield* advance(10)
          assert.strictEqual((yield* payment(other)).status, "approved")
          vendor.show(other, { status: "paid" })
          yield* advance(minuteMs)
          assert.deepStrictEqual(yield* stateOf(other), ["paid", "settled"])
        })
      )
    )

    it.effect("cannot be cancelled or approved at the first provider C-PCAN-07 C-PAY-07", () =>
      testedBy(
        Effect.gen(function* () {
          const { cancel, create, linked, payment, requestApproval } = yield* connected("pixprov1")
          const id = yield* linked({ provider_options: { pixprov1: { expires_in_seconds: 600 } } })
          assert.deepInclude(yield* payment(id), { provider: "pixprov1", status: "link_generated" })
          assert.deepStrictEqual(refusalOf(yield* cancel(id)).slice(0, 2), [400, "payment_cancellation_unsupported"])
          assert.deepStrictEqual(refusalOf(yield* requestApproval(id)).slice(0, 2), [
            400,
            "payment_approval_unsupported"
          ])
          assert.deepStrictEqual(refusalOf(yield* create({ provider_options: { pixprov2: {} } })), [
            400,
            "invalid_payment_request",
            "provider_options.pixprov2"
          ])
        })
      )
    )

    it.effect(
      'are looked up 1, 5, 15 and 60 minutes after the last doubt, then each hour, after a week each day gaps-3 C "Recovery schedule"',
      () =>
        testedBy(
          Effect.gen(function* () {
            const { linked } = yield* connected()
            const id = yield* linked()
            const sql = yield* SqlClient.SqlClient
            const [row] = yield* sql<{ readonly at: Date }>`select link_generated_at as at from payment_requests
              where id = ${id}`
            const since = Number(row?.at ?? 0)
            const looksAt: Array<number> = []
            for (let n = 0; n < 7; n++) {
              const [due] = yield* sql<{ readonly due_at: Date }>`select due_at from payment_requests where id = ${id}`
              const at = Number(due?.due_at ?? 0)
              looksAt.push((at - since) / minuteMs)
              yield* advance(at - (yield* Clock.currentTimeMillis))
            }
            assert.deepStrictEqual(looksAt.slice(0, 4), [1, 5, 15, 60])
            assert.deepStrictEqual(
              looksAt.slice(4).map((at) => Math.floor(at / 60)),
              [2, 3, 4]
            )
            vendor.show(id, { status: "paid" })
            yield* advance(hourMs)
          })
        )
    )

    it.effect(
      "a balance that does not cover the fees refuses and leaves nothing; of two that together exceed it one is refused C-FEE-22 C-FEE-23 C-FEE-25 C-FEE-26 C-FEE-27 C-FEE-28 C-FEE-30 C-ERR-09",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { acme, balance, create, get, payment, cancel } = yield* connected()
            const {
              acme: { production }
            } = yield* Api
            const sql = yield* SqlClient.SqlClient
            const settled = (yield* create()).body.id
            yield* turnBy(10)
            vendor.show(settled, { status: "paid" })
            yield* advance(minuteMs)
            const [wallet] = yield* sql<{ readonly balance: number }>`select balance from wallets
              where account_id = ${acme.organization_id}`
            const counts = sql`select (select count(*) from payment_requests) as payments,
              (select count(*) from ledger_entries) as entries, (select count(*) from reservations) as reservations,
              (select count(*) from outbox_events) as events, (select count(*) from idempotency_records) as keys`
            yield* correct(acme.organization_id, "debit", (wallet?.balance ?? 0) - 4900 - 12_550 + 1)
            const before = yield* counts
            const short = yield* create({}, { idempotencyKey: "short" })
            assert.deepStrictEqual(refusalOf(short).slice(0, 2), [402, "insufficient_balance"])
            assert.strictEqual(short.body.error.type, "payment_required")
            assert.deepStrictEqual(short.body.error.feedback, { endpoint: "/v1/feedback", method: "POST" })
            assert.deepStrictEqual(yield* counts, before)
            yield* correct(acme.organization_id, "credit", 1)
            const both = yield* Effect.all([create({}, { idempotencyKey: "short" }), create()], { concurrency: 2 })
            assert.deepStrictEqual(both.map(({ status }) => status).sort(), [201, 402])
            assert.strictEqual((yield* balance)[0], "0.0000")
            // No credit is left: the key is blocked before any other check; reads and cancels are not.
            const blocked = yield* create()
            assert.deepStrictEqual(refusalOf(blocked).slice(0, 2), [402, "credit_balance_exhausted"])
            assert.deepStrictEqual([blocked.body.error.retryable, blocked.body.error.feedback], [false, undefined])
            assert.strictEqual((yield* get("/v1/payments")).status, 200)
            assert.strictEqual((yield* cancel(settled)).status, 200)
            assert.strictEqual((yield* payment(settled)).environment, "production")
            assert.isString(production.id)
            yield* correct(acme.organization_id, "credit", 1000_0000)
            assert.deepStrictEqual(yield* apart, [])
          })
        )
    )

    it.effect(
      "a sandbox calls nobody, whatever it is connected to, and says which provider it emulates C-PAY-34 C-PAY-36 C-PAY-37 C-ERR-13",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { cancel, create, get, payment, requestApproval, setStatus } = yield* paying("sandbox")
            const { acme, get: getAs } = yield* Api
            const channel = Effect.map(get("/v1/provider-connections/status"), ({ body }) => body.channels.payments)
            assert.strictEqual((yield* channel).active_mode, "sandbox")
            const connection = yield* connect("pixprov2", "sandbox")
            assert.strictEqual((yield* channel).active_mode, "pixprov2")
            const { key: bare } = yield* seedKey(acme.sandbox, { scopes: ["payments:write"] })
            const refused = yield* getAs("/v1/provider-connections/status", { key: bare })
            assert.deepStrictEqual(refusalOf(refused).slice(0, 2), [403, "insufficient_scope"])
            const before = vendor.asked.length
            const { id } = (yield* create({ provider_options: { pixprov2: { mode: "hosted_checkout" } } })).body
            yield* turnBy(500)
            const ready = yield* payment(id)
            assert.deepInclude(ready, {
              status: "link_generated",
              provider: "pixprov2",
              provider_connection_id: connection
            })
            yield* requestApproval(id)
            yield* cancel(id)
            yield* turnBy(500)
            assert.strictEqual((yield* payment(id)).status, "cancelled")
            const paid = (yield* create()).body.id
            yield* setStatus(paid, { status: "paid" })
            yield* turnBy(500)
            assert.strictEqual(vendor.asked.length, before)
          })
        )
    )

    it.effect('a project\'s cap refuses once the initiation fee would exceed it gaps-3 D "Spend cap and fees"', () =>
      testedBy(
        Effect.gen(function* () {
          const { acme, create } = yield* connected()
          const sql = yield* SqlClient.SqlClient
          const [spent] = yield* sql<{ readonly spent: number }>`select coalesce(sum(spent), 0)::int8 as spent
            from project_spending where project_id = ${acme.project.id}
            and month = to_char(${new Date(yield* Clock.currentTimeMillis)}::timestamptz at time zone 'utc', 'YYYY-MM')`
          const cap = (amount: number | null) =>
            sql`update projects set monthly_spend_cap = ${amount} where id = ${acme.project.id}`
          yield* cap((spent?.spent ?? 0) + 4899)
          assert.deepStrictEqual(refusalOf(yield* create()).slice(0, 2), [402, "spend_limit_exceeded"])
          yield* cap((spent?.spent ?? 0) + 4900)
          assert.strictEqual((yield* create()).status, 201)
          yield* cap(null)
        })
      )
    )

    it.effect(
      "fees that cannot be read refuse, in sandbox and production, and nothing is left behind C-FEE-24 C-FEE-25 C-FEE-26 C-ERR-10",
      () =>
        testedBy(
          Effect.gen(function* () {
            const { create } = yield* connected()
            const sandbox = yield* paying("sandbox")
            const sql = yield* SqlClient.SqlClient
            const before = yield* sql`select count(*) from payment_requests`
            yield* sql`update rate_cards set effective_to = effective_from + interval '1 second'`
            for (const answer of [yield* create({}, { idempotencyKey: "fees" }), yield* sandbox.create()]) {
              assert.deepStrictEqual(refusalOf(answer).slice(0, 2), [503, "payment_fee_pricing_unavailable"])
              assert.strictEqual(answer.body.error.feedback?.endpoint, "/v1/feedback")
            }
            assert.deepStrictEqual(yield* sql`select count(*) from payment_requests`, before)
            yield* sql`update rate_cards set effective_to = null`
            const accepted = yield* create({}, { idempotencyKey: "fees" })
            assert.strictEqual(accepted.status, 201)
            // Later prices do not change an accepted payment. C-FEE-13
            yield* sql`update rate_card_entries set unit_price = 9900 where meter_id = 'payment.initiation'`
            const read = yield* (yield* paying("production")).payment(accepted.body.id)
            assert.strictEqual(read.fees.initiation.amount_brl, "0.4900")
            yield* sql`update rate_card_entries set unit_price = 4900 where meter_id = 'payment.initiation'`
            assert.deepStrictEqual(yield* apart, [])
          })
        )
    )
  }
)

/** Does what a provider's webhook does, whose route has tests of its own. */
const hinted = Effect.fnUntraced(function* (
  id: string,
  { provider_connection_id, status }: { readonly provider_connection_id: string; readonly status: string }
) {
  const { acme } = yield* Api
  const at = yield* Clock.currentTimeMillis
  const row = hintPaymentRequest.row({
    environment_id: acme.production.id,
    id,
    provider_connection_id,
    at,
    event_id: `evt_${at}`,
    event_type: "checkout.updated",
    told_status: status,
    told_at: at
  })
  yield* (yield* Commit).write([row])
  ;(yield* PaymentWorker.client).wake(acme.production.id)
})
