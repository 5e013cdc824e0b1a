import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { calls, platformOf } from "./UpstreamPlatform.ts"

const { account, number } = platformOf

/** A strict platform whose receiver listens. */
const stage = Effect.gen(function* () {
  const platform = yield* calls({ records: true })
  yield* platform.call("POST", `/${account}/subscribed_apps`)
  yield* platform.control("/subscribe", { url: platform.receiver.url })
  const send = (message: object) =>
    platform.call("POST", `/${number}/messages`, {
      messaging_product: "whatsapp",
      recipient_type: "individual",
      ...message
    })
  const changes = (count: number) =>
    Effect.map(platform.receiver.first(count), (webhooks) =>
      webhooks.flatMap(({ json }) =>
        json.entry[0].changes.map((change: object) => ({ entry: json.entry[0].id, ...change }))
      )
    )
  return { ...platform, send, changes }
})

it.live("a customer who hides their phone is named by a user id and a username alone (U-SIM-01, U-HID-01)", () =>
  Effect.gen(function* () {
    const { changes, control } = yield* stage
    yield* control("/inbound", {
      from: null,
      user_id: "BR.42",
      username: "@ana",
      profile_name: "Ana",
      text: { body: "a" }
    })
    const [hidden] = yield* changes(1)
    assert.deepStrictEqual(hidden.value.contacts, [{ profile: { name: "Ana", username: "@ana" }, user_id: "BR.42" }])
    assert.notProperty(hidden.value.messages[0], "from")
    assert.strictEqual(hidden.value.messages[0].from_user_id, "BR.42")
    yield* control("/inbound", { from: "+5511912345678", user_id: "BR.42", text: { body: "b" } })
    const shown = (yield* changes(2))[1]
    assert.deepInclude(shown.value.messages[0], { from: "5511912345678", from_user_id: "BR.42" })
    yield* control("/user-ids", { from: null, user_id: "BR.42", current: "BR.43" })
    const update = (yield* changes(3))[2]
    assert.deepStrictEqual(
      [update.field, update.value.user_id_update[0].user_id],
      ["user_id_update", { previous: "BR.42", current: "BR.43" }]
    )
    yield* control("/preferences", { from: null, user_id: "BR.43", value: "stop" })
    const preference = (yield* changes(4))[3].value.user_preferences[0]
    assert.deepInclude(preference, { user_id: "BR.43", value: "stop", category: "marketing_messages" })
    assert.notProperty(preference, "wa_id")
  }).pipe(Effect.scoped)
)

it.live(
  "a send names its customer by recipient, and its statuses by recipient_user_id (U-SIM-01, U-HID-02, U-HID-05)",
  () =>
    Effect.gen(function* () {
      const { receiver, send } = yield* stage
      const text = { type: "text", text: { body: "oi" } }
      const { json } = yield* send({ ...text, recipient: "BR.42" })
      assert.deepStrictEqual(json.contacts, [{ input: "BR.42", user_id: "BR.42" }])
      const [webhook] = yield* receiver.first(1)
      const status = webhook?.json.entry[0].changes[0].value.statuses[0]
      assert.deepInclude(status, { recipient_user_id: "BR.42", status: "sent" })
      assert.notProperty(status, "recipient_id")
      assert.deepStrictEqual(status.pricing, {
        billable: false,
        pricing_model: "PMP",
        category: "service",
        type: "free_customer_service"
      })
      assert.strictEqual((yield* send({ ...text, to: "BR.42" })).json.error.code, 100)
      const both = yield* send({ ...text, to: "+5511912345678", recipient: "BR.42" })
      assert.strictEqual(both.json.contacts[0].wa_id, "5511912345678")
    }).pipe(Effect.scoped)
)

it.live(
  "accounts' notices have the platform's fields, and those of partners come under the portfolio (U-SIM-01, U-ACC-01)",
  () =>
    Effect.gen(function* () {
      const { changes, control } = yield* stage
      yield* control("/portfolios", { biz_account_id: account, id: "555", kind: "client" })
      yield* control("/notices", {
        biz_account_id: account,
        field: "account_update",
        value: { event: "PARTNER_REMOVED" }
      })
      const [removed] = yield* changes(1)
      assert.strictEqual(removed.entry, "555")
      assert.deepStrictEqual(removed.value.waba_info, { waba_id: account, owner_business_id: "555" })
      yield* control("/notices", { biz_account_id: account, field: "phone_number_quality_update", value: {} })
      const quality = (yield* changes(2))[1]
      assert.deepInclude(quality.value, { event: "UPGRADE", max_daily_conversations_per_business: "TIER_10K" })
      assert.notProperty(quality.value, "current_limit")
      assert.strictEqual((yield* control("/notices", { biz_account_id: account, field: "other" })).status, 400)
    }).pipe(Effect.scoped)
)

