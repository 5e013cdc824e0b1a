import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { NumberAccount, NumberCall } from "@carteiro/provider/NumberProvider.ts"
import { makeTelnyx } from "@carteiro/provider-telnyx/Telnyx.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { memoryCalls, watchedSockets } from "../support/ClientSockets.ts"
import { type StandAnswer, type StandRequest, vendorStand } from "../support/VendorStand.ts"
import { overSockets } from "../support/Vendors.ts"

const key = "KEY-test"

type Answers = Readonly<Record<string, StandAnswer | ((request: StandRequest) => StandAnswer)>>

/** The vendor by its routes; one that is not named answers 404. */
const stage = Effect.fnUntraced(function* (answers: Answers, url?: string) {
  const stand = yield* vendorStand((request) => {
    const answer = answers[`${request.method} ${request.path}`] ?? errorOf(404, {})
    return typeof answer === "function" ? answer(request) : answer
  })
  const provider = yield* overSockets(
    makeTelnyx({
      url: operatorUrl(url ?? stand.url),
      apiKey: Redacted.make(key),
      totalTimeoutMs: 1000,
      messagingProfileId: "profile-1",
      requirementGroupId: "group-1"
    })
  )
  const account = provider.platform ?? assert.fail("no account")
  return { account, provider, received: stand.received }
})

const errorOf = (status: number, error: object, headers: Readonly<Record<string, string>> = {}): StandAnswer => ({
  status,
  headers,
  body: { errors: [{ code: "10000", title: "refused", ...error }] }
})

const page = (data: ReadonlyArray<object>, page_number = 1, total_pages = 1): StandAnswer => ({
  body: { data, meta: { page_number, total_pages, page_size: 100, total_results: data.length } }
})

const numberOf = (phone_number: string, ...features: ReadonlyArray<string>) => ({
  record_type: "available_phone_number",
  phone_number,
  features: features.map((name) => ({ name })),
  cost_information: { currency: "BRL", monthly_cost: "12.5", upfront_cost: "0.0" }
})

const orderOf = (more: object = {}) => ({
  id: "12ade33a",
  record_type: "number_order",
  status: "pending",
  customer_reference: "pno_1",
  phone_numbers: [{ id: "dc8e4d67", phone_number: "+5511999990001", status: "pending" }],
  ...more
})

const placed = (account: NumberAccount, external_id = "pno_1") => account.order({ external_id, ddd: "11" })

const search = "GET /v2/available_phone_numbers"
const orders = "POST /v2/number_orders"
const stock = { body: { data: [numberOf("+5511999990001", "sms", "voice")] } }

