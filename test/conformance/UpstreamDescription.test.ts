import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { calls, platformOf } from "./UpstreamPlatform.ts"
import { amendments } from "./vendor/Amendments.ts"
import { description, isDescribed, undescribed } from "./vendor/Description.ts"
import { at, node } from "./vendor/Json.ts"
import { trafficFlaws } from "./vendor/Traffic.ts"

const { account, number } = platformOf
const to = { messaging_product: "whatsapp", recipient_type: "individual", to: "5511912345678" }
const body = { text: "Escolha" }

/** One of each kind of message that the description and the platform's pages show. */
const messages: ReadonlyArray<object> = [
  { ...to, type: "text", text: { body: "oi", preview_url: false } },
  { ...to, to: undefined, recipient: "BR.42", type: "text", text: { body: "oi" } },
  { ...to, type: "image", image: { link: "https://a.example/a.png", caption: "a" } },
  { ...to, type: "document", document: { link: "https://a.example/a.pdf", filename: "a.pdf" } },
  { ...to, type: "location", location: { latitude: -23.5, longitude: -46.6, name: "Praça", address: "Rua 1" } },
  {
    ...to,
    type: "contacts",
    contacts: [{ name: { formatted_name: "Ana", first_name: "Ana" }, phones: [{ phone: "1" }] }]
  },
  { ...to, type: "reaction", reaction: { message_id: "wamid.x", emoji: "👍" } },
  {
    ...to,
    type: "interactive",
    interactive: {
      type: "button",
      header: { type: "text", text: "H" },
      body,
      footer: body,
      action: { buttons: [{ type: "reply", reply: { id: "a", title: "Sim" } }] }
    }
  },
  {
    ...to,
    type: "interactive",
    interactive: {
      type: "list",
      body,
      action: { button: "Ver", sections: [{ title: "S", rows: [{ id: "a", title: "A" }] }] }
    }
  },
  {
    ...to,
    type: "interactive",
    interactive: {
      type: "cta_url",
      body,
      action: { name: "cta_url", parameters: { display_text: "Abrir", url: "https://a.example" } }
    }
  },
  {
    ...to,
    type: "interactive",
    interactive: {
      type: "flow",
      body,
      action: {
        name: "flow",
        parameters: { flow_message_version: "3", flow_id: "1", flow_cta: "Abrir", flow_token: "t" }
      }
    }
  },
  { messaging_product: "whatsapp", status: "read", message_id: "wamid.x", typing_indicator: { type: "text" } }
]

const context = { from: "5511900000001", id: "wamid.x" }
const reply = (interactive: object) => ({ type: "interactive", interactive, context })

/** One of each kind of message that customers write. */
const written: ReadonlyArray<object> = [
  { text: { body: "Olá" } },
  {
    text: { body: "Vi o anúncio" },
    referral: {
      source_url: "https://fb.me/x",
      source_id: "1",
      source_type: "ad",
      body: "b",
      headline: "h",
      media_type: "image",
      ctwa_clid: "c"
    }
  },
  { text: { body: "Tem?" }, context: { ...context, referred_product: { catalog_id: "1", product_retailer_id: "2" } } },
  { text: { body: "grupo" }, group_id: "Y2FwaQ" },
  { type: "image", image: { caption: "comprovante" } },
  { type: "document", document: { filename: "a.pdf", mime_type: "application/pdf" } },
  { type: "audio", audio: { voice: true, mime_type: "audio/ogg; codecs=opus" } },
  { type: "video", video: { mime_type: "video/mp4" } },
  { type: "sticker", sticker: { mime_type: "image/webp", animated: false } },
  { type: "location", location: { latitude: -23.5, longitude: -46.6, name: "Praça", address: "Rua 1" } },
  { type: "contacts", origin: "contact_request", contacts: [{ phones: [{ phone: "+5511912345678" }] }] },
  {
    type: "order",
    order: {
      catalog_id: "1",
      text: "",
      product_items: [{ product_retailer_id: "a", quantity: 1, item_price: 30, currency: "BRL" }]
    }
  },
  { type: "reaction", reaction: { message_id: "wamid.x", emoji: "👍" } },
  { type: "button", button: { payload: "P", text: "Parar" }, context },
  reply({ type: "button_reply", button_reply: { id: "a", title: "Sim" } }),
  reply({ type: "list_reply", list_reply: { id: "a", title: "A", description: "d" } }),
  { type: "unsupported" },
  { type: "edit", edit: { original_message_id: "wamid.x", message: { type: "text", text: { body: "b" } } } },
  { type: "revoke", revoke: { original_message_id: "wamid.x" } },
  { type: "system", system: { body: "User changed", wa_id: "5511900010099", type: "user_changed_number" } }
]

