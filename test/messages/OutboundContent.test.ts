import { contentOf } from "@carteiro/schema/messages/content/OutboundContent.ts"
import { MessagesApi } from "@carteiro/schema/messages/MessagesApi.ts"
import { SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { bodyVerdict, withField } from "./Decoding.ts"

const verdict = bodyVerdict(MessagesApi, "create")

const bodyOf = (message: object) => ({
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3" },
  recipient: { type: "phone_e164", id: "+5511912345678" },
  message
})

const ok = (message: object) => assert.strictEqual(verdict(bodyOf(message)), "ok", JSON.stringify(message))

/** The refusal of a message with one value changed, as the param below `message`. */
const refused = (message: object, path: string, value: unknown, param = path) =>
  assert.strictEqual(
    verdict(bodyOf(withField(message, path, value))),
    `invalid_message_request message.${param}`,
    `${path} = ${JSON.stringify(value)?.slice(0, 100)}`
  )

const taken = (message: object, path: string, value: unknown) => ok(withField(message, path, value))

const stored = (message: object): object => contentOf(Schema.decodeUnknownSync(SendMessage)(bodyOf(message)).message)

const template = {
  type: "template",
  template: {
    name: "promo",
    language: "pt_BR",
    variables: { first_name: "Ana" },
    components: [
      { type: "header", parameters: [{ type: "text", parameter_name: "city", text: "Santos" }] },
      { type: "button", sub_type: "url", index: 0, parameters: [{ type: "text", text: "42" }] }
    ],
    header_media: { kind: "image", asset_id: "mda_01kah7v3m8q6x2r9d4t5w0y1z3" }
  }
}

describe("a template in POST /v1/messages", () => {
  it("needs name and language, and takes values in three places M-MSG-26 M-MSG-28 M-MSG-31 M-MSG-32", () => {
    ok(template)
    ok({ type: "template", template: { name: "welcome", language: "pt_BR" } })
    for (const path of ["template.name", "template.language"]) {
      refused(template, path, undefined)
      refused(template, path, null)
      refused(template, path, "")
    }
  })

  it("has its language as a string code, not as an object M-MSG-27", () => {
    refused(template, "template.language", { code: "pt_BR" })
  })

  it("ignores parameter_format like any unknown field M-MSG-33", () => {
    taken(template, "template.parameter_format", "NAMED")
    assert.notProperty(stored(withField(template, "template.parameter_format", "NAMED")), "parameter_format")
  })

  it("limits values to 1 to 1024 characters, gaps-2 B Content bounds and optional fields", () => {
    taken(template, "template.variables", { 1: "👍".repeat(1024) })
    refused(template, "template.variables", { 1: "👍".repeat(1025) }, "template.variables.1")
    // Whether it may be empty is checked with the approved version.
    taken(template, "template.variables", { 1: "" })
    refused(template, "template.variables", { 1: 7 }, "template.variables.1")
    refused(template, "template.variables", [], "template.variables")
  })

  it("distinguishes header and button, and accepts an index of 0 to 9 as number or text M-MSG-31", () => {
    for (const index of [0, 9, "0", "9"]) taken(template, "template.components.1.index", index)
    for (const index of [-1, 10, 1.5, "10", "x", true]) refused(template, "template.components.1.index", index)
    refused(template, "template.components.1.index", undefined)
    refused(template, "template.components.1.sub_type", undefined)
    refused(template, "template.components.1.sub_type", "quick_reply")
    refused(template, "template.components.0.type", "body")
    refused(template, "template.components.0.parameters", undefined)
    refused(template, "template.components.0.parameters.0.type", "currency")
    refused(template, "template.components.0.parameters.0.text", "x".repeat(1025))
  })

  it("accepts header media from exactly one source M-MSG-32", () => {
    const media = "template.header_media"
    taken(template, media, { kind: "video", link: "https://example.test/a.mp4" })
    taken(template, media, { kind: "document", id: "1234", filename: "a.pdf" })
    refused(template, media, { kind: "image" })
    refused(template, media, { kind: "image", id: "1", link: "https://example.test/a.png" })
    refused(template, `${media}.kind`, "audio")
  })
})

const media = { type: "media", media: { kind: "audio", asset_id: "mda_01kah7v3m8q6x2r9d4t5w0y1z3" } }
const image = { type: "media", media: { kind: "image", id: "1234" } }
const tts = { type: "tts", provider: "speechprov1", text: "Olá", voice: "nova", language: "pt-BR" }

describe("a file in POST /v1/messages", () => {
  it("is of five kinds M-MSG-40", () => {
    for (const kind of ["image", "document", "audio", "video", "sticker"]) taken(image, "media.kind", kind)
    for (const kind of ["voice", "Image", "", 1, null, undefined]) refused(image, "media.kind", kind)
  })

  it("comes from exactly one source M-MSG-45", () => {
    const sources = {
      id: "1234",
      link: "https://example.test/a.png",
      asset_id: "mda_01kah7v3m8q6x2r9d4t5w0y1z3",
      inline: { mime_type: "audio/ogg", data_base64: "AAAA" },
      source: tts
    }
    for (const [name, value] of Object.entries(sources)) ok({ type: "media", media: { kind: "audio", [name]: value } })
    refused({ type: "media", media: { kind: "audio" } }, "media", { kind: "audio" })
    refused(media, "media.id", "1", "media")
    ok({ type: "media", media: { kind: "audio", asset_id: "mda_1", id: null, inline: null } })
  })

  it("is a voice note only as audio M-MSG-41", () => {
    for (const voice of [true, false, null]) taken(media, "media.voice", voice)
    refused(media, "media.voice", "yes")
    refused(image, "media.voice", true)
    refused(image, "media.voice", false)
  })

  it("has caption and filename only for kinds that show them, gaps-2 B Content bounds and optional fields", () => {
    for (const kind of ["image", "video", "document"]) {
      ok({ type: "media", media: { kind, id: "1", caption: "x".repeat(1024) } })
    }
    taken(image, "media.caption", "")
    refused(image, "media.caption", "x".repeat(1025))
    refused(media, "media.caption", "x")
    ok({ type: "media", media: { kind: "document", id: "1", filename: "x".repeat(255) } })
    refused(image, "media.filename", "a.png")
    refused({ type: "media", media: { kind: "document", id: "1" } }, "media.filename", "")
  })

  it("limits each source, gaps-2 B Media source shapes", () => {
    taken(image, "media.id", "x".repeat(255))
    refused(image, "media.id", "x".repeat(256))
    const link = { type: "media", media: { kind: "image", link: "http://example.test/a" } }
    ok(link)
    taken(link, "media.link", `https://example.test/${"x".repeat(2048 - 21)}`)
    refused(link, "media.link", `https://example.test/${"x".repeat(2048 - 20)}`)
    for (const bad of ["ftp://example.test/a", "example.test", "javascript:alert(1)", "", 5]) {
      refused(link, "media.link", bad)
    }
    for (const bad of ["", "1234", "msg_1", "mda_", "mda_A", 5]) refused(media, "media.asset_id", bad)
  })

  it("accepts inline bytes up to 5 MiB decoded, gaps-2 B Media source shapes", () => {
    const inline = { type: "media", media: { kind: "image", inline: { mime_type: "image/png", data_base64: "aGk=" } } }
    ok(inline)
    const most = Buffer.alloc(5 * 1_048_576).toString("base64")
    taken(inline, "media.inline.data_base64", most)
    refused(inline, "media.inline.data_base64", Buffer.alloc(5 * 1_048_576 + 1).toString("base64"))
    for (const bad of ["", "a", "a===", "aGk", "aG k", "aGk-", 5]) refused(inline, "media.inline.data_base64", bad)
    refused(inline, "media.inline.mime_type", "")
    assert.deepStrictEqual(stored(inline), {
      type: "media",
      media: { kind: "image", inline: { mime_type: "image/png", byte_length: 2 } }
    })
  })

  it("may be rendered from a text by one of three providers M-MSG-46", () => {
    const speech = { type: "media", media: { kind: "audio", source: tts } }
    for (const provider of ["speechprov1", "speechprov2", "speechprov3"]) {
      taken(speech, "media.source.provider", provider)
    }
    refused(speech, "media.source.provider", "speechprov4")
    refused(speech, "media.source.type", "stt")
    refused(speech, "media.source.text", "")
    refused(speech, "media.source.text", "x".repeat(4097))
    refused(speech, "media.source.voice", "x".repeat(129))
    for (const language of ["p", "x".repeat(9)]) refused(speech, "media.source.language", language)
    refused(speech, "media.kind", "video", "media.source")
  })

  it("stores the text to speak unchanged M-MSG-47", () => {
    const text = "  Olá,\n<b>você</b>\t"
    assert.deepStrictEqual(stored({ type: "media", media: { kind: "audio", source: { ...tts, text } } }), {
      type: "media",
      media: { kind: "audio", source: { ...tts, text } }
    })
  })
})

const button = {
  type: "interactive",
  interactive: {
    type: "button",
    header: { text: "Oi" },
    body: { text: "Confirma?" },
    footer: { text: "Loja" },
    action: { buttons: [{ type: "reply", reply: { id: "yes", title: "Sim" } }] }
  }
}
const buttons = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ type: "reply", reply: { id: `b${n}`, title: `B${n}` } }))

