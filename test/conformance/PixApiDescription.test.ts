import { request } from "node:https"
import { createSecureContext } from "node:tls"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { type PixApiOptions, startPixApi } from "@carteiro/simulators/pix-api/Simulator.ts"
import { bankCertificates } from "@carteiro/simulators/pix-api/TestCertificates.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/Until.ts"
import { startReceiver } from "../support/VendorReceiver.ts"
import { isPixDescribed, type PixExchange, pixFlaws, pixUndescribed, pixWebhookFlaws } from "./vendor/PixApi.ts"

// The simulated bank, called plainly; each call and each answer is compared with the central bank's description.

const chave = "loja@example.com"

/** An answer as it came; `json` is undefined for one without a body. */
interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of the vendor's answers.
  readonly json: any
}

const accounts = ["loja", "outra"].map((client_id) => ({ client_id, client_secret: "secret" }))

const stage = Effect.fnUntraced(function* (more: Partial<PixApiOptions> = {}) {
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() => startPixApi({ now: vendorClock, workMs: 0, accounts, ...more })),
    ({ close }) => Effect.promise(close)
  )
  const { ca, clientPkcs12, password } = simulator.certificates
  const tls = { ca, pfx: clientPkcs12, passphrase: password, agent: false }

  const send = (method: string, path: string, body: string | undefined, headers: object, options: object = tls) =>
    Effect.tryPromise(
      () =>
        new Promise<Reply>((resolve, reject) => {
          const call = request(`${simulator.url}${path}`, { method, headers: { ...headers }, ...options }, (reply) => {
            const chunks: Array<Buffer> = []
            reply.on("data", (chunk: Buffer) => chunks.push(chunk))
            reply.on("error", reject)
            reply.on("end", () => {
              const text = Buffer.concat(chunks).toString()
              const json = text === "" ? undefined : JSON.parse(text)
              resolve({ status: reply.statusCode ?? 0, headers: reply.headers, json })
            })
          })
          call.on("error", reject)
          call.end(body)
        })
    )

  const token = (id: string, more: Readonly<Record<string, string>> = {}) =>
    send("POST", "/oauth/token", new URLSearchParams({ grant_type: "client_credentials", ...more }).toString(), {
      authorization: `Basic ${Buffer.from(`${id}:secret`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded"
    })

  /** Returns calls of one client, each compared with the description. */
  const clientOf = Effect.fnUntraced(function* (id: string) {
    const { access_token } = (yield* token(id)).json
    return (
      method: PixExchange["method"],
      template: string,
      places: ReadonlyArray<string>,
      body?: unknown,
      query = ""
    ) =>
      Effect.gen(function* () {
        let at = 0
        const path = template.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(places[at++] ?? ""))
        const text = body === undefined ? undefined : JSON.stringify(body)
        const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" }
        const reply = yield* send(method.toUpperCase(), `${path}${query}`, text, headers)
        const contentType = String(reply.headers["content-type"])
        // What a client asks wrongly is no fault of the simulator; its refusal must be one of the description.
        const request = reply.status < 300 ? body : undefined
        const exchange = { method, path: template, status: reply.status, contentType, request, answer: reply.json }
        assert.deepStrictEqual(isPixDescribed ? pixFlaws(exchange) : [], [], `${method} ${path}`)
        return reply
      })
  })

  const control = (path: string, body: object) =>
    Effect.promise(() => fetch(`${simulator.controlUrl}${path}`, { method: "POST", body: JSON.stringify(body) }))
  return { simulator, send, token, clientOf, control, tls }
})

const txidOf = (name: string): string => name.padEnd(26, "0")

const cob = (more: object = {}) => ({
  calendario: { expiracao: 3600 },
  devedor: { cpf: "12345678909", nome: "Ana" },
  valor: { original: "125.50" },
  chave,
  solicitacaoPagador: "Pedido 1",
  ...more
})

const period = () => {
  const now = vendorClock()
  const instant = (at: number) => new Date(at).toISOString()
  return `?inicio=${instant(now - 3_600_000)}&fim=${instant(now + 3_600_000)}`
}

describe(`the simulated bank keeps the central bank's description${pixUndescribed}`, () => {
  it.live("a charge is made, read, revised, listed, paid and given back", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver
      const { clientOf, control } = yield* stage()
      const call = yield* clientOf("loja")
      const txid = txidOf("pay1")
      yield* call("put", "/webhook/{chave}", [chave], { webhookUrl: `${receiver.url}hooks/unguessable` })
      assert.include((yield* call("get", "/webhook/{chave}", [chave])).json.webhookUrl, "/hooks/unguessable")
      const made = yield* call("put", "/cob/{txid}", [txid], cob())
      assert.deepInclude(made.json, { txid, status: "ATIVA", revisao: 0, chave })
      assert.match(made.json.pixCopiaECola, /^000201.*5303986.*6304[0-9A-F]{4}$/)
      assert.include(made.json.pixCopiaECola, made.json.loc.location)
      assert.strictEqual((yield* call("put", "/cob/{txid}", [txid], cob())).json.revisao, 0)
      const revised = yield* call("patch", "/cob/{txid}", [txid], { valor: { original: "130.00" } })
      assert.deepInclude(revised.json, { revisao: 1, valor: { original: "130.00" } })
      const older = yield* call("get", "/cob/{txid}", [txid], undefined, "?revisao=0")
      assert.deepStrictEqual(older.json.valor, { original: "125.50" })
      yield* control("/outcomes", { id: txid, status: "paid" })
      const [heard] = yield* receiver.heard(1)
      assert.strictEqual(heard?.path, "/hooks/unguessable/pix")
      const told = JSON.parse(String(heard?.body))
      assert.deepStrictEqual(isPixDescribed ? pixWebhookFlaws(told) : [], [])
      const [{ endToEndId, valor }] = told.pix
      assert.strictEqual(valor, "130.00")
      const paid = yield* call("get", "/cob/{txid}", [txid])
      assert.deepInclude(paid.json, { status: "CONCLUIDA" })
      assert.strictEqual(paid.json.pix[0].endToEndId, endToEndId)
      assert.strictEqual((yield* call("get", "/pix/{e2eid}", [endToEndId])).json.txid, txid)
      const back = yield* call("put", "/pix/{e2eid}/devolucao/{id}", [endToEndId, "r1"], { valor: "30.00" })
      assert.strictEqual(back.json.status, "EM_PROCESSAMENTO")
      const [settled] = yield* receiver.heard(1)
      assert.strictEqual(JSON.parse(String(settled?.body)).pix[0].devolucoes[0].status, "DEVOLVIDO")
      const read = yield* call("get", "/pix/{e2eid}/devolucao/{id}", [endToEndId, "r1"])
      assert.deepInclude(read.json, { status: "DEVOLVIDO", valor: "30.00" })
      const repeated = yield* call("put", "/pix/{e2eid}/devolucao/{id}", [endToEndId, "r1"], { valor: "30.00" })
      assert.strictEqual(repeated.status, 400)
      const tooMuch = yield* call("put", "/pix/{e2eid}/devolucao/{id}", [endToEndId, "r2"], { valor: "100.01" })
      assert.strictEqual(tooMuch.status, 400)
      const cobs = yield* call("get", "/cob", [], undefined, `${period()}&status=CONCLUIDA&paginacao.itensPorPagina=1`)
      assert.strictEqual(cobs.json.parametros.paginacao.quantidadeTotalDeItens, 1)
      assert.strictEqual((yield* call("get", "/pix", [], undefined, `${period()}&txid=${txid}`)).json.pix.length, 1)
      assert.strictEqual((yield* call("get", "/webhook", [], undefined, period())).json.webhooks.length, 1)
      assert.strictEqual((yield* call("delete", "/webhook/{chave}", [chave])).status, 204)
      assert.strictEqual((yield* call("get", "/webhook/{chave}", [chave])).status, 404)
    }).pipe(Effect.scoped)
  )

  it.live("a removed or paid charge is changed no more, and an expired one stays ATIVA without being payable", () =>
    Effect.gen(function* () {
      const { clientOf, simulator } = yield* stage()
      const call = yield* clientOf("loja")
      const txid = txidOf("pay1")
      yield* call("put", "/cob/{txid}", [txid], cob())
      const status = "REMOVIDA_PELO_USUARIO_RECEBEDOR"
      assert.strictEqual((yield* call("patch", "/cob/{txid}", [txid], { status, chave })).status, 400)
      assert.strictEqual((yield* call("patch", "/cob/{txid}", [txid], { status })).json.status, status)
      assert.strictEqual((yield* call("patch", "/cob/{txid}", [txid], { status })).json.status, 400)
      const again = yield* call("put", "/cob/{txid}", [txid], cob())
      assert.strictEqual(again.json.type, "https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida")
      const short = txidOf("short")
      yield* call("put", "/cob/{txid}", [short], cob({ calendario: { expiracao: 1 } }))
      const charge = simulator.cobs.any(short)
      assert.isDefined(charge)
      if (charge === undefined) return
      yield* until(Effect.sync(() => !simulator.cobs.isPayable(charge)))
      assert.strictEqual((yield* call("get", "/cob/{txid}", [short])).json.status, "ATIVA")
    }).pipe(Effect.scoped)
  )

  it.live("refusals have the types of the description and say which field is wrong", () =>
    Effect.gen(function* () {
      const { clientOf } = yield* stage()
      const [call, stranger] = [yield* clientOf("loja"), yield* clientOf("outra")]
      const fieldOf = (more: object, txid = txidOf("pay1")) =>
        Effect.map(call("put", "/cob/{txid}", [txid], cob(more)), ({ json }) => json.violacoes[0].propriedade)
      assert.strictEqual(yield* fieldOf({}, "short"), "txid")
      assert.strictEqual(yield* fieldOf({}, txidOf("pay_1")), "txid")
      assert.strictEqual(yield* fieldOf({ valor: { original: "0.00" } }), "cob.valor.original")
      assert.strictEqual(yield* fieldOf({ valor: { original: "10.5" } }), "cob.valor.original")
      assert.strictEqual(yield* fieldOf({ calendario: { expiracao: 0 } }), "cob.calendario.expiracao")
      assert.strictEqual(yield* fieldOf({ devedor: { nome: "Ana" } }), "cob.devedor")
      assert.strictEqual(yield* fieldOf({ solicitacaoPagador: "x".repeat(141) }), "cob.solicitacaoPagador")
      assert.strictEqual(yield* fieldOf({ loc: { id: 99, tipoCob: "cob" } }), "cob.loc.id")
      yield* call("put", "/cob/{txid}", [txidOf("pay1")], cob())
      const other = yield* stranger("put", "/cob/{txid}", [txidOf("pay1")], cob())
      assert.strictEqual(other.json.violacoes[0].propriedade, "cob.chave")
      assert.strictEqual((yield* stranger("get", "/cob/{txid}", [txidOf("pay1")])).status, 404)
      const location = yield* call("post", "/loc", [], { tipoCob: "cob" })
      const loc = { id: location.json.id, tipoCob: "cob" }
      const joined = yield* call("put", "/cob/{txid}", [txidOf("pay2")], cob({ loc }))
      assert.strictEqual(joined.json.location, location.json.location)
      assert.strictEqual(yield* fieldOf({ loc }, txidOf("pay3")), "cob.loc.id")
      assert.strictEqual((yield* call("get", "/loc/{id}", [String(loc.id)])).json.txid, txidOf("pay2"))
      const moved = yield* call("patch", "/cob/{txid}", [txidOf("pay1")], { loc })
      assert.strictEqual(moved.json.violacoes[0].propriedade, "cob.loc.id")
      yield* call("delete", "/loc/{id}/txid", [String(loc.id)])
      assert.isUndefined((yield* call("get", "/cob/{txid}", [txidOf("pay2")])).json.location)
      assert.strictEqual((yield* call("get", "/loc", [], undefined, period())).json.loc.length, 2)
    }).pipe(Effect.scoped)
  )
})

