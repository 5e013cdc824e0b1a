import type { ChatContent, ChatFile } from "@carteiro/provider/ChatContent.ts"
import type { ChatSend } from "@carteiro/provider/ChatProvider.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { platform, simulated } from "./UpstreamStage.ts"

const customer = "5511912345678"
const text: ChatContent = { type: "text", body: "Olá", preview_url: false }

const sent = (message_id: string, content: ChatContent = text, more: Partial<ChatSend> = {}): ChatSend => ({
  message_id,
  channel: "chatapp",
  sender: { id: "pn_1", phone: "+5511900000001" },
  recipient: customer,
  content,
  reply_to: null,
  ...more
})

const bytes = new TextEncoder().encode("%PDF-1.4 bytes")
const file: ChatFile = {
  _tag: "Bytes",
  mime_type: "application/pdf",
  filename: 'conta "nova".pdf',
  byte_length: bytes.length,
  open: Effect.succeed(Stream.make(bytes))
}

/** The types of files that the platform has. */
const types = {
  image: "image/png",
  document: "application/pdf",
  audio: "audio/ogg",
  video: "video/mp4",
  sticker: "image/webp"
} as const

/** One of every kind; `idOf` names a file of a type that the platform has. */
const contents = (idOf: (type: string) => string): ReadonlyArray<readonly [type: string, content: ChatContent]> => {
  const handle = (kind: keyof typeof types): ChatFile => ({ _tag: "Handle", filename: null, id: idOf(types[kind]) })
  const media = (kind: keyof typeof types): readonly [string, ChatContent] => [
    kind,
    { type: "media", kind, file: handle(kind), caption: null, filename: null, voice: kind === "audio" }
  ]
  const template = { language: "pt_BR", buttons: [] }
  return [
    ["text", text],
    [
      "template",
      {
        type: "template",
        template: { ...template, name: "welcome", header: null, body: [{ name: null, text: "Ana" }] }
      }
    ],
    [
      "template",
      {
        type: "template",
        template: {
          ...template,
          name: "promo",
          header: { type: "media", kind: "image", file: handle("image"), filename: null },
          body: [{ name: "first_name", text: "Ana" }]
        }
      }
    ],
    media("image"),
    media("document"),
    media("audio"),
    media("video"),
    media("sticker"),
    ["document", { type: "media", kind: "document", file, caption: "a conta", filename: "conta.pdf", voice: false }],
    [
      "interactive",
      {
        type: "interactive",
        interactive: {
          type: "button",
          body: { text: "Confirma?" },
          action: { buttons: [{ type: "reply", reply: { id: "yes", title: "Sim" } }] }
        }
      }
    ],
    [
      "interactive",
      {
        type: "interactive",
        interactive: {
          type: "order_details",
          body: { text: "Seu pedido" },
          action: { name: "review_and_pay", parameters: { reference_id: "42" } }
        }
      }
    ],
    [
      "interactive",
      {
        type: "interactive",
        interactive: {
          type: "button",
          header: { type: "document", media: { id: "ours" } },
          body: { text: "Confirma?" },
          action: { buttons: [{ type: "reply", reply: { id: "yes", title: "Sim" } }] }
        },
        header: { kind: "document", file: handle("document"), filename: "nota.pdf" }
      }
    ],
    [
      "interactive",
      {
        type: "interactive",
        interactive: {
          type: "list",
          header: { text: "Horários" },
          body: { text: "Quando?" },
          action: { button: "Ver", sections: [{ rows: [{ id: "9h", title: "9h", description: "Com a Ana" }] }] }
        }
      }
    ],
    [
      "interactive",
      {
        type: "interactive",
        interactive: {
          type: "cta_url",
          body: { text: "Acompanhe." },
          action: { name: "cta_url", parameters: { display_text: "Ver", url: "https://loja.example/42" } }
        }
      }
    ],
    ["interactive", { type: "interactive", interactive: { type: "location_request", body: { text: "Onde?" } } }],
    ["location", { type: "location", location: { latitude: -23.5, longitude: -46.6, name: "MASP" } }],
    [
      "contacts",
      {
        type: "contacts",
        contacts: [{ name: "Ana", phones: ["+55 11 91234-5678"], emails: ["ana@example.com"], organization: "Loja" }]
      }
    ],
    ["interactive", { type: "flow", body: "Agende", parameters: { flow_id: "1", flow_cta: "Agendar" } }],
    ["reaction", { type: "reaction", provider_message_id: "mid.1", emoji: "👍" }],
    ["reaction", { type: "reaction", provider_message_id: "mid.1", emoji: "" }]
  ]
}

