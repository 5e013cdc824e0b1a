import { createHmac } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { calls, platformOf } from "./UpstreamPlatform.ts"

const { account, number, token } = platformOf

it.live("no webhook is posted before the app is subscribed to the account (U-SIM-01, U-CON-01)", () =>
  Effect.gen(function* () {
    const { call, control, receiver } = yield* calls({})
    yield* control("/subscribe", { url: receiver.url })
    yield* control("/inbound", { from: "+5511912345678", text: { body: "before" } })
    assert.deepStrictEqual(yield* call("GET", `/${account}/subscribed_apps`), { status: 200, json: { data: [] } })
    assert.deepStrictEqual((yield* call("POST", `/${account}/subscribed_apps`)).json, { success: true })
    const { json } = yield* call("GET", `/${account}/subscribed_apps`)
    assert.strictEqual(json.data[0].whatsapp_business_api_data.id, "app")
    yield* control("/inbound", { from: "+5511912345678", text: { body: "after" } })
    const [webhook] = yield* receiver.first(1)
    assert.strictEqual(webhook?.json.entry[0].changes[0].value.messages[0].text.body, "after")
    assert.deepStrictEqual((yield* call("DELETE", `/${account}/subscribed_apps`)).json, { success: true })
    assert.deepStrictEqual((yield* call("GET", `/${account}/subscribed_apps`)).json, { data: [] })
  }).pipe(Effect.scoped)
)

it.live("a webhook is escaped as the platform escapes it, and signed over those bytes (U-SIM-01)", () =>
  Effect.gen(function* () {
    const { call, control, receiver } = yield* calls({})
    yield* call("POST", `/${account}/subscribed_apps`)
    yield* control("/subscribe", { url: receiver.url })
    yield* control("/inbound", { from: "+5511912345678", text: { body: "Olá 🎉 https://a.example/b" } })
    const [webhook] = yield* receiver.first(1)
    assert.include(webhook?.text, String.raw`"Ol\u00e1 \ud83c\udf89 https:\/\/a.example\/b"`)
    const expected = createHmac("sha256", "secret")
      .update(webhook?.text ?? "")
      .digest("hex")
    assert.strictEqual(webhook?.signature, `sha256=${expected}`)
    assert.strictEqual(webhook?.json.object, "whatsapp_business_account")
    assert.strictEqual(webhook?.json.entry[0].changes[0].value.messaging_product, "whatsapp")
  }).pipe(Effect.scoped)
)

it.live("a number registers under its PIN, sends nothing while it is deregistered (U-SIM-01, U-CON-03)", () =>
  Effect.gen(function* () {
    const { call } = yield* calls({})
    const text = { messaging_product: "whatsapp", recipient_type: "individual", to: "5511912345678", type: "text" }
    const send = () => call("POST", `/${number}/messages`, { ...text, text: { body: "oi" } })
    const register = (pin: string) => call("POST", `/${number}/register`, { messaging_product: "whatsapp", pin })
    assert.strictEqual((yield* register("123456")).status, 200)
    assert.strictEqual((yield* call("POST", `/${number}/deregister`)).status, 200)
    const { json } = yield* call("GET", `/${number}?fields=platform_type,status,code_verification_status`)
    assert.deepStrictEqual([json.platform_type, json.status], ["NOT_APPLICABLE", "DISCONNECTED"])
    assert.strictEqual((yield* send()).json.error.code, 133010)
    assert.strictEqual((yield* register("654321")).json.error.code, 133005)
    assert.strictEqual((yield* register("12345")).json.error.code, 100)
    assert.strictEqual((yield* register("123456")).status, 200)
    assert.strictEqual((yield* send()).status, 200)
    assert.strictEqual((yield* call("POST", `/${number}`, { pin: "222222" })).status, 200)
    assert.strictEqual((yield* register("123456")).json.error.code, 133005)
  }).pipe(Effect.scoped)
)