it.live("the simulated bank demands a certificate of its authority, and a token of that certificate", () =>
  Effect.gen(function* () {
    const { send, simulator, tls, token } = yield* stage({ tokenSeconds: 60 })
    const bare = yield* Effect.flip(send("GET", "/cob", undefined, {}, { ca: tls.ca, agent: false }))
    assert.match(String(bare.cause), /certificate required|ECONNRESET|socket hang up/i)
    const foreign = bankCertificates(vendorClock())
    const wrong = { ca: tls.ca, pfx: foreign.clientPkcs12, passphrase: foreign.password, agent: false }
    assert.isTrue(yield* Effect.isFailure(send("GET", "/cob", undefined, {}, wrong)))
    assert.throws(() => createSecureContext({ pfx: tls.pfx, passphrase: "wrong" }))
    const narrow = (yield* token("loja", { scope: "cob.read" })).json
    assert.deepInclude(narrow, { token_type: "Bearer", expires_in: 60, scope: "cob.read" })
    const headers = { authorization: `Bearer ${narrow.access_token}` }
    assert.strictEqual((yield* send("PUT", `/cob/${txidOf("a")}`, "{}", headers)).status, 403)
    assert.strictEqual((yield* send("GET", `/api/v2/cob/${txidOf("a")}`, undefined, headers)).status, 404)
    simulator.accounts.revoke()
    const late = yield* send("GET", `/cob/${txidOf("a")}`, undefined, headers)
    assert.strictEqual(late.status, 401)
    assert.include(String(late.headers["www-authenticate"]), "invalid_token")
  }).pipe(Effect.scoped)
)

