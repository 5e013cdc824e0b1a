import { MessagesApi } from "@carteiro/schema/messages/MessagesApi.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { bodyVerdict, withField } from "./Decoding.ts"
import { typedStage } from "./TypedSending.ts"

const verdict = bodyVerdict(MessagesApi, "create")

const bodyOf = (message: object) => ({
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3" },
  recipient: { type: "phone_e164", id: "+5511912345678" },
  message
})

/** The refusal of a message with one value changed, as the param below `message`. */
const refused = (message: object, path: string, value: unknown, param = path) =>
  assert.strictEqual(
    verdict(bodyOf(withField(message, path, value))),
    `invalid_message_request message.${param}`,
    `${path} = ${JSON.stringify(value)?.slice(0, 100)}`
  )
const taken = (message: object, path: string, value: unknown) =>
  assert.strictEqual(verdict(bodyOf(withField(message, path, value))), "ok", `${path} = ${JSON.stringify(value)}`)

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ id: `r${from + at}`, title: `Linha ${from + at}` }))
const list = {
  type: "interactive",
  interactive: {
    type: "list",
    header: { text: "Horários" },
    body: { text: "Quando?" },
    footer: { text: "Loja" },
    action: {
      button: "Ver horários",
      sections: [
        { title: "Manhã", rows: [{ id: "9h", title: "9h", description: "Com a Ana" }] },
        { title: "Tarde", rows: [{ id: "14h", title: "14h" }] }
      ]
    }
  }
}
const address = {
  type: "interactive",
  interactive: {
    type: "cta_url",
    body: { text: "Acompanhe o pedido." },
    action: { name: "cta_url", parameters: { display_text: "Ver pedido", url: "https://loja.example/pedidos/42" } }
  }
}
const request = { type: "interactive", interactive: { type: "location_request", body: { text: "Onde entregamos?" } } }
const location = { type: "location", location: { latitude: -23.5614, longitude: -46.6559, name: "MASP" } }
const contacts = { type: "contacts", contacts: [{ name: "Ana Souza", phones: ["+55 11 91234-5678"] }] }
const pictured = {
  type: "interactive",
  interactive: {
    type: "button",
    header: { type: "image", media: { link: "https://example.test/a.png" } },
    body: { text: "Confirma?" },
    action: { buttons: [{ type: "reply", reply: { id: "yes", title: "Sim" } }] }
  }
}