it.live(
  'every kind of message is taken, under our id and with its own gaps-2 E "Who calls the upstream", M-MSG-18',
  () =>
    Effect.gen(function* () {
      const { chat, simulator } = yield* platform
      const all = contents((type) => simulator.world.addFile(Buffer.from("bytes"), type).id)
      const ids = new Set<string>()
      for (const [n, [, content]] of all.entries()) {
        const answer = yield* chat.send(sent(`msg_${n}`, content, { reply_to: n % 2 === 0 ? null : "mid.quoted" }))
        if (answer._tag !== "Accepted") return assert.fail(`${content.type}: ${JSON.stringify(answer)}`)
        ids.add(answer.provider_message_id)
      }
      assert.strictEqual(ids.size, all.length)
      assert.deepStrictEqual(
        simulator.log.read(0, "message").map(({ message_id, outcome, to, type }) => [message_id, outcome, to, type]),
        all.map(([type], n) => [`msg_${n}`, "accepted", customer, type])
      )
    }).pipe(Effect.scoped)
)

it.live('a refusal is told with its number and our code, a full rate apart from it gaps-2 E "Upstream code map"', () =>
  Effect.gen(function* () {
    const { chat, fault, stranger } = yield* platform
    const refusals: ReadonlyArray<readonly [number, string]> = [
      [190, "provider_connection_unauthorized"],
      [200, "upstream_messaging_permission_missing"],
      [368, "upstream_business_account_locked"],
      [100, "upstream_rejected"],
      [131037, "upstream_display_name_not_approved"],
      [131042, "upstream_payment_method_required"],
      [131047, "service_window_required"],
      [131053, "upstream_media_download_failed"],
      [132000, "template_param_mismatch"],
      [132015, "template_unavailable"],
      [133010, "upstream_registration_required"],
      [141008, "upstream_account_inactive"]
    ]
    for (const [number, code] of refusals) {
      fault("refuse", "messages", number)
      const answer = yield* chat.send(sent(`msg_${number}`))
      assert.deepInclude(answer, { _tag: "Rejected", code })
      if (answer._tag === "Rejected") assert.deepInclude(answer.error, { provider: "upstream", code: number })
    }
    const unknownTemplate: ChatContent = {
      type: "template",
      template: { name: "unknown", language: "pt_BR", header: null, body: [], buttons: [] }
    }
    assert.deepInclude(yield* chat.send(sent("msg_template", unknownTemplate)), {
      _tag: "Rejected",
      code: "template_unavailable"
    })
    assert.deepInclude(yield* stranger.chat.send(sent("msg_stranger")), {
      _tag: "Rejected",
      code: "provider_connection_unauthorized"
    })
    for (const [name, reason] of [
      ["throughput", "throughput"],
      ["app_rate", "throughput"],
      ["pair", "pair"],
      ["error_500", "transient"]
    ] as const) {
      fault(name, "messages")
      assert.deepInclude(yield* chat.send(sent(`msg_${name}`)), { _tag: "NotSent", reason })
    }
  }).pipe(Effect.scoped)
)

it.live(
  "a message that may have arrived never counts as refused, and one that never left counts as refused M-DLV-22 M-DLV-23",
  () =>
    Effect.gen(function* () {
      const { chat, fault, hasty, nowhere, simulator } = yield* platform
      for (const name of ["reset_before", "reset_after", "malformed", "half_body", "bare_503"]) {
        fault(name, "messages")
        assert.deepStrictEqual(yield* chat.send(sent(`msg_${name}`)), { _tag: "Unknown" }, name)
      }
      for (const name of ["timeout_before", "timeout_after", "slow_body"]) {
        fault(name, "messages")
        assert.deepStrictEqual(yield* hasty.chat.send(sent(`msg_${name}`)), { _tag: "Unknown" }, name)
      }
      assert.deepInclude(yield* nowhere.chat.send(sent("msg_nowhere")), { _tag: "NotSent", reason: "transient" })
      const taken = simulator.log.read(0, "message").filter(({ outcome }) => outcome === "accepted")
      assert.deepStrictEqual(
        taken.map(({ fault }) => fault),
        ["reset_after", "malformed", "half_body", "timeout_after", "slow_body"]
      )
    }).pipe(Effect.scoped)
)