describe("buttons in POST /v1/messages", () => {
  it("belong to a text M-MSG-48", () => {
    ok(button)
    refused(button, "interactive.body", undefined)
    refused(button, "interactive.body.text", "")
    refused(button, "interactive.body.text", "x".repeat(1025))
  })

  it("are one to three M-MSG-49 M-LIM-03", () => {
    for (const count of [1, 2, 3]) taken(button, "interactive.action.buttons", buttons(count))
    for (const count of [0, 4]) refused(button, "interactive.action.buttons", buttons(count))
    refused(button, "interactive.action.buttons.0.type", "url")
    refused(button, "interactive.action.buttons.0.reply", undefined)
  })

  it("have ids and titles of their own, gaps-2 B Content bounds and optional fields", () => {
    const place = "interactive.action.buttons"
    const [first] = buttons(1)
    const same = (change: object) => [first, { type: "reply", reply: { id: "x", title: "X", ...change } }]
    refused(button, place, same({ id: "b0" }), `${place}.1.reply.id`)
    refused(button, place, same({ title: "B0" }), `${place}.1.reply.title`)
    refused(button, `${place}.0.reply.id`, "x".repeat(257))
    refused(button, `${place}.0.reply.title`, "x".repeat(21))
    refused(button, "interactive.header.text", "x".repeat(61))
    refused(button, "interactive.footer.text", "")
  })

  it("name interactive.type for another type, gaps-2 B Content bounds and optional fields", () => {
    for (const type of ["carousel", "product", "", undefined, 5]) refused(button, "interactive.type", type)
  })
})