const notices = [
  "account_update",
  "account_alerts",
  "account_review_update",
  "business_capability_update",
  "payment_configuration_update",
  "phone_number_name_update",
  "phone_number_quality_update",
  "security"
]

describe.runIf(isDescribed)("The platform's description", () => {
  it("validates its own examples of webhooks once it is repaired (U-SIM-02)", () => {
    const { document, flaws } = description()
    const content = ["paths", "/whatsapp/webhooks", "post", "requestBody", "content", "application/json"]
    for (const [name, example] of Object.entries(at(document, ...content, "examples"))) {
      assert.deepStrictEqual(flaws([...content, "schema"], node(example).value), [], name)
    }
  })

  it("is changed with a reason and a source alone, and each change changes it (U-SIM-02)", () => {
    for (const { kind, reason, source } of amendments) {
      assert.include(["repair", "difference"], kind)
      assert.isAbove(reason.length, 20)
      assert.isAbove(source.length, 10)
    }
    assert.strictEqual(new Set(amendments.map(({ reason }) => reason)).size, amendments.length)
  })

  it("refuses what it does not describe, so that a comparison can fail (U-SIM-02)", () => {
    const call = {
      seq: 1,
      at: 0,
      kind: "call",
      method: "POST",
      path: "/v23.0/1/messages",
      type: "application/json",
      status: 200
    }
    const answer = { messaging_product: "whatsapp", contacts: [], messages: [] }
    assert.deepStrictEqual(trafficFlaws([{ ...call, request: messages[0], answer }]), [])
    const wrong = { ...to, recipient_type: "channel", type: "text", text: { body: "x" } }
    assert.isNotEmpty(trafficFlaws([{ ...call, request: wrong, answer }]))
    assert.isNotEmpty(trafficFlaws([{ ...call, path: "/v23.0/1/nothing", request: {}, answer }]))
  })
})

it.live(`every request, answer and webhook of the simulator is as described${undescribed} (U-SIM-01, U-SIM-02)`, () =>
  Effect.gen(function* () {
    const { call, control, raw, receiver, simulator } = yield* calls({ records: true })
    yield* call("POST", `/${account}/subscribed_apps`, {})
    yield* call("GET", `/${account}/subscribed_apps`)
    yield* control("/subscribe", { url: receiver.url })
    for (const message of messages) {
      const { json, status } = yield* call("POST", `/${number}/messages`, message)
      assert.strictEqual(status, 200, JSON.stringify([message, json]))
    }
    yield* call("POST", `/${number}/messages`, { ...to, type: "text", text: {} })
    const form = new FormData()
    form.set("messaging_product", "whatsapp")
    form.set("file", new File(["x"], "a.png", { type: "image/png" }))
    const { id } = (yield* raw("POST", `/${number}/media`, form)).json
    yield* call("GET", `/${id}`)
    for (const fields of ["", "?fields=id,status,whatsapp_business_manager_messaging_limit", "?fields=nothing"]) {
      yield* call("GET", `/${number}${fields}`)
      yield* call("GET", `/${account}/phone_numbers${fields}`)
    }
    yield* call(
      "GET",
      `/${account}?fields=id,name,account_review_status,health_status,owner_business_info,on_behalf_of_business_info`
    )
    yield* call("POST", `/${number}/register`, { messaging_product: "whatsapp", pin: "123456" })
    const example = { body_text: [["Ana"]] }
    yield* call("POST", `/${account}/message_templates`, {
      name: "t",
      language: "pt_BR",
      category: "UTILITY",
      components: [{ type: "BODY", text: "Oi {{1}}, tudo bem?", example }]
    })
    yield* call("GET", `/${account}/message_templates?fields=id,name,status`)
    const flow = new FormData()
    flow.set("name", "Agenda")
    flow.set("categories", '["OTHER"]')
    yield* raw("POST", `/${account}/flows`, flow)
    yield* call("GET", `/${account}/flows`)
    yield* call("POST", `/${number}/groups`, { messaging_product: "whatsapp", subject: "G" })
    for (const message of written) {
      const answer = yield* control("/inbound", {
        from: "+5511912345678",
        user_id: "BR.42",
        username: "@ana",
        ...message
      })
      assert.strictEqual(answer.status, 200, JSON.stringify(message))
    }
    yield* control("/inbound", { from: null, user_id: "BR.43", text: { body: "oi" } })
    yield* control("/echoes", { to: "+5511912345678", text: { body: "oi" } })
    for (const field of notices) {
      assert.strictEqual((yield* control("/notices", { biz_account_id: account, field })).status, 200, field)
    }
    yield* control("/inbound", { from: "+5511912345678", text: { body: "the last" } })
    yield* receiver.until((text) => text.includes("the last"))
    if (isDescribed) assert.deepStrictEqual(trafficFlaws(simulator.log.read(0, null)), [])
  }).pipe(Effect.scoped)
)