it.live("a file of the app is uploaded in pieces from its offset, and answers its handle (U-SIM-01, U-TPL-01)", () =>
  Effect.gen(function* () {
    const { call, raw } = yield* calls({})
    const begun = yield* call("POST", "/app/uploads?file_name=a.png&file_length=6&file_type=image/png")
    assert.match(begun.json.id, /^upload:.+\?sig=/)
    const piece = (offset: string, bytes: string) =>
      raw("POST", `/${begun.json.id}`, bytes, { authorization: `OAuth ${token}`, file_offset: offset })
    assert.strictEqual((yield* piece("1", "abc")).json.error.code, 100)
    yield* piece("0", "abc")
    assert.strictEqual((yield* call("GET", `/${begun.json.id}`)).json.file_offset, 3)
    assert.match((yield* piece("3", "def")).json.h, /^4::/)
    const wrong = yield* call("POST", "/app/uploads?file_name=a.gif&file_length=6&file_type=image/gif")
    assert.strictEqual(wrong.json.error.code, 100)
    assert.strictEqual((yield* call("POST", "/other/uploads?file_length=6&file_type=image/png")).json.error.code, 100)
  }).pipe(Effect.scoped)
)

it.live(
  "an app that demands appsecret_proof refuses calls without it, and always a wrong one (U-SIM-01, U-CON-05)",
  () =>
    Effect.gen(function* () {
      const { call } = yield* calls({ demands: ["proof"] })
      const proof = createHmac("sha256", "secret").update(token).digest("hex")
      const refused = yield* call("GET", `/${number}`)
      assert.deepStrictEqual([refused.status, refused.json.error.code], [400, 100])
      assert.include(refused.json.error.message, "appsecret_proof")
      assert.strictEqual((yield* call("GET", `/${number}?appsecret_proof=${proof}`)).status, 200)
      assert.strictEqual((yield* call("GET", `/${number}?appsecret_proof=00`)).status, 400)
      const relaxed = yield* calls({})
      assert.strictEqual((yield* relaxed.call("GET", `/${number}?appsecret_proof=00`)).status, 400)
    }).pipe(Effect.scoped)
)

it.live("the file host answers an error page to a call without a User-Agent (U-SIM-01, U-CON-06)", () =>
  Effect.gen(function* () {
    const { anonymous, call, raw } = yield* calls({})
    const form = new FormData()
    form.set("messaging_product", "whatsapp")
    form.set("file", new File(["bytes"], "a.png", { type: "image/png" }))
    const { json } = yield* raw("POST", `/${number}/media`, form)
    const file = (yield* call("GET", `/${json.id}`)).json
    const page = yield* anonymous(file.url)
    assert.deepStrictEqual([page.status, page.type], [400, "text/html; charset=utf-8"])
    const answer = yield* anonymous(file.url, "carteiro")
    assert.deepStrictEqual([answer.status, answer.type], [200, "image/png"])
  }).pipe(Effect.scoped)
)

it.live("a token's grants name portfolios and accounts, or nothing when they are on all (U-SIM-01, U-CON-04)", () =>
  Effect.gen(function* () {
    const { call, control } = yield* calls({})
    const grants = () =>
      Effect.map(call("GET", `/debug_token?input_token=${token}`), ({ json }) => json.data.granular_scopes)
    yield* control("/portfolios", { biz_account_id: account, id: "555", kind: "client" })
    assert.deepStrictEqual(yield* grants(), [
      { scope: "business_management", target_ids: ["555"] },
      { scope: "whatsapp_business_management", target_ids: [account] },
      { scope: "whatsapp_business_messaging", target_ids: [account] }
    ])
    const clients = yield* call("GET", "/555/client_whatsapp_business_accounts")
    assert.deepStrictEqual(
      clients.json.data.map(({ id }: { readonly id: string }) => id),
      [account]
    )
    assert.deepStrictEqual((yield* call("GET", "/555/owned_whatsapp_business_accounts")).json, { data: [] })
    yield* control("/portfolios", { grants_all: true })
    assert.notProperty((yield* grants())[1], "target_ids")
  }).pipe(Effect.scoped)
)