describe("an order at Telnyx", () => {
  it.live("asks for one number that receives text messages, under our id", () =>
    Effect.gen(function* () {
      const { account, received } = yield* stage({ [search]: stock, [orders]: { body: { data: orderOf() } } })
      assert.deepStrictEqual(yield* placed(account), {
        _tag: "Done",
        value: {
          id: "12ade33a",
          external_id: "pno_1",
          status: "pending",
          number: "+5511999990001",
          number_id: "+5511999990001",
          error: null
        }
      })
      const [searched, ordered] = received
      assert.deepStrictEqual(Object.fromEntries(searched?.query ?? []), {
        "filter[country_code]": "BR",
        "filter[national_destination_code]": "11",
        "filter[limit]": "20",
        "filter[features]": "sms"
      })
      assert.strictEqual(ordered?.headers.authorization, `Bearer ${key}`)
      assert.deepStrictEqual(JSON.parse(String(ordered?.body)), {
        phone_numbers: [{ phone_number: "+5511999990001", requirement_group_id: "group-1" }],
        customer_reference: "pno_1",
        messaging_profile_id: "profile-1"
      })
    }).pipe(Effect.scoped)
  )

  it.live("an area code whose numbers take calls only is refused before anything is bought", () =>
    Effect.gen(function* () {
      // The filter is a hint: numbers that it let through are looked at again.
      for (const filtered of [[], [numberOf("+5511999990002", "voice")]]) {
        const { account, received } = yield* stage({
          [search]: ({ query }) => ({
            body: { data: query.has("filter[features]") ? filtered : [numberOf("+5511999990002", "voice")] }
          })
        })
        assert.deepStrictEqual(yield* placed(account), { _tag: "Refused", code: "calls_only" })
        assert.isFalse(received.some(({ method }) => method === "POST"))
      }
      const { account } = yield* stage({ [search]: { body: { data: [numberOf("+5521999990002", "sms")] } } })
      assert.deepStrictEqual(yield* placed(account), { _tag: "Refused", code: "no_inventory" })
    }).pipe(Effect.scoped)
  )

  it.live("a refusal that placed nothing may be repeated, any other doubt is unknown", () =>
    Effect.gen(function* () {
      const expected: ReadonlyArray<readonly [StandAnswer, NumberCall<never>]> = [
        ["lost", { _tag: "Unknown", retry_after_ms: null }],
        [errorOf(500, {}), { _tag: "Unknown", retry_after_ms: null }],
        [errorOf(409, {}), { _tag: "Unknown", retry_after_ms: null }],
        [{ body: { data: { id: "x" } } }, { _tag: "Unknown", retry_after_ms: null }],
        [errorOf(429, {}, { "retry-after": "7" }), { _tag: "Refused", code: "busy" }],
        [errorOf(401, {}), { _tag: "Refused", code: "credentials_invalid" }],
        [errorOf(403, {}), { _tag: "Refused", code: "account_suspended" }],
        [errorOf(422, { source: { pointer: "/phone_numbers/0" } }), { _tag: "Refused", code: "number_unavailable" }],
        [errorOf(422, { source: { parameter: "phone_numbers" } }), { _tag: "Refused", code: "number_unavailable" }],
        [errorOf(422, {}), { _tag: "Refused", code: "refused" }]
      ]
      for (const [answer, judged] of expected) {
        const { account, received } = yield* stage({ [search]: stock, [orders]: answer })
        assert.deepStrictEqual(yield* placed(account), judged, JSON.stringify(answer))
        assert.strictEqual(received.filter(({ method }) => method === "POST").length, 1, "the client repeats no call")
      }
      const lost = yield* stage({ [search]: errorOf(503, {}) })
      assert.deepStrictEqual(yield* placed(lost.account), { _tag: "Refused", code: "unreachable" })
      const nowhere = yield* stage({}, "http://127.0.0.1:9")
      assert.deepStrictEqual(yield* placed(nowhere.account), { _tag: "Refused", code: "unreachable" })
    }).pipe(Effect.scoped)
  )

  it.live("is found by our id alone, and an answer that proves nothing leaves it unknown", () =>
    Effect.gen(function* () {
      const list = "GET /v2/number_orders"
      const listed = (answer: StandAnswer) =>
        Effect.flatMap(stage({ [list]: answer }), ({ account, received }) =>
          Effect.map(account.findOrder("pno_1"), (call) => ({ call, received }))
        )
      const { call, received } = yield* listed(
        page([orderOf({ customer_reference: "pno_1.2", id: "b" }), orderOf({ status: "success", id: "a" })])
      )
      assert.deepInclude(call._tag === "Done" && call.value, { id: "a", status: "active", external_id: "pno_1" })
      assert.strictEqual(received[0]?.query.get("filter[customer_reference]"), "pno_1")
      assert.deepStrictEqual((yield* listed(page([]))).call, { _tag: "Done", value: null })
      const others = [orderOf({ customer_reference: "pno_12" })]
      assert.deepStrictEqual((yield* listed(page(others))).call, { _tag: "Done", value: null })
      for (const answer of [page(others, 1, 2), errorOf(500, {}), { body: {} }, "lost"] as const) {
        assert.deepStrictEqual((yield* listed(answer)).call, { _tag: "Unknown", retry_after_ms: null })
      }
    }).pipe(Effect.scoped)
  )

  it.live("is read by the vendor's id, and a failed one says so", () =>
    Effect.gen(function* () {
      const { account } = yield* stage({
        "GET /v2/number_orders/12ade33a": { body: { data: orderOf({ status: "failure" }) } }
      })
      const call = yield* account.orderById("12ade33a")
      assert.strictEqual(call._tag === "Done" && call.value.status, "failed")
      assert.deepStrictEqual(yield* account.orderById("other"), { _tag: "Refused", code: "not_found" })
    }).pipe(Effect.scoped)
  )
})