const order = {
  type: "interactive",
  interactive: {
    type: "order_details",
    body: { text: "Seu pedido" },
    action: {
      name: "review_and_pay",
      parameters: {
        reference_id: "order-42",
        type: "digital-goods",
        payment_type: "br",
        payment_settings: [
          {
            type: "pix_dynamic_code",
            pix_dynamic_code: { code: "00020126", merchant_name: "Loja", key: "11222333000181", key_type: "CNPJ" }
          }
        ],
        currency: "BRL",
        total_amount: { value: 1990, offset: 100 }
      }
    }
  }
}
const parameters = "interactive.action.parameters"

describe("an order in POST /v1/messages", () => {
  it("is accepted as documented and stored unchanged M-MSG-52..55 M-MSG-58", () => {
    ok(order)
    assert.deepStrictEqual(stored(order), order)
  })

  it("is refused without a part, or with another constant M-MSG-52 M-MSG-53 M-MSG-54 M-MSG-55", () => {
    for (const path of [
      "interactive.body",
      "interactive.body.text",
      "interactive.action",
      "interactive.action.name",
      parameters,
      ...["reference_id", "type", "payment_type", "payment_settings", "currency", "total_amount"].map(
        (name) => `${parameters}.${name}`
      ),
      ...["code", "merchant_name", "key", "key_type"].map(
        (name) => `${parameters}.payment_settings.0.pix_dynamic_code.${name}`
      ),
      `${parameters}.payment_settings.0.type`,
      `${parameters}.total_amount.value`,
      `${parameters}.total_amount.offset`
    ]) {
      refused(order, path, undefined)
      refused(order, path, "")
    }
    for (const value of [0, -1, 1.5, "1990"]) refused(order, `${parameters}.total_amount.value`, value)
    for (const offset of [1, 1000, "100"]) refused(order, `${parameters}.total_amount.offset`, offset)
    refused(order, `${parameters}.payment_settings`, [])
    const [setting] = order.interactive.action.parameters.payment_settings
    taken(order, `${parameters}.payment_settings`, new Array(10).fill(setting))
    refused(order, `${parameters}.payment_settings`, new Array(11).fill(setting))
    for (const kind of ["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]) {
      taken(order, `${parameters}.payment_settings.0.pix_dynamic_code.key_type`, kind)
    }
    for (const kind of ["cnpj", "CHAVE", "PHONE_NUMBER"]) {
      refused(order, `${parameters}.payment_settings.0.pix_dynamic_code.key_type`, kind)
    }
    taken(order, `${parameters}.reference_id`, "x".repeat(35))
    refused(order, `${parameters}.reference_id`, "x".repeat(36))
  })

  it("refuses unknown fields at every depth, after violations of the contract M-MSG-51", () => {
    for (const place of [
      "interactive",
      "interactive.body",
      "interactive.action",
      parameters,
      `${parameters}.payment_settings.0`,
      `${parameters}.payment_settings.0.pix_dynamic_code`,
      `${parameters}.total_amount`
    ]) {
      refused(order, `${place}.surplus`, 1)
    }
    refused(order, "interactive.header", { text: "Oi" })
    const broken = withField(order, "interactive.body.surplus", 1)
    refused(broken, `${parameters}.currency`, "USD")
  })
})

const flow = {
  type: "flow",
  flow: {
    body: { text: "Responda" },
    action: { name: "flow", parameters: { flow_id: "1234", flow_token: "token", flow_cta: "Abrir" } }
  }
}
const inFlow = "flow.action.parameters"

describe("a flow in POST /v1/messages", () => {
  it("needs a text and the action flow M-FLOW-01", () => {
    ok(flow)
    for (const path of ["flow.body", "flow.body.text", "flow.action", "flow.action.name", inFlow]) {
      refused(flow, path, undefined)
      refused(flow, path, 5)
    }
    refused(flow, "flow.action.name", "open")
    refused(flow, "flow.body.text", "x".repeat(1025))
  })

  it("is named by exactly one of flow_id and flow_name M-FLOW-02", () => {
    refused(flow, `${inFlow}.flow_name`, "survey", inFlow)
    refused(flow, `${inFlow}.flow_id`, undefined, inFlow)
    ok({
      type: "flow",
      flow: {
        body: { text: "a" },
        action: { name: "flow", parameters: { flow_name: "survey", flow_token: "t", flow_cta: "Abrir" } }
      }
    })
  })

  it("needs a token and a label of at most 30 characters M-FLOW-04 M-FLOW-05 M-LIM-03", () => {
    for (const path of [`${inFlow}.flow_token`, `${inFlow}.flow_cta`]) {
      refused(flow, path, undefined)
      refused(flow, path, "")
    }
    taken(flow, `${inFlow}.flow_cta`, "👍".repeat(30))
    refused(flow, `${inFlow}.flow_cta`, "x".repeat(31))
    taken(flow, `${inFlow}.flow_token`, "x".repeat(256))
    refused(flow, `${inFlow}.flow_token`, "x".repeat(257))
  })

  it("takes mode, action and payload, and keeps the payload as sent, gaps-2 B Content bounds and optional fields", () => {
    for (const mode of ["published", "draft", null]) taken(flow, `${inFlow}.mode`, mode)
    refused(flow, `${inFlow}.mode`, "live")
    for (const action of ["navigate", "data_exchange"]) taken(flow, `${inFlow}.flow_action`, action)
    refused(flow, `${inFlow}.flow_action`, "close")
    refused(flow, `${inFlow}.flow_action_payload`, [])
    const flow_action_payload = { screen: "A", data: { nothing: null } }
    const kept = stored(withField(flow, `${inFlow}.flow_action_payload`, flow_action_payload))
    assert.deepStrictEqual(kept, withField(flow, `${inFlow}.flow_action_payload`, flow_action_payload))
  })
})

describe("a reaction in POST /v1/messages", () => {
  const reaction = { type: "reaction", reaction: { message_id: "msg_1", emoji: "👍" } }

  it("is one emoji, or empty to remove it M-REACT-01 M-REACT-02", () => {
    for (const emoji of ["", "👍", "👍🏽", "❤️", "❤", "👩‍👩‍👧‍👦", "🇧🇷", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])
      taken(reaction, "reaction.emoji", emoji)
    for (const emoji of ["👍👍", "a", "ok", "1", " 👍", "🇧", null, undefined, 5, "👍".repeat(40)]) {
      refused(reaction, "reaction.emoji", emoji)
    }
    refused(reaction, "reaction.message_id", undefined)
  })
})
