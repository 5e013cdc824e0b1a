import { type CallRequest, Calls } from "@carteiro/outbound/Calls.ts"
import type { PixAnswer, PixCheckoutOrder } from "@carteiro/provider/payments/PixProvider.ts"
import { keyOf } from "@carteiro/provider-pix-api/Accounts.ts"
import { makePixApi } from "@carteiro/provider-pix-api/PixApi.ts"
import { idOfTxid, txidOf } from "@carteiro/provider-pix-api/Txid.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { simulatedBank } from "../support/PixApi.ts"
import { isPixDescribed, pixFlaws, pixUndescribed } from "./vendor/PixApi.ts"

const path = /\/api\/v2(\/.+)$/

/** A simulated bank, and the adapter over mutual TLS to it; every call and its answer is written down. */
const stage = Effect.gen(function* () {
  const bank = yield* simulatedBank
  const calls = Context.get(yield* Layer.build(bank.calls), Calls)
  const heard: Array<{
    readonly request: CallRequest
    readonly status: number
    readonly type: string
    readonly body: string
  }> = []
  const listening = Calls.of({
    ...calls,
    call: (request) =>
      Effect.tap(calls.call(request), (result) =>
        Effect.sync(() => {
          if (result._tag !== "Answered") return
          const { bytes, headers, status } = result
          heard.push({
            request,
            status,
            type: headers["content-type"] ?? "",
            body: Buffer.from(bytes).toString("utf8")
          })
        })
      )
  })
  const provider = yield* Effect.provideService(makePixApi({ totalTimeoutMs: 1000 }), Calls, listening)
  const fault = (name: string, more: object = {}) => bank.simulator.faults.set([{ name, times: 1, ...more }], 1)
  return { ...bank, bankCalls: calls, provider, heard, fault }
})

const id = (letter: string) => `pay_01K${letter.repeat(23)}`

const order = (external_id: string, more: Partial<PixCheckoutOrder> = {}): PixCheckoutOrder => ({
  external_id,
  amount_centavos: 12_551,
  description: "Pedido 1",
  expires_in_seconds: 3600,
  customer: { name: "Ana Souza", tax_id: "12345678909", phone: "+5511999990000", email: "ana@example.com" },
  mode: "transparent_pix",
  success_url: null,
  ...more
})

const chargeOf = (answer: PixAnswer) => {
  assert.strictEqual(answer._tag, "Charge", JSON.stringify(answer))
  return answer as Extract<PixAnswer, { readonly _tag: "Charge" }>
}
const statusOf = (answer: PixAnswer) => (answer._tag === "Charge" ? answer.status : answer._tag)