describe("Lists, addresses, locations and cards in POST /v1/messages", () => {
  it("a list has 1 to 10 rows in all, with unique ids, and titles where it has several sections U-SND-06", () => {
    const sections = "interactive.action.sections"
    taken(list, sections, [{ rows: rows(10) }])
    taken(list, sections, [
      { title: "A", rows: rows(5) },
      { title: "B", rows: rows(5, 5) }
    ])
    for (const none of [[], undefined]) refused(list, sections, none)
    refused(list, sections, [{ rows: [] }], `${sections}.0.rows`)
    refused(list, sections, [{ rows: rows(11) }], `${sections}.0.rows`)
    const eleven = [
      { title: "A", rows: rows(5) },
      { title: "B", rows: rows(6, 5) }
    ]
    refused(list, sections, eleven)
    refused(list, `${sections}.1.title`, undefined)
    refused(list, `${sections}.1.rows.0.id`, "9h")
    refused(list, `${sections}.0.title`, "x".repeat(25))
    for (const [path, most] of [
      [`${sections}.0.rows.0.id`, 200],
      [`${sections}.0.rows.0.title`, 24],
      [`${sections}.0.rows.0.description`, 72],
      ["interactive.action.button", 20],
      ["interactive.header.text", 60],
      ["interactive.footer.text", 60],
      ["interactive.body.text", 1024]
    ] as const) {
      taken(list, path, "x".repeat(most))
      refused(list, path, "x".repeat(most + 1))
      refused(list, path, "")
    }
    refused(list, "interactive.header.type", "image")
  })

  it("an address is an http or https one, with a label of 1 to 20 characters U-SND-06", () => {
    const parameters = "interactive.action.parameters"
    for (const url of ["ftp://loja.example", "loja.example", "", undefined]) refused(address, `${parameters}.url`, url)
    taken(address, `${parameters}.display_text`, "x".repeat(20))
    for (const label of ["", "x".repeat(21), undefined]) refused(address, `${parameters}.display_text`, label)
    refused(address, "interactive.action.name", "open")
    refused(request, "interactive.body", undefined)
  })

  it("a header is a line, or a file from exactly one source U-SND-06", () => {
    const header = "interactive.header"
    for (const type of ["image", "video", "document"]) taken(pictured, `${header}.type`, type)
    refused(pictured, `${header}.type`, "audio")
    refused(pictured, `${header}.type`, "text", `${header}.text`)
    refused(pictured, `${header}.text`, "Oi")
    refused(pictured, `${header}.media`, undefined)
    refused(pictured, `${header}.media`, {}, `${header}.media`)
    refused(pictured, `${header}.media`, { id: "1", link: "https://a.example/a.png" }, `${header}.media`)
    refused(pictured, `${header}.media.link`, "ftp://a.example")
    refused(pictured, `${header}.media.filename`, "a.png")
    taken(pictured, header, { type: "document", media: { id: "1", filename: "nota.pdf" } })
    taken(pictured, header, { text: "Oi" })
    refused(pictured, header, { text: "Oi", media: { id: "1" } }, `${header}.media`)
    taken(address, header, { type: "video", media: { asset_id: "mda_01kah7v3m8q6x2r9d4t5w0y1z3" } })
  })

  it("a location is on earth, a message has one to five cards with names U-SND-06", () => {
    for (const latitude of [-90, 0, 90]) taken(location, "location.latitude", latitude)
    for (const latitude of [-90.1, 91, "0", undefined]) refused(location, "location.latitude", latitude)
    for (const longitude of [-180.1, 181, null]) refused(location, "location.longitude", longitude)
    refused(location, "location.name", "x".repeat(1001))
    refused(location, "location", undefined)
    taken(contacts, "contacts", new Array(5).fill({ name: "Ana" }))
    refused(contacts, "contacts", new Array(6).fill({ name: "Ana" }))
    refused(contacts, "contacts", [])
    refused(contacts, "contacts.0.name", undefined)
    refused(contacts, "contacts.0.phones.0", "")
  })
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Rich sends", (it) => {
  it.effect("are stored, sent and read unchanged within an open window, and nothing without one U-SND-06", () =>
    Effect.gen(function* () {
      const { read, send } = yield* typedStage
      for (const message of [list, address, request, location, contacts]) {
        const { body, status, text } = yield* send(message)
        assert.strictEqual(status, 202, text)
        yield* turnBy(3000)
        const shown = yield* read(body.id)
        assert.deepInclude(shown, { type: message.type, status: "read", template_id: null, media: null })
        assert.deepStrictEqual(shown.payload.request, message)
        const stranger = { recipient: { type: "phone_e164", id: "+5521998765432" } }
        const refusal = yield* send(message, stranger)
        assert.deepStrictEqual(told(refusal), [400, "service_window_required", "message.type"])
        const broadcast = { channel: "chatapp_channel", recipient: { type: "chatapp_channel", id: "news" } }
        assert.deepStrictEqual(told(yield* send(message, broadcast)), [400, "invalid_message_request", "message.type"])
      }
    })
  )

  it.effect("are listed by their type U-SND-06", () =>
    Effect.gen(function* () {
      const { api, key, send } = yield* typedStage
      yield* send(location)
      yield* send(contacts)
      for (const type of ["location", "contacts"]) {
        const { body } = yield* api.get(`/v1/messages?type=${type}`, { key })
        assert.deepStrictEqual(
          body.data.map((message: { readonly type: string }) => message.type),
          [type]
        )
      }
    })
  )

  it.effect("with a file in the header wait for it, and fail without it U-SND-06 M-DLV-07", () =>
    Effect.gen(function* () {
      const { read, send } = yield* typedStage
      const header = { type: "image", media: { asset_id: "mda_01kah7v3m8q6x2r9d4t5w0y1z3" } }
      const sent = yield* send(withField(pictured, "interactive.header", header))
      assert.strictEqual(sent.status, 202, sent.text)
      yield* turnBy(60_000)
      assert.deepInclude(yield* read(sent.body.id), { status: "failed", error_code: "media_asset_not_found" })
    })
  )
})