it.live('a file that does not arrive keeps its message from being posted gaps-2 E "Retry policy"', () =>
  Effect.gen(function* () {
    const { chat, fault, simulator } = yield* platform
    const content: ChatContent = { type: "media", kind: "document", file, caption: null, filename: null, voice: false }
    fault("fail_upload", "media")
    assert.deepInclude(yield* chat.send(sent("msg_1", content)), { _tag: "NotSent", reason: "transient" })
    fault("refuse_upload", "media")
    assert.deepInclude(yield* chat.send(sent("msg_2", content)), {
      _tag: "Rejected",
      code: "upstream_media_download_failed"
    })
    const broken: ChatContent = { ...content, file: { ...file, open: Effect.succeed(Stream.fail("disk")) } }
    assert.deepInclude(yield* chat.send(sent("msg_3", broken)), { _tag: "NotSent" })
    assert.deepStrictEqual(simulator.log.read(0, "message"), [])
  }).pipe(Effect.scoped)
)

it.live("read receipts and typing name the message they answer, and a lost one is reported as lost", () =>
  Effect.gen(function* () {
    const { chat, fault, hasty, simulator, stranger } = yield* platform
    assert.deepStrictEqual(yield* chat.acknowledge("mid.1", false), { _tag: "Done", value: undefined })
    assert.deepStrictEqual(yield* chat.acknowledge("mid.2", true), { _tag: "Done", value: undefined })
    assert.deepStrictEqual(
      simulator.log.read(0, "acknowledge").map(({ provider_message_id, typing }) => [provider_message_id, typing]),
      [
        ["mid.1", false],
        ["mid.2", true]
      ]
    )
    fault("refuse", "acknowledge", 131051)
    assert.deepInclude(yield* chat.acknowledge("mid.3", true), { _tag: "Refused", code: "upstream_rejected" })
    assert.deepInclude(yield* stranger.chat.acknowledge("mid.3", true), {
      _tag: "Refused",
      code: "provider_connection_unauthorized"
    })
    for (const name of ["reset_before", "reset_after", "error_500", "malformed"]) {
      fault(name, "acknowledge")
      assert.strictEqual((yield* chat.acknowledge("mid.4", false))._tag, "Failed", name)
    }
    fault("timeout_before", "acknowledge")
    assert.strictEqual((yield* hasty.chat.acknowledge("mid.5", false))._tag, "Failed")
  }).pipe(Effect.scoped)
)

it.live("the simulator answers and refuses as the platform does", () =>
  Effect.gen(function* () {
    const { wire } = yield* platform
    const path = `/${simulated.phone_number_id}/messages`
    const to = { messaging_product: "whatsapp", to: customer }
    const body = { ...to, type: "text", text: { body: "oi" } }
    const { json, status } = yield* wire("POST", path, body)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(json.contacts, [{ input: customer, wa_id: customer }])
    assert.match(json.messages[0].id, /^wamid\./)
    const refused = [
      [{ ...body, messaging_product: "other" }, 400, 100],
      [{ ...body, to: "12" }, 400, 100],
      [{ ...body, type: "poll" }, 400, 131051],
      [{ ...body, text: {} }, 400, 131008],
      [{ ...to, type: "image", image: { id: "404" } }, 400, 131053],
      [{ ...body, context: {} }, 400, 131008],
      [{ ...to, type: "template", template: { name: "welcome", language: { code: "pt_BR" } } }, 400, 132000],
      [{ messaging_product: "whatsapp", status: "read" }, 400, 131008]
    ] as const
    for (const [asked, code, number] of refused) {
      const answer = yield* wire("POST", path, asked)
      assert.deepStrictEqual([answer.status, answer.json.error.code], [code, number], JSON.stringify(asked))
    }
    assert.strictEqual((yield* wire("POST", path, body, "unknown")).json.error.code, 190)
    assert.strictEqual((yield* wire("POST", "/404/messages", body)).json.error.code, 100)
  }).pipe(Effect.scoped)
)