const control = (url: string, route: string, body: object) =>
  Effect.promise(() =>
    fetch(`${url}${route}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  )

it("pix-api: a txid is our id without its underscore, and leads back to it", () => {
  for (const one of [id("A"), "ctu_01KXYZ0000000000000000ABCD"]) {
    assert.match(txidOf(one) ?? "", /^[a-zA-Z0-9]{26,35}$/)
    assert.strictEqual(idOfTxid(txidOf(one)), one)
  }
  for (const other of ["pay_1", "pay-01KAAAAAAAAAAAAAAAAAAAAAAA", ""]) assert.isUndefined(txidOf(other))
  for (const other of ["short", "PAY01KAAAAAAAAAAAAAAAAAAAAAAA", undefined]) assert.isUndefined(idOfTxid(other))
})

it.live("pix-api: a charge that is paid is not altered by a late repeat, whose refusal is read as the charge", () =>
  Effect.gen(function* () {
    const { key, provider, simulator } = yield* stage
    const made = chargeOf(yield* provider.create(key, order(id("A"))))
    yield* control(simulator.controlUrl, "/outcomes", { id: made.id, status: "paid" })
    assert.strictEqual(statusOf(yield* provider.create(key, order(id("A")))), "paid")
    assert.include(
      simulator.log.read(0, "checkout").map(({ outcome }) => outcome),
      "already_ended"
    )
  }).pipe(Effect.scoped)
)

it.live("pix-api: a removal by the institution fails the charge with a code", () =>
  Effect.gen(function* () {
    const { key, provider, simulator } = yield* stage
    const { id: txid } = chargeOf(yield* provider.create(key, order(id("B"))))
    yield* control(simulator.controlUrl, "/outcomes", { id: txid, status: "failed" })
    assert.deepInclude(yield* provider.read(key, txid), { status: "failed", failure_code: "REMOVIDA_PELO_PSP" })
  }).pipe(Effect.scoped)
)

it.live("pix-api: a token is kept, and one that was taken back is fetched anew without a lost call", () =>
  Effect.gen(function* () {
    const { heard, key, provider, simulator } = yield* stage
    const tokens = () => heard.filter(({ request }) => request.url.target.path === "/oauth/token").length
    yield* provider.create(key, order(id("A")))
    yield* provider.lookUp(key, id("A"))
    assert.strictEqual(tokens(), 1)
    yield* Effect.promise(() => fetch(`${simulator.controlUrl}/tokens`, { method: "DELETE" }))
    assert.strictEqual(statusOf(yield* provider.lookUp(key, id("A"))), "pending")
    assert.strictEqual(tokens(), 2)
  }).pipe(Effect.scoped)
)

it.live("pix-api: a call without the certificate is not carried by a connection that was proven with it", () =>
  Effect.gen(function* () {
    const { calls, heard, key, provider, simulator } = yield* stage
    assert.strictEqual((yield* provider.lookUp(key, id("A")))._tag, "Absent")
    const plain = Context.get(yield* Layer.build(calls), Calls)
    const [first] = heard
    if (first === undefined) return assert.fail("no call")
    const { certificate, ...request } = first.request
    assert.isDefined(certificate)
    assert.strictEqual((yield* plain.call(first.request))._tag, "Answered")
    assert.strictEqual((yield* plain.call(request))._tag, "Broken")
    assert.include(
      simulator.log.read(0, "handshake").map(({ outcome }) => outcome),
      "refused"
    )
  }).pipe(Effect.scoped)
)

it.live("pix-api: credentials are proven without an effect, and each fault names its field", () =>
  Effect.gen(function* () {
    const { credential, key, provider, simulator } = yield* stage
    assert.deepStrictEqual(yield* provider.prove(key, true), { _tag: "Good" })
    const faulty = (more: object) => Redacted.make(keyOf({ ...credential, ...more }))
    const fieldOf = (more: object, dials = false) =>
      Effect.map(provider.prove(faulty(more), dials), (answer) => (answer._tag === "Bad" ? answer.field : answer._tag))
    assert.strictEqual(yield* fieldOf({ certificate_password: "another" }), "certificate_password")
    assert.strictEqual(yield* fieldOf({ certificate_pkcs12_base64: "AAAA" }), "certificate_pkcs12_base64")
    assert.strictEqual(yield* fieldOf({ base_url: "http://10.0.0.1/api" }), "base_url")
    yield* control(simulator.controlUrl, "/accounts", {
      client_id: "client-2",
      client_secret: "right",
      pix_keys: ["a@b.c"]
    })
    assert.strictEqual(yield* fieldOf({ client_id: "client-2", client_secret: "wrong" }, true), "client_secret")
    yield* control(simulator.controlUrl, "/accounts", { client_id: "client-2", scopes: ["cob.write", "cob.read"] })
    assert.deepStrictEqual(yield* provider.prove(faulty({ client_id: "client-2", client_secret: "right" }), true), {
      _tag: "Bad",
      field: "client_id",
      message:
        "The application of client_id lacks permissions at the institution; grant it cob.write, cob.read, webhook.write, webhook.read."
    })
    const spelled = { client_id: "a client", client_secret: "a+b/c=%41" }
    yield* control(simulator.controlUrl, "/accounts", spelled)
    assert.strictEqual(yield* fieldOf(spelled, true), "Good")
    // A server that takes client and secret as they are reads those of this one.
    yield* control(simulator.controlUrl, "/accounts", { client_id: "client-3", client_secret: "a b" })
    assert.strictEqual(yield* fieldOf({ client_id: "client-3", client_secret: "a%20b" }, true), "Good")
    const refused = yield* provider.create(faulty({ certificate_password: "another" }), order(id("A")))
    assert.deepStrictEqual(refused, { _tag: "Refused", code: "certificate_password_unusable" })
  }).pipe(Effect.scoped)
)

it.live("pix-api: a wrong path of the base URL is noticed by a list of charges, while a token is good", () =>
  Effect.gen(function* () {
    const { credential, fault, heard, key, provider, simulator } = yield* stage
    const proofOf = (base_url: string) => provider.prove(Redacted.make(keyOf({ ...credential, base_url })), true)
    for (const wrong of [`${simulator.url}/api/v3`, `${simulator.url}/v2/api`]) {
      assert.deepStrictEqual(yield* proofOf(wrong), {
        _tag: "Bad",
        field: "base_url",
        message:
          "At base_url is no API Pix: GET /cob below it is answered 404 without a list of charges. Enter the institution's base URL with its version, such as https://pix.example.com/api/v2."
      })
    }
    assert.deepStrictEqual(yield* proofOf(`${simulator.url}/api/v2`), { _tag: "Good" })
    // The reads have no effect, and are as the central bank describes them: a time of one second, of one charge.
    const reads = heard.filter(
      ({ request }) => request.method === "GET" && request.url.target.path.includes("/api/v2/")
    )
    const [list] = reads.filter(({ request }) => request.url.target.path.includes("/cob?"))
    const query = new URLSearchParams(list?.request.url.target.path.split("?")[1])
    assert.strictEqual(Date.parse(query.get("fim") ?? "") - Date.parse(query.get("inicio") ?? ""), 1000)
    assert.strictEqual(query.get("paginacao.itensPorPagina"), "1")
    for (const { body, request, status, type } of reads) {
      const isList = request.url.target.path.includes("/cob?")
      const exchange = {
        method: "get" as const,
        path: isList ? "/cob" : "/webhook/{chave}",
        request: undefined,
        status,
        contentType: type,
        answer: JSON.parse(body)
      }
      assert.deepStrictEqual(isPixDescribed ? pixFlaws(exchange) : [], [], body)
    }
    // An institution that is busy or hides the list says nothing about the address; one without the permission does.
    fault("unavailable", { operation: "checkout_lookup" })
    assert.deepStrictEqual(yield* provider.prove(key, true), { _tag: "Unknown" })
    fault("charge_rejected", { operation: "checkout_lookup" })
    const denied = yield* provider.prove(key, true)
    assert.deepStrictEqual([denied._tag, "field" in denied && denied.field], ["Bad", "client_id"])
    assert.deepStrictEqual([...new Set(heard.map(({ request }) => request.method))], ["POST", "GET"])
  }).pipe(Effect.scoped)
)

it.live("pix-api: at an address that serves anything but API Pix no account is proven", () =>
  Effect.gen(function* () {
    const { bankCalls, key } = yield* stage
    const proofBehind = Effect.fnUntraced(function* (status: number, body: string) {
      const answer = { _tag: "Answered", status, headers: {}, bytes: Buffer.from(body), isCut: false } as const
      const calls = Calls.of({
        ...bankCalls,
        call: (request) => (request.method === "GET" ? Effect.succeed(answer) : bankCalls.call(request))
      })
      return yield* (yield* Effect.provideService(makePixApi({}), Calls, calls)).prove(key, true)
    })
    for (const [status, body] of [
      [200, "<!doctype html><title>Welcome</title>"],
      [200, '{"cobs":"none"}'],
      [302, ""],
      [400, '{"message":"no such route"}'],
      [401, '{"message":"Unauthorized"}'],
      [403, '{"message":"Missing Authentication Token"}'],
      [405, ""]
    ] as const) {
      const proof = yield* proofBehind(status, body)
      assert.deepStrictEqual([proof._tag, "field" in proof && proof.field], ["Bad", "base_url"], `${status} ${body}`)
    }
  }).pipe(Effect.scoped)
)

it.live("pix-api: a Pix key is refused by its form, and where the institution refuses its webhook", () =>
  Effect.gen(function* () {
    const { credential, fault, heard, key, provider, simulator } = yield* stage
    const fieldOf = (pix_key: string, dials = true) =>
      Effect.map(provider.prove(Redacted.make(keyOf({ ...credential, pix_key })), dials), (answer) =>
        answer._tag === "Bad" ? answer.field : answer._tag
      )
    for (const form of ["529.982.247-25", "11987654321x", "shop", "a b@example.com", "+0511987654321", "7d9f0335"]) {
      assert.strictEqual(yield* fieldOf(form, false), "pix_key", form)
    }
    for (const form of [
      "52998224725",
      "12ABC34501DE35",
      "+5511987654321",
      "shop@example.com",
      "7d9f0335-8dcc-4054-9bf9-0dbd61d36906"
    ]) {
      assert.strictEqual(yield* fieldOf(form, false), "Good", form)
    }
    assert.deepStrictEqual(heard, [])
    fault("charge_rejected", { operation: "webhook_read" })
    assert.strictEqual(yield* fieldOf("shop@example.com"), "pix_key")
    fault("request_invalid", { operation: "webhook_read" })
    assert.strictEqual(yield* fieldOf("shop@example.com"), "pix_key")
    // The standard answers a key without a webhook and a key of another's alike, so neither is refused.
    yield* control(simulator.controlUrl, "/accounts", { client_id: "client-1", pix_keys: ["other@example.com"] })
    assert.strictEqual(yield* fieldOf("shop@example.com"), "Good")
    // Notices are a help only: an institution that tells nothing of them is no fault of the key.
    fault("unavailable", { operation: "webhook_read" })
    assert.deepStrictEqual(yield* provider.prove(key, true), { _tag: "Good" })
  }).pipe(Effect.scoped)
)

it.live("pix-api: the webhook is registered with the first charge, and its path proves a notice", () =>
  Effect.gen(function* () {
    const { heard, key, provider } = yield* stage
    const secret = Redacted.make("unguessable")
    const url = provider.notices.url("https://api.example.com/webhooks/pixprov2/pcn_1", secret)
    assert.strictEqual(url, "https://api.example.com/webhooks/pixprov2/pcn_1/unguessable")
    for (const letter of ["A", "B"]) yield* provider.create(key, order(id(letter), { notice_url: url }))
    const registrations = heard.filter(({ request }) => request.url.target.path.includes("/webhook/"))
    assert.deepStrictEqual(
      registrations.map(({ request, status }) => [request.method, status]),
      [
        ["GET", 404],
        ["PUT", 200]
      ]
    )
    const body = Buffer.from(
      JSON.stringify({ pix: [{ txid: txidOf(id("A")) }, { txid: txidOf(id("A")) }, { txid: "x" }] })
    )
    const call = { headers: {}, search: "", token: "unguessable", body, now: vendorClock() }
    assert.isDefined(provider.notices.prove(call, [Redacted.make("new"), secret]))
    assert.isUndefined(provider.notices.prove({ ...call, token: "guess" }, [secret]))
    assert.isUndefined(provider.notices.prove({ ...call, token: null }, [secret]))
    assert.deepStrictEqual(yield* provider.notices.about(key, body), [id("A")])
  }).pipe(Effect.scoped)
)

it.live(`pix-api: every call is as the central bank describes it${pixUndescribed}`, () =>
  Effect.gen(function* () {
    const { heard, key, provider } = yield* stage
    const url = "https://api.example.com/webhooks/pixprov2/pcn_1/unguessable"
    const orders = [
      order(id("A"), { notice_url: url }),
      order(id("B"), { customer: null, description: null, amount_centavos: 100 }),
      order(id("C"), {
        customer: { name: "Loja & Filhos", tax_id: "12ABC34501DE35", phone: null, email: null },
        description: "x".repeat(500),
        amount_centavos: 99_999_999
      })
    ]
    for (const one of orders) yield* provider.create(key, one)
    yield* provider.lookUp(key, id("A"))
    yield* provider.lookUp(key, id("Z"))
    yield* provider.cancel(key, txidOf(id("A")) ?? "")
    const exchanges = heard.flatMap(({ body, request: { body: sent, method, url: to }, status, type }) => {
      const [, route] = path.exec(to.target.path) ?? []
      if (route === undefined) return []
      return {
        method: method.toLowerCase() as "get" | "put" | "patch",
        path: route.startsWith("/cob/") ? "/cob/{txid}" : "/webhook/{chave}",
        request: typeof sent === "string" ? JSON.parse(sent) : undefined,
        status,
        contentType: type,
        answer: body === "" ? undefined : JSON.parse(body)
      }
    })
    assert.isAbove(exchanges.length, 7)
    for (const exchange of exchanges)
      assert.deepStrictEqual(isPixDescribed ? pixFlaws(exchange) : [], [], JSON.stringify(exchange))
  }).pipe(Effect.scoped)
)
