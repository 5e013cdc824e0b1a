import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DevFile } from "@carteiro/runtime/boot/DevFile.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { textOf, type Visitor, visitorAt } from "../console/Visitor.ts"
import type { Answer } from "../support/ApiTest.ts"
import { startedNode } from "../support/StartedNode.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

/** A real process, on a machine that may be busy with other files. In milliseconds. */
const patience = 240_000

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-walk-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const send = (
  url: string,
  method: string,
  body: string | undefined,
  headers: Readonly<Record<string, string>>
): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const answer = await fetch(url, { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) })
    const text = await answer.text()
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true
    const [cookie] = answer.headers.getSetCookie()
    const sent = { ...Object.fromEntries(answer.headers), ...(cookie === undefined ? {} : { "set-cookie": cookie }) }
    return { status: answer.status, headers: sent, text, body: isJson ? JSON.parse(text) : {} }
  })

/** A developer beside `npm start`: the production key of dev.json, the owner at a browser, and the simulators. */
const developerOf = Effect.fnUntraced(function* (dev: DevFile) {
  const { base_url, dashboard, production, simulators } = dev
  let calls = 0
  const call = (method: string, path: string, body?: unknown) =>
    send(`${base_url}/v1/${path}`, method, body === undefined ? undefined : JSON.stringify(body), {
      authorization: `Bearer ${production.api_key}`,
      ...(method === "POST" ? { "idempotency-key": `walk-${++calls}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    })
  const get = (path: string) => Effect.map(call("GET", path), ({ body }) => body)
  /** Makes something, which must be taken. */
  const made = Effect.fnUntraced(function* (path: string, body: unknown) {
    const answer = yield* call("POST", path, body)
    assert.isBelow(answer.status, 300, answer.text)
    return answer.body
  })
  const becomes = (path: string, status: string) => until(Effect.map(get(path), (body) => body.status === status))
  const control = Effect.fnUntraced(function* (url: string | null, path: string, body: unknown) {
    const answer = yield* send(`${url}${path}`, "POST", JSON.stringify(body), {})
    assert.strictEqual(answer.status, 200, answer.text)
    return answer.body
  })
  const owner = visitorAt((method, path, body, headers) => send(`${base_url}${path}`, method, body, headers))
  const link = new URL(dashboard.sign_in_url ?? "")
  yield* owner.submit(`${link.pathname}${link.search}`, "/dashboard/sign-in", {
    token: link.searchParams.get("token") ?? ""
  })
  return { call, get, made, becomes, control, owner, simulators, dev }
})

type Developer = Effect.Success<ReturnType<typeof developerOf>>

const location = ({ headers }: Answer): string => headers.location ?? ""

/** Enters credentials at the address of a setup session, as an owner. */
const connects = Effect.fnUntraced(function* (
  { made, owner }: Developer,
  target: string,
  fields: Parameters<Visitor["submit"]>[2],
  query = ""
) {
  const { pathname } = new URL((yield* made("provider-credential-setup-sessions", { target })).url)
  const answer = yield* owner.submit(`${pathname}${query}`, pathname, fields)
  assert.strictEqual(answer.status, 303, textOf(answer.text))
})

/** Saves cards on the processor's page; pays, is declined, authenticates, and gets a refund and a dispute back. */
const cards = Effect.fnUntraced(function* ({ call, control, get, made, owner, simulators }: Developer) {
  const page = "/dashboard/billing/cards"
  const opened = yield* owner.submit(page, `${page}/collect`)
  const checkout = /class="button primary" href="([^"]*)"/.exec(opened.text)?.[1] ?? ""
  const form = new URLSearchParams({ card: "pm_card_ok" }).toString()
  const left = yield* send(checkout, "POST", form, { "content-type": "application/x-www-form-urlencoded" })
  const back = new URL(location(left))
  const question = yield* owner.get(`${back.pathname}${back.search}`)
  assert.include(textOf(question.text), "has collected visa ending in 4242")
  const [, card = ""] = /name="card" value="([^"]*)"/.exec(question.text) ?? []
  assert.strictEqual((yield* owner.submit(`${back.pathname}${back.search}`, page, { card })).status, 303)

  const saved = Effect.fnUntraced(function* (name: string) {
    return (yield* made("billing/payment-methods", { cardproc_payment_method_id: name })).id as string
  })
  const buy = (payment_method_id: string) =>
    call("POST", "billing/packages/purchase", { package_code: "pack_1k", payment_method_id })
  const ends = (id: string, status: string) =>
    until(
      Effect.map(get(`billing/packages?status=${status}`), ({ data }) =>
        data.some((one: { readonly id: string }) => one.id === id)
      )
    )
  const ok = yield* saved("pm_card_ok")
  const paid = yield* buy(ok)
  assert.deepStrictEqual([paid.status, paid.body.status], [201, "succeeded"])
  yield* control(simulators.cardproc, "/refunds", { charge: paid.body.id })
  yield* ends(paid.body.id, "refunded")
  const disputed = (yield* buy(ok)).body.id
  yield* control(simulators.cardproc, "/disputes", { charge: disputed, outcome: "lost" })
  yield* ends(disputed, "refunded")

  const declining = yield* saved("pm_card_declined")
  const declined = yield* buy(declining)
  assert.deepStrictEqual(
    [declined.status, declined.body.error.code, declined.body.error.details.decline_code],
    [402, "card_declined", "insufficient_funds"]
  )
  const topUp = "/dashboard/billing/top-up"
  const shown = yield* owner.submit(topUp, topUp, { package: "pack_1k", card: declining, confirmed: "1" })
  assert.include(textOf((yield* owner.get(location(shown))).text), "The card was declined. Nothing was charged.")

  const waiting = yield* buy(yield* saved("pm_card_authentication"))
  assert.deepStrictEqual([waiting.status, waiting.body.status], [201, "pending"])
  assert.include((yield* owner.get(`${topUp}/${waiting.body.id}`)).text, `href="${simulators.cardproc}/authenticate/`)
  yield* control(simulators.cardproc, "/outcomes", { id: waiting.body.id, status: "succeeded" })
  yield* ends(waiting.body.id, "succeeded")
})

/** Collects by a page and by a code, and cancels a page. */
const pix = Effect.fnUntraced(function* ({ becomes, call, control, get, made, simulators }: Developer) {
  const code = { amount_brl_centavos: 990, provider_options: { pixprov2: { mode: "transparent_pix" } } }
  const nameless = yield* call("POST", "payments", code)
  assert.deepStrictEqual(
    [nameless.status, nameless.body.error.code, nameless.body.error.param],
    [400, "invalid_payment_request", "customer_email"]
  )
  for (const body of [{ ...code, customer_email: "ana@example.com" }, { amount_brl_centavos: 1_990 }]) {
    const { id } = yield* made("payments", body)
    yield* becomes(`payments/${id}`, "link_generated")
    yield* control(simulators.pixprov2, "/outcomes", { id, status: "paid" })
    yield* becomes(`payments/${id}`, "paid")
    assert.strictEqual((yield* get(`payments/${id}`)).fees.completion.state, "settled")
  }
  // A cancelled page takes a minute to be over, since a payment of it may be missing from the vendor's search.
  const { id } = yield* made("payments", { amount_brl_centavos: 1_990 })
  yield* becomes(`payments/${id}`, "link_generated")
  yield* made(`payments/${id}/cancel`, {})
})

/** Connects an account at an institution by its PKCS#12 file, and collects by it. */
const institution = Effect.fnUntraced(function* (developer: Developer) {
  const { becomes, call, control, get, made, simulators } = developer
  yield* made(`provider-connections/${simulators.pixprov2_connection_id}/disconnect`, undefined)
  const credentials = {
    driver: "pix-api",
    base_url: simulators.pix_api ?? "",
    client_id: simulators.pix_api_client_id ?? "",
    client_secret: simulators.pix_api_client_secret ?? "",
    certificate_pkcs12_base64: readFileSync(simulators.pix_api_certificate ?? "").toString("base64"),
    certificate_password: simulators.pix_api_certificate_password ?? "",
    pix_key: simulators.pix_api_pix_key ?? ""
  }
  yield* connects(developer, "pixprov2.payments", credentials, "?driver=pix-api")
  const hosted = { amount_brl_centavos: 990, provider_options: { pixprov2: { mode: "hosted_checkout" } } }
  assert.strictEqual((yield* call("POST", "payments", hosted)).body.error.param, "provider_options.pixprov2.mode")
  const { id } = yield* made("payments", { amount_brl_centavos: 990, description: "By the bank" })
  yield* becomes(`payments/${id}`, "link_generated")
  const { pix_copy_paste } = yield* get(`payments/${id}`)
  yield* control(simulators.pix_api_control, "/outcomes", { id: pix_copy_paste, status: "paid" })
  yield* becomes(`payments/${id}`, "paid")
})

/** Rents a number and gives it back; one that takes calls alone is not bought. */
const numbers = Effect.fnUntraced(function* ({ becomes, control, get, made, owner, simulators }: Developer) {
  const ordered = Effect.fnUntraced(function* (ddd: string) {
    const { approval_url, id } = yield* made("phone-numbers/orders", { ddd, display_name: "Loja Aurora" })
    const { pathname } = new URL(approval_url)
    assert.strictEqual((yield* owner.submit(pathname, `${pathname}/approve`)).status, 303)
    return { page: pathname, order: `phone-numbers/orders/${id}` }
  })
  const rented = yield* ordered("11")
  yield* becomes(rented.order, "fulfilled")
  const number = `phone-numbers/${(yield* get(rented.order)).phone_number_id}`
  assert.strictEqual((yield* get(number)).status, "active")
  yield* made(`${number}/release`, undefined)
  yield* becomes(number, "released")
  yield* control(simulators.numprov, "/faults", { faults: [{ name: "voice_only" }] })
  const silent = yield* ordered("21")
  yield* becomes(silent.order, "failed")
  assert.include(textOf((yield* owner.get(silent.page)).text), "take calls only")
})

/** Speaks a message through each vendor of speech, and transcribes the voice message of a customer. */
const speech = Effect.fnUntraced(function* (developer: Developer) {
  const { becomes, control, dev, get, made, simulators } = developer
  yield* connects(developer, "speechprov1.tts", { api_key: simulators.speechprov1_api_key ?? "" })
  const customer = "+5511912345678"
  yield* control(simulators.upstream, "/inbound", { from: customer, type: "audio", audio: { voice: true } })
  const newest = Effect.map(get("messages?limit=1"), ({ data }) => data[0])
  yield* until(Effect.map(newest, (message) => message?.media?.status === "consumed"))
  const asset = `media/${(yield* newest).media.asset_id}/transcriptions`
  yield* made(asset, { language: "pt-BR" })
  const transcript = Effect.map(get(asset), ({ data }) => data[0])
  yield* until(Effect.map(transcript, ({ status }) => status === "succeeded"))
  const { duration_seconds, language, text } = yield* transcript
  assert.deepStrictEqual([text, language, duration_seconds], ["Texto simulado.", "pt-BR", 1])
  for (const provider of ["speechprov1", "speechprov2", "speechprov3"]) {
    const source = { type: "tts", provider, text: "Seu boleto chegou", voice: "ana", language: "pt-BR" }
    const { id } = yield* made("messages", {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: dev.production.phone_number_id },
      recipient: { type: "phone_e164", id: customer },
      message: { type: "media", media: { kind: "audio", voice: true, source } }
    })
    yield* becomes(`messages/${id}`, "read")
  }
})

it.layer(TestDatabase.layer, { excludeTestServices: true })("npm start plays the vendors", (it) => {
  it.effect(
    "cards, Pix by a page, a code and an institution, numbers and speech work through the wires of the default drivers",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const node = yield* startedNode({
          DATABASE_URL: url,
          CARTEIRO_DATA_DIR: yield* folder,
          CARTEIRO_SANDBOX_STATUS_DELAY_MS: "50",
          PORT: "0"
        })
        const developer = yield* developerOf(node.file)
        yield* cards(developer)
        yield* pix(developer)
        yield* institution(developer)
        yield* numbers(developer)
        yield* speech(developer)
        const errors = node.printed.stderr.split("\n").filter((line) => line.includes('"level":"error"'))
        assert.deepStrictEqual(errors, [])
      }),
    patience
  )
})