it.live("a strict platform refuses what the platform refuses (U-SIM-01)", () =>
  Effect.gen(function* () {
    const { call, raw, send } = yield* stage
    const to = { to: "5511912345678" }
    const body = { text: "x" }
    const reply = (id: string, title: string) => ({ type: "reply", reply: { id, title } })
    const button = (more: object) => ({ ...to, type: "interactive", interactive: { type: "button", body, ...more } })
    const list = (count: number) => ({
      ...to,
      type: "interactive",
      interactive: {
        type: "list",
        body,
        action: {
          button: "Ver",
          sections: [{ rows: Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: `T${at}` })) }]
        }
      }
    })
    const refused: ReadonlyArray<readonly [message: object, code: number]> = [
      [{ ...to, messaging_product: "chatapp", type: "text", text: { body: "x" } }, 100],
      [{ ...to, recipient_type: "channel", type: "text", text: { body: "x" } }, 100],
      [{ ...to, type: "text", text: { body: "x", bold: true } }, 100],
      [{ ...to, type: "text", text: {} }, 131008],
      [{ ...to, type: "text", text: { body: "x".repeat(4097) } }, 131009],
      [{ ...to, type: "image", image: {} }, 131009],
      [button({ header: { text: "H" }, action: { buttons: [reply("a", "Sim")] } }), 131008],
      [button({ action: { buttons: [reply("a", "Sim"), reply("a", "Não")] } }), 131009],
      [button({ action: { buttons: [reply("a", "x".repeat(21))] } }), 131009],
      [list(11), 131009],
      [list(0), 131009],
      [{ ...to, type: "location", location: { latitude: 91, longitude: 0 } }, 131009],
      [{ to: "group", recipient_type: "group", type: "location", location: { latitude: 1, longitude: 0 } }, 131051]
    ]
    for (const [message, code] of refused) {
      const { json } = yield* send(message)
      assert.strictEqual(json.error?.code, code, JSON.stringify([message, json]).slice(0, 600))
    }
    assert.strictEqual((yield* send(list(10))).status, 200)
    const form = new FormData()
    form.set("messaging_product", "whatsapp")
    form.set("file", new File(["x"], "foto", { type: "image/png" }))
    assert.strictEqual((yield* raw("POST", `/${number}/media`, form)).json.error.code, 100)
    const node = yield* call("GET", `/${account}?fields=id,permissions`)
    assert.include(node.json.error.error_data.details, "nonexisting field (permissions)")
    const flow = yield* call("POST", `/${account}/flows`, { name: "x", categories: [] })
    assert.strictEqual(flow.json.error.code, 100)
  }).pipe(Effect.scoped)
)

it.live("templates are submitted and sent in the platform's form alone (U-SIM-01, U-TPL-02, U-TPL-04, U-SND-05)", () =>
  Effect.gen(function* () {
    const { call, send } = yield* stage
    const submit = (name: string, category: string, components: ReadonlyArray<object>) =>
      call("POST", `/${account}/message_templates`, { name, language: "pt_BR", category, components })
    const greeting = { type: "BODY", text: "Oi {{1}}, tudo bem?" }
    const refused: ReadonlyArray<readonly [category: string, components: ReadonlyArray<object>]> = [
      ["UTILITY", [{ ...greeting, example: { body_text: ["Ana"] } }]],
      ["UTILITY", [greeting]],
      [
        "UTILITY",
        [
          { type: "HEADER", format: "IMAGE", example: { header_handle: ["9818"] } },
          { type: "BODY", text: "x" }
        ]
      ],
      [
        "UTILITY",
        [
          { type: "BODY", text: "x" },
          { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "a", payload: "b" }] }
        ]
      ],
      [
        "AUTHENTICATION",
        [
          { type: "BODY", text: "Use {{1}}" },
          { type: "BUTTONS", buttons: [{ type: "COPY_CODE", example: "1" }] }
        ]
      ]
    ]
    for (const [at, [category, components]] of refused.entries()) {
      assert.strictEqual((yield* submit(`t${at}`, category, components)).status, 400, JSON.stringify(components))
    }
    yield* submit("ok", "UTILITY", [{ ...greeting, example: { body_text: [["Ana"]] } }])
    yield* submit("auth", "AUTHENTICATION", [
      { type: "BODY", add_security_recommendation: true },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copiar" }] }
    ])
    const body = (text: string) => ({ type: "body", parameters: [{ type: "text", text }] })
    const button = { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "123456" }] }
    const template = (name: string, components: ReadonlyArray<object>, to: object = { to: "5511912345678" }) =>
      Effect.map(
        send({ ...to, type: "template", template: { name, language: { code: "pt_BR" }, components } }),
        ({ json }) => json.error?.code ?? 200
      )
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    assert.strictEqual(yield* template("ok", [body("a\nb")]), 132018)
    assert.strictEqual(yield* template("ok", [body("a     b")]), 132018)
    assert.strictEqual(yield* template("auth", [body("123456")]), 131008)
    assert.strictEqual(yield* template("auth", [body("123456"), button], { recipient: "BR.42" }), 131062)
  }).pipe(Effect.scoped)
)