describe("an account at Telnyx", () => {
  it.live("shows numbers of an area code with their price, where it is in reais", () =>
    Effect.gen(function* () {
      const dollars = {
        ...numberOf("+5511999990002", "voice"),
        cost_information: { currency: "USD", monthly_cost: "1" }
      }
      const { account } = yield* stage({ [search]: { body: { data: [numberOf("+5511999990001", "sms"), dollars] } } })
      assert.deepStrictEqual(yield* account.available("11", 2), {
        _tag: "Done",
        value: [
          { number: "+5511999990001", ddd: "11", monthly_price_centavos: 1250, sms: true },
          { number: "+5511999990002", ddd: "11", monthly_price_centavos: null, sms: false }
        ]
      })
    }).pipe(Effect.scoped)
  )

  it.live("is proven by the organization of its key, or of its messaging profile, at the key of the tenant", () =>
    Effect.gen(function* () {
      const whoami = { body: { data: { organization_id: "org-1", organization_name: "Loja" } } }
      const known = yield* stage({ "GET /v2/whoami": whoami })
      assert.deepStrictEqual(yield* known.account.read, { _tag: "Done", value: { id: "org-1", name: "Loja" } })
      const odd = yield* stage({ "GET /v2/whoami": { body: { data: {} } } })
      assert.deepStrictEqual(yield* odd.account.read, { _tag: "Unknown", retry_after_ms: null })
      const profiles = "GET /v2/messaging_profiles"
      const { provider, received } = yield* stage({
        [profiles]: page([{ id: "p", name: "Loja", organization_id: "org-1" }])
      })
      const call = yield* provider.of(Redacted.make("KEY-tenant")).read
      assert.deepStrictEqual(call, { _tag: "Done", value: { id: "org-1", name: "Loja" } })
      assert.strictEqual(received[0]?.headers.authorization, "Bearer KEY-tenant")
      const bare = yield* stage({ [profiles]: page([]) })
      assert.deepStrictEqual(yield* bare.account.read, { _tag: "Refused", code: "messaging_profile_missing" })
      const refused = yield* stage({ "GET /v2/whoami": errorOf(401, {}) })
      assert.deepStrictEqual(yield* refused.account.read, { _tag: "Refused", code: "credentials_invalid" })
    }).pipe(Effect.scoped)
  )

  it.live("lists its numbers page by page, with what each can receive", () =>
    Effect.gen(function* () {
      const phone = (phone_number: string, status: string) => ({ id: `id-${phone_number}`, phone_number, status })
      const sms = (phone_number: string, domestic_two_way: boolean) => ({
        phone_number,
        features: { sms: { domestic_two_way, international_inbound: false, international_outbound: false }, mms: null }
      })
      const { account, received } = yield* stage({
        "GET /v2/phone_numbers": ({ query }) =>
          query.get("page[number]") === "1"
            ? page([phone("+5511900000001", "active"), phone("+5511900000002", "requirement-info-pending")], 1, 2)
            : page([phone("+5511900000003", "deleted"), phone("+5511900000004", "purchase-failed")], 2, 2),
        "GET /v2/phone_numbers/messaging": page([sms("+5511900000001", true), sms("+5511900000002", false)])
      })
      const first = yield* account.numbers(null)
      assert.deepStrictEqual(first, {
        _tag: "Done",
        value: {
          numbers: [
            { number_id: "+5511900000001", number: "+5511900000001", status: "active", sms: true },
            { number_id: "+5511900000002", number: "+5511900000002", status: "suspended", sms: false }
          ],
          next: "2"
        }
      })
      assert.strictEqual(received[1]?.query.get("filter[phone_number]"), "+5511900000001,+5511900000002")
      const second = yield* account.numbers("2")
      const released = {
        number_id: "+5511900000003",
        number: "+5511900000003",
        status: "released" as const,
        sms: false
      }
      assert.deepStrictEqual(second, { _tag: "Done", value: { numbers: [released], next: null } })
    }).pipe(Effect.scoped)
  )

  it.live("gives a number back by the vendor's id of it, and a number that it does not have is given back", () =>
    Effect.gen(function* () {
      const list = "GET /v2/phone_numbers"
      const listed = page([
        { id: "long", phone_number: "+55119999900012", status: "active" },
        { id: "own", phone_number: "+5511999990001", status: "active" }
      ])
      const number = "+5511999990001"
      const { account, received } = yield* stage({
        [list]: listed,
        "DELETE /v2/phone_numbers/own": { body: { data: {} } }
      })
      assert.deepStrictEqual(yield* account.release(number), { _tag: "Done", value: undefined })
      assert.strictEqual(received[0]?.query.get("filter[phone_number]"), "5511999990001")
      const unread = yield* stage({ [list]: { body: {} } })
      assert.deepStrictEqual(yield* unread.account.release(number), { _tag: "Unknown", retry_after_ms: null })
      assert.deepStrictEqual(yield* unread.account.numbers(null), { _tag: "Unknown", retry_after_ms: null })
      const gone = yield* stage({ [list]: page([]) })
      assert.deepStrictEqual(yield* gone.account.release(number), { _tag: "Done", value: undefined })
      assert.strictEqual(gone.received.length, 1)
      const late = yield* stage({ [list]: listed })
      assert.deepStrictEqual(yield* late.account.release(number), { _tag: "Done", value: undefined })
      const lost = yield* stage({ [list]: listed, "DELETE /v2/phone_numbers/own": "lost" })
      assert.deepStrictEqual(yield* lost.account.release(number), { _tag: "Unknown", retry_after_ms: null })
    }).pipe(Effect.scoped)
  )

  it.effect("the official client opens no socket but through the outbound stack", () =>
    Effect.gen(function* () {
      const outward = memoryCalls(({ method }) => (method === "POST" ? { data: orderOf() } : stock.body))
      const { platform } = yield* Effect.provide(
        makeTelnyx({ url: operatorUrl("https://api.telnyx.com"), apiKey: Redacted.make(key) }),
        outward.layer
      )
      const opened = yield* watchedSockets
      const call = yield* placed(platform ?? assert.fail("no account"))
      assert.strictEqual(call._tag, "Done")
      assert.deepStrictEqual(
        outward.calls.map(({ method, url }) => `${method} ${url.target.origin}${url.target.path.split("?")[0]}`),
        ["GET https://api.telnyx.com/v2/available_phone_numbers", "POST https://api.telnyx.com/v2/number_orders"]
      )
      assert.deepStrictEqual(opened, { sockets: 0, fetches: 0 })
      const telemetry = Object.keys(outward.calls[0]?.headers ?? {}).filter((name) => name.startsWith("x-stainless"))
      assert.deepStrictEqual(telemetry, [])
    }).pipe(Effect.scoped)
  )
})
