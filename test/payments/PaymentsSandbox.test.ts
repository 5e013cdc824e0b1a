import { sealBody } from "@carteiro/owners/Idempotency.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedKey } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { advance, apart, everything, paying, refusalOf } from "./PaymentsStage.ts"

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Payments in a sandbox", (it) => {
  it.effect(
    "a payment is accepted as link_pending with its fees, and shown with every member C-PAY-01..17 C-PAY-22 C-PAY-23 C-PAY-31 C-PAY-33 C-FEE-02..04 C-FEE-13..16 C-FEE-29",
    () =>
      Effect.gen(function* () {
        const { balance, create, get, ledger, payment } = yield* paying("sandbox")
        const before = yield* balance
        const created = yield* create(everything)
        assert.strictEqual(created.status, 201, created.text)
        const { created_at, fees, id, trace_id, ...rest } = created.body
        assert.match(id, /^pay_[0-9a-z]{26}$/)
        assert.strictEqual(created.headers["svc-trace-id"], trace_id)
        assert.deepStrictEqual(rest, {
          object: "payment_request",
          status: "link_pending",
          environment: "sandbox",
          amount_brl: "125.5000",
          currency: "BRL",
          ...everything,
          payment_link_url: null,
          pix_copy_paste: null,
          pix_qr_code_base64: null,
          provider: "pixprov1",
          provider_connection_id: null,
          provider_payment_id: null,
          provider_approval_id: null,
          provider_metadata: null,
          updated_at: created_at,
          link_generated_at: null,
          approval_requested_at: null,
          approved_at: null,
          paid_at: null,
          failed_at: null,
          expired_at: null,
          cancelled_at: null
        })
        assert.deepStrictEqual(fees, {
          simulated: true,
          rate_card_id: "rct_2026_01",
          initiation: { amount_brl: "0.4900", reservation_id: fees.initiation.reservation_id },
          completion: {
            rate: "0.01",
            amount_brl: "1.2550",
            state: "held",
            reservation_id: fees.completion.reservation_id
          }
        })
        assert.deepStrictEqual(yield* balance, before)
        const read = yield* payment(id)
        assert.deepStrictEqual(read, created.body)
        const listed = (yield* get("/v1/payments?status=link_pending&limit=1")).body.data
        assert.deepStrictEqual(listed, [created.body])
        const entries = (yield* ledger("&environment=sandbox")).filter(
          (entry: { payment_fee: { id: string } | null }) => entry.payment_fee?.id === id
        )
        assert.deepStrictEqual(
          entries.map(({ amount_brl, payment_fee, trace_id, type }: Record<string, unknown>) => ({
            type,
            amount_brl,
            payment_fee,
            trace_id
          })),
          [
            {
              type: "hold",
              amount_brl: "1.2550",
              payment_fee: { object: "payment_request", id, reservation_id: fees.completion.reservation_id },
              trace_id
            },
            {
              type: "debit",
              amount_brl: "0.4900",
              payment_fee: { object: "payment_request", id, reservation_id: fees.initiation.reservation_id },
              trace_id
            }
          ]
        )
        const { acme, get: getAs, other } = yield* Api
        for (const key of [other.sandbox.key, acme.production.key]) {
          const foreign = yield* getAs(`/v1/payments/${id}`, { key })
          assert.deepStrictEqual([foreign.status, foreign.body.error.code], [404, "payment_not_found"])
        }
        assert.deepStrictEqual(yield* apart, [])
      })
  )

  it.effect(
    "its link is made half a second later, and both names of that event are raised C-PAY-15 C-PAY-24 C-PEVT-03",
    () =>
      Effect.gen(function* () {
        const { create, events, payment } = yield* paying("sandbox")
        const { id } = (yield* create(everything)).body
        yield* turnBy(499)
        assert.strictEqual((yield* payment(id)).status, "link_pending")
        yield* turnBy(1)
        const linked = yield* payment(id)
        assert.deepInclude(linked, { status: "link_generated", provider_payment_id: `sbpay_${id.slice(4)}` })
        assert.match(linked.payment_link_url, /\/sandbox\/pay\/[\w-]{43}$/)
        assert.deepStrictEqual((yield* events(id)).map(({ type }: { type: string }) => type).sort(), [
          "payment.approval_available",
          "payment.created",
          "payment.link_generated"
        ])
        assert.deepStrictEqual(yield* apart, [])
      })
  )

  it.effect(
    "bodies that break the contract are refused, each by its field C-PAY-16..23 C-PAY-35 C-ERR-11 C-LIM-03 C-LIM-04",
    () =>
      Effect.gen(function* () {
        const { create } = yield* paying("sandbox")
        const bad: ReadonlyArray<readonly [string, object]> = [
          ["amount_brl_centavos", { amount_brl_centavos: undefined }],
          ["amount_brl_centavos", { amount_brl_centavos: 99 }],
          ["amount_brl_centavos", { amount_brl_centavos: 100_000_000 }],
          ["amount_brl_centavos", { amount_brl_centavos: "12550" }],
          ["amount_brl_centavos", { amount_brl_centavos: 125.5 }],
          ["description", { description: "" }],
          ["description", { description: " " }],
          ["description", { description: "x".repeat(501) }],
          ["customer_name", { customer_name: "" }],
          ["customer_name", { customer_name: "x".repeat(256) }],
          ["customer_tax_id", { customer_tax_id: "123456789" }],
          ["customer_tax_id", { customer_tax_id: "123456789012" }],
          ["customer_tax_id", { customer_tax_id: "123.456.789-09" }],
          ["customer_phone", { customer_phone: "5511912345678" }],
          ["customer_phone", { customer_phone: "+1234567" }],
          ["customer_phone", { customer_phone: "+1234567890123456" }],
          ["customer_email", { customer_email: "ana" }],
          ["customer_email", { customer_email: "ana@localhost" }],
          ["customer_email", { customer_email: "a na@example.com" }],
          ["customer_email", { customer_email: "a@b@example.com" }],
          ["customer_email", { customer_email: `${"x".repeat(65)}@example.com` }],
          ["customer_email", { customer_email: `a@${"x".repeat(250)}.com` }],
          ["external_reference", { external_reference: "" }],
          ["external_reference", { external_reference: "x".repeat(256) }],
          ["metadata", { metadata: "x" }],
          ["metadata", { metadata: { ["x".repeat(65)]: 1 } }],
          ["provider_options", { provider_options: "x" }],
          ["provider_options.other", { provider_options: { other: {} } }],
          ["provider_options", { provider_options: { pixprov1: {}, pixprov2: {} } }],
          ["provider_options.pixprov2.mode", { provider_options: { pixprov2: { mode: "page" } } }],
          [
            "provider_options.pixprov2.success_url",
            { provider_options: { pixprov2: { success_url: "http://x.example" } } }
          ],
          [
            "provider_options.pixprov2.success_url",
            { provider_options: { pixprov2: { success_url: `https://x.example/${"x".repeat(2048)}` } } }
          ],
          // Control characters are refused in every string. gaps-1 A "String rules"
          [
            "provider_options.pixprov2.success_url",
            { provider_options: { pixprov2: { success_url: "https://x.example/\u0000" } } }
          ],
          [
            "provider_options.pixprov2.success_url",
            { provider_options: { pixprov2: { success_url: "https://x.example/\u007f" } } }
          ],
          ["provider_options.pixprov1.mode", { provider_options: { pixprov1: { mode: "hosted_checkout" } } }],
          [
            "provider_options.pixprov1.expires_in_seconds",
            { provider_options: { pixprov1: { expires_in_seconds: 299 } } }
          ],
          [
            "provider_options.pixprov1.expires_in_seconds",
            { provider_options: { pixprov1: { expires_in_seconds: 2_592_001 } } }
          ],
          // A sandbox without a connection knows nothing of the other provider. C-PAY-35
          ["provider_options.pixprov2", { provider_options: { pixprov2: {} } }],
          ["other", { other: 1 }]
        ]
        for (const [param, more] of bad) {
          assert.deepStrictEqual(
            refusalOf(yield* create(more)),
            [400, "invalid_payment_request", param],
            JSON.stringify(more)
          )
        }
        const widest = {
          description: "x".repeat(500),
          customer_name: "x".repeat(255),
          customer_tax_id: "12345678000199",
          customer_phone: "+123456789012345",
          customer_email: `${"x".repeat(64)}@${"y".repeat(60)}.${"z".repeat(60)}.${"w".repeat(60)}.com`,
          external_reference: "x".repeat(255),
          metadata: {}
        }
        const accepted = yield* create({
          ...widest,
          amount_brl_centavos: 99_999_999,
          provider_options: { pixprov1: { expires_in_seconds: 300 } }
        })
        assert.deepInclude(accepted.body, { ...widest, amount_brl: "999999.9900" })
        const bare = yield* create({ amount_brl_centavos: 100, customer_email: "", description: null, metadata: null })
        assert.deepInclude(bare.body, { amount_brl: "1.0000", customer_email: null, description: null, metadata: null })
      })
  )

  it.effect("the list pages and filters, and refuses what it does not know C-PAY-30 C-LIM-02", () =>
    Effect.gen(function* () {
      const { create, get, setStatus } = yield* paying("sandbox")
      const first = (yield* create()).body.id
      const second = (yield* create()).body.id
      yield* setStatus(first, { status: "expired" })
      const page = (yield* get("/v1/payments?limit=1")).body
      assert.deepStrictEqual([page.data[0].id, page.has_more], [second, true])
      const next = (yield* get(`/v1/payments?limit=1&starting_after=${page.next_cursor}`)).body
      assert.strictEqual(next.data[0].id, first)
      const expired = (yield* get("/v1/payments?status=expired")).body.data
      assert.strictEqual(expired[0].id, first)
      for (const { status } of expired) assert.strictEqual(status, "expired")
      const bad: ReadonlyArray<readonly [string, string]> = [
        ["limit=0", "limit"],
        ["limit=101", "limit"],
        ["status=settled", "status"],
        ["other=1", "other"]
      ]
      for (const [query, param] of bad) {
        assert.deepStrictEqual(refusalOf(yield* get(`/v1/payments?${query}`)), [400, "invalid_payments_query", param])
      }
    })
  )

  it.effect(
    "any payment that has not ended is ended as requested, and an ended one does not change C-PSBX-01..07 C-PAY-26 C-PAY-29 C-FEE-07 C-FEE-08 C-FEE-17",
    () =>
      Effect.gen(function* () {
        const { balance, create, events, payment, setStatus } = yield* paying("sandbox")
        const before = yield* balance
        for (const status of ["paid", "failed", "expired", "cancelled"] as const) {
          const { id } = (yield* create()).body
          const given = { status, provider_event_id: `event of ${status}`, metadata: { why: status } }
          const ended = yield* setStatus(id, given)
          assert.deepStrictEqual([ended.status, ended.body.status], [200, status])
          assert.isNotNull(ended.body[`${status}_at`])
          assert.deepStrictEqual(ended.body.provider_metadata, { sandbox: { why: status } })
          assert.strictEqual(ended.body.fees.completion.state, status === "paid" ? "settled" : "released")
          assert.deepStrictEqual(yield* payment(id), ended.body)
          // Its link was due now. C-PAY-29
          yield* turnBy(600)
          assert.deepStrictEqual(yield* payment(id), ended.body)
          const [, event, ...more] = yield* events(id)
          assert.deepStrictEqual(more, [])
          assert.strictEqual(event.type, `payment.${status}`)
          assert.deepInclude(event.data, {
            status,
            operation: "sandbox_status",
            provider_event_id: `event of ${status}`,
            sandbox_simulator: true,
            payment_link_url: null
          })
          assert.notProperty(event.data, "sandbox_pay_page")
          assert.deepStrictEqual((yield* setStatus(id, { status })).body, ended.body)
          const other = status === "paid" ? "failed" : "paid"
          assert.deepStrictEqual(refusalOf(yield* setStatus(id, { status: other })).slice(0, 2), [
            409,
            "payment_already_terminal"
          ])
          assert.lengthOf(yield* events(id), 2)
        }
        assert.deepStrictEqual(yield* balance, before)
        assert.deepStrictEqual(yield* apart, [])
      })
  )

  it.effect("bodies of the status route, who may, and where C-PSBX-01 C-PSBX-02 C-PSBX-03 C-PSBX-04 C-LIM-05", () =>
    Effect.gen(function* () {
      const { create, events, setStatus } = yield* paying("sandbox")
      const { acme, post } = yield* Api
      const { id } = (yield* create()).body
      const bad: ReadonlyArray<readonly [string, object]> = [
        ["status", {}],
        ["status", { status: "link_generated" }],
        ["provider_event_id", { status: "paid", provider_event_id: "" }],
        ["provider_event_id", { status: "paid", provider_event_id: "x".repeat(256) }],
        ["metadata", { status: "paid", metadata: [] }],
        ["note", { status: "paid", note: "x" }]
      ]
      for (const [param, body] of bad) {
        assert.deepStrictEqual(refusalOf(yield* setStatus(id, body)), [400, "invalid_payment_request", param])
      }
      const path = `/v1/sandbox/payments/${id}/status`
      const live = yield* post(path, { status: "paid" }, { key: acme.production.key })
      assert.deepStrictEqual(refusalOf(live).slice(0, 2), [400, "sandbox_only_route"])
      const { key } = yield* seedKey(acme.sandbox, { scopes: ["payments:write"] })
      assert.strictEqual((yield* post(path, { status: "paid" }, { key })).body.error.code, "insufficient_scope")
      yield* setStatus(id, { status: "paid", provider_event_id: "x".repeat(255) })
      assert.strictEqual((yield* events(id))[1].data.provider_event_id, "x".repeat(255))
      const other = (yield* create()).body.id
      yield* setStatus(other, { status: "paid" })
      assert.match((yield* events(other))[1].data.provider_event_id, /^sbevt_[0-9a-z]{26}$/)
    })
  )

  it.effect(
    "a cancel returns the payment unchanged and is confirmed half a second later C-ERR-12 C-PCAN-01..06 C-PCAN-11 C-FEE-08",
    () =>
      Effect.gen(function* () {
        const { acme, cancel, create, events, payment } = yield* paying("sandbox")
        const { post } = yield* Api
        const { id } = (yield* create()).body
        assert.deepStrictEqual(refusalOf(yield* cancel(id)).slice(0, 2), [409, "payment_link_not_ready"])
        yield* turnBy(500)
        const linked = yield* payment(id)
        for (const body of [{ reason: "x" }, [], '"x"', "null", "7"]) {
          const { body: refused, status } = yield* cancel(id, body)
          assert.deepStrictEqual([status, refused.error.code], [400, "invalid_payment_request"], JSON.stringify(body))
        }
        const { key: reads } = yield* seedKey(acme.sandbox, { scopes: ["payments:read"] })
        const refused = yield* post(`/v1/payments/${id}/cancel`, {}, { key: reads })
        assert.strictEqual(refused.body.error.code, "insufficient_scope")
        const first = yield* cancel(id, {}, { idempotencyKey: "cancel-1" })
        assert.deepStrictEqual([first.status, first.body], [200, linked])
        yield* turnBy(300)
        // A second cancel changes nothing: the first is confirmed at its time.
        assert.deepStrictEqual((yield* cancel(id, undefined)).body, linked)
        yield* turnBy(200)
        const cancelled = yield* payment(id)
        assert.deepInclude(cancelled, { status: "cancelled", paid_at: null })
        assert.strictEqual(cancelled.fees.completion.state, "released")
        assert.isNotNull(cancelled.cancelled_at)
        const event = (yield* events(id)).at(-1)
        assert.deepStrictEqual([event.type, event.data.operation], ["payment.cancelled", "cancel"])
        assert.strictEqual((yield* cancel(id, {}, { idempotencyKey: "cancel-1" })).text, first.text)
        // A cancel of an ended payment does nothing and is not refused. C-PCAN-05
        assert.deepStrictEqual((yield* cancel(id)).body, cancelled)
        const raced = (yield* create()).body.id
        yield* turnBy(500)
        yield* cancel(raced)
        yield* (yield* paying("sandbox")).setStatus(raced, { status: "paid" })
        yield* turnBy(600)
        assert.strictEqual((yield* payment(raced)).status, "paid")
        assert.deepStrictEqual(yield* apart, [])
      })
  )

  it.effect(
    "an approval is requested once, and given when the scenario says so C-PAY-12 C-PAY-32 C-LIM-03 C-PEVT-10 C-FEE-01",
    () =>
      Effect.gen(function* () {
        const { create, events, payment, requestApproval, setStatus } = yield* paying("sandbox")
        const { id } = (yield* create()).body
        assert.deepStrictEqual(refusalOf(yield* requestApproval(id)).slice(0, 2), [409, "payment_link_not_ready"])
        yield* turnBy(500)
        for (const [param, body] of [
          ["note", { note: "" }],
          ["note", { note: "x".repeat(501) }],
          ["metadata", { metadata: "x" }],
          ["other", { other: 1 }]
        ] as const) {
          assert.deepStrictEqual(refusalOf(yield* requestApproval(id, body)), [400, "invalid_payment_request", param])
        }
        const asked = yield* requestApproval(
          id,
          { note: "x".repeat(500), metadata: { a: 1 } },
          { idempotencyKey: "ap-1" }
        )
        assert.deepInclude(asked.body, {
          status: "approval_requested",
          provider_approval_id: `sbapr_${id.slice(4)}`,
          metadata: null,
          approved_at: null
        })
        assert.isNotNull(asked.body.approval_requested_at)
        assert.strictEqual(asked.body.fees.completion.state, "held")
        yield* turnBy(5000)
        assert.deepStrictEqual(yield* payment(id), asked.body)
        assert.deepStrictEqual((yield* requestApproval(id)).body, asked.body)
        const approving = (yield* create()).body.id
        yield* turnBy(500)
        yield* requestApproval(approving, { metadata: { sandbox_scenario: "approved" } })
        yield* turnBy(499)
        assert.strictEqual((yield* payment(approving)).status, "approval_requested")
        yield* turnBy(1)
        const approved = yield* payment(approving)
        assert.strictEqual(approved.status, "approved")
        assert.isNotNull(approved.approved_at)
        assert.deepStrictEqual((yield* requestApproval(approving)).body, approved)
        // From both, any outcome is possible, and neither has an event. C-PEVT-10
        yield* setStatus(id, { status: "paid" })
        yield* setStatus(approving, { status: "expired" })
        assert.deepStrictEqual(refusalOf(yield* requestApproval(id)).slice(0, 2), [409, "payment_already_terminal"])
        for (const one of [id, approving]) assert.lengthOf(yield* events(one), 4)
        assert.strictEqual(
          (yield* requestApproval(id, { note: "x".repeat(500), metadata: { a: 1 } }, { idempotencyKey: "ap-1" })).text,
          asked.text
        )
      })
  )

  it.effect("replays show fees as they were, and one that shows none stays without C-FEE-01 C-FEE-19 C-PSBX-01", () =>
    Effect.gen(function* () {
      const { create, payment, setStatus } = yield* paying("sandbox")
      const first = yield* create(everything, { idempotencyKey: "create-1" })
      yield* turnBy(500)
      yield* setStatus(first.body.id, { status: "paid" }, { idempotencyKey: "status-1" })
      const again = yield* create(everything, { idempotencyKey: "create-1" })
      assert.deepStrictEqual([again.status, again.text], [201, first.text])
      assert.strictEqual((yield* payment(first.body.id)).fees.completion.state, "settled")
      const other = yield* create({}, { idempotencyKey: "create-1" })
      assert.strictEqual(other.body.error.code, "idempotency_key_conflict")
      const replayed = yield* setStatus(first.body.id, { status: "paid" }, { idempotencyKey: "status-1" })
      assert.strictEqual(replayed.headers["svc-idempotent-replayed"], "true")
    })
  )

  it.effect('an unpaid payment expires: after a week, or at the requested time gaps-3 C "Expiry" C-FEE-12', () =>
    Effect.gen(function* () {
      const { create, events, payment } = yield* paying("sandbox")
      const long = (yield* create()).body.id
      const short = (yield* create({ provider_options: { pixprov1: { expires_in_seconds: 300 } } })).body.id
      yield* advance(299_980)
      assert.strictEqual((yield* payment(short)).status, "link_generated")
      yield* advance(20)
      const expired = yield* payment(short)
      assert.deepStrictEqual([expired.status, expired.fees.completion.state], ["expired", "released"])
      yield* advance(7 * 86_400_000 - 400_000)
      assert.strictEqual((yield* payment(long)).fees.completion.state, "held")
      yield* advance(100_000)
      assert.strictEqual((yield* payment(long)).status, "expired")
      assert.strictEqual((yield* events(long)).at(-1).type, "payment.expired")
      assert.deepStrictEqual(yield* apart, [])
    })
  )

  it.effect('scopes and the family that an owner switches off gaps-3 A "Feature families"', () =>
    Effect.gen(function* () {
      const { acme, cancel, create, get, id: environmentId, key, requestApproval, setStatus } = yield* paying("sandbox")
      const { get: getAs, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { key: writes } = yield* seedKey(acme.sandbox, { scopes: ["payments:write"] })
      const { key: reads } = yield* seedKey(acme.sandbox, { scopes: ["payments:read"] })
      const { id } = (yield* create()).body
      yield* turnBy(500)
      for (const path of ["/v1/payments", `/v1/payments/${id}`]) {
        assert.strictEqual((yield* getAs(path, { key: writes })).body.error.code, "insufficient_scope")
      }
      for (const path of ["/v1/payments", `/v1/payments/${id}/cancel`, `/v1/payments/${id}/request-approval`]) {
        assert.strictEqual((yield* post(path, {}, { key: reads })).body.error.code, "insufficient_scope")
      }
      yield* sql`update environments set capabilities_off = '["payments"]' where id = ${environmentId}`
      for (const refused of [yield* create(), yield* requestApproval(id)]) {
        assert.deepStrictEqual(refusalOf(refused).slice(0, 2), [403, "feature_disabled"])
      }
      const agentic = yield* post(
        "/v1/agentic/payments",
        { authorization_id: "aga_1", amount_brl_centavos: 100 },
        { key }
      )
      assert.strictEqual(agentic.body.error.code, "feature_disabled")
      assert.strictEqual((yield* get("/v1/payments")).status, 200)
      assert.strictEqual((yield* cancel(id)).status, 200)
      assert.strictEqual((yield* setStatus(id, { status: "paid" })).status, 200)
      yield* sql`update environments set capabilities_off = '[]' where id = ${environmentId}`
    })
  )

  it.effect("a payment from before fees shows none C-FEE-18 C-FEE-20 C-VER-03", () =>
    Effect.gen(function* () {
      const { create, events, id: environmentId, get, payment, setStatus } = yield* paying("sandbox")
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const first = yield* create({}, { idempotencyKey: "before fees" })
      const { fees, ...before } = first.body
      assert.isObject(fees)
      const [record] = yield* sql<{ readonly key_hash: string }>`select key_hash from idempotency_records
        where environment_id = ${environmentId} order by created_at desc limit 1`
      const body = sealBody(secrets, environmentId, record?.key_hash ?? "", JSON.stringify(before))
      yield* sql`update idempotency_records set response_body = ${body} where key_hash = ${record?.key_hash ?? ""}`
      const replayed = yield* create({}, { idempotencyKey: "before fees" })
      assert.deepStrictEqual([replayed.status, replayed.body], [201, before])

      const old = (yield* Ids).mint("pay", yield* Clock.currentTimeMillis)
      yield* sql`insert into payment_requests (environment_id, id, environment, account_id, status, amount, provider, mode,
          expires_in_seconds, trace_id, created_at, updated_at)
        select environment_id, ${old}, environment, account_id, 'link_pending', amount, provider, mode,
          expires_in_seconds, trace_id, created_at, updated_at from payment_requests where id = ${first.body.id}`
      assert.isNull((yield* payment(old)).fees)
      assert.isNull((yield* get("/v1/payments?limit=1")).body.data[0].fees)
      assert.deepInclude((yield* setStatus(old, { status: "paid" })).body, { status: "paid", fees: null })
      assert.lengthOf(yield* events(old), 1)
      assert.deepStrictEqual(yield* apart, [])
    })
  )
})