it.live("the simulated bank refuses clients, secrets, grants and scopes as RFC 6749 has it", () =>
  Effect.gen(function* () {
    const { send, token } = yield* stage({
      accounts: [
        { client_id: "loja", client_secret: "secret", scopes: ["cob.read"] },
        { client_id: "loja + filial", client_secret: "a+b%2F" }
      ]
    })
    const refusal = ({ headers, json, status }: Reply) => [status, json.error, headers["www-authenticate"]]
    const unknown = [401, "invalid_client", 'Basic realm="pix"']
    assert.deepStrictEqual(refusal(yield* token("outra")), unknown)
    const basic = (text: string) => ({
      authorization: `Basic ${Buffer.from(text).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded"
    })
    const ask = (text: string, form = "grant_type=client_credentials") =>
      send("POST", "/oauth/token", form, basic(text))
    for (const wrong of ["loja:another", "loja:", "", "loja + filial:a+b%2F"]) {
      assert.deepStrictEqual(refusal(yield* ask(wrong)), unknown, wrong)
    }
    assert.strictEqual((yield* ask("loja+%2B+filial:a%2Bb%252F")).status, 200)
    const badly = (error: string) => [400, error, undefined]
    assert.deepStrictEqual(refusal(yield* ask("loja:secret", "")), badly("invalid_request"))
    const password = yield* ask("loja:secret", "grant_type=password&username=a&password=b")
    assert.deepStrictEqual(refusal(password), badly("unsupported_grant_type"))
    assert.deepStrictEqual(refusal(yield* token("loja", { scope: "cob.read cob.write" })), badly("invalid_scope"))
    assert.strictEqual((yield* token("loja", { scope: "cob.read" })).json.scope, "cob.read")
  }).pipe(Effect.scoped)
)

it.live("calls to the simulated bank are cut, limited, failed after their effect, and land late", () =>
  Effect.gen(function* () {
    const receiver = yield* startReceiver
    const { send, simulator, token } = yield* stage()
    const { access_token } = (yield* token("loja")).json
    const headers = { authorization: `Bearer ${access_token}` }
    const create = (name: string) => send("PUT", `/cob/${txidOf(name)}`, JSON.stringify(cob()), headers)
    const read = (name: string) =>
      Effect.map(send("GET", `/cob/${txidOf(name)}`, undefined, headers), (one) => one.status)
    const fault = (name: string, more: object = {}) =>
      simulator.faults.set([{ name, operation: "checkout", times: 1, ...more }], 1)
    fault("rate_limited", { value: 7 })
    const limited = yield* create("limited")
    assert.deepStrictEqual([limited.status, limited.headers["retry-after"]], [429, "7"])
    fault("reset")
    assert.isTrue(yield* Effect.isFailure(create("cut")))
    assert.strictEqual(yield* read("cut"), 404)
    fault("error_500_after")
    const failed = yield* create("failed")
    assert.strictEqual(failed.json.type, "https://pix.bcb.gov.br/api/v2/error/ErroInternoDoServidor")
    assert.strictEqual(yield* read("failed"), 200)
    // Longer than any run of the test: this one is under way to its end.
    fault("lands_late", { value: 3_600_000 })
    assert.isTrue(yield* Effect.isFailure(create("underway")))
    assert.strictEqual(yield* read("underway"), 404)
    assert.strictEqual((yield* create("underway")).status, 409)
    fault("lands_late", { value: 1 })
    assert.isTrue(yield* Effect.isFailure(create("late")))
    yield* until(Effect.map(read("late"), (status) => status === 200))
    const register = JSON.stringify({ webhookUrl: receiver.url })
    yield* send("PUT", `/webhook/${chave}`, register, headers)
    simulator.faults.set(
      [
        { name: "early_webhook", times: 1 },
        { name: "duplicate_webhook", times: 1 }
      ],
      1
    )
    assert.strictEqual((yield* create("early")).json.status, "CONCLUIDA")
    const [first, second] = yield* receiver.heard(2)
    assert.strictEqual(String(first?.body), String(second?.body))
    assert.deepStrictEqual(simulator.decide(txidOf("early"), "cancelled"), { moved: false, status: "CONCLUIDA" })
    assert.deepStrictEqual(simulator.decide(txidOf("late"), "expired"), { moved: true, status: "REMOVIDA_PELO_PSP" })
  }).pipe(Effect.scoped)
)
