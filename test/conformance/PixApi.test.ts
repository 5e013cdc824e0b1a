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
  return { ...bank, provider, heard, fault }
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
