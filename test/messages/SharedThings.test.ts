import { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { until } from "../support/Until.ts"
import { UpstreamProduct } from "../support/Upstream.ts"
import { upstreamCase } from "../support/UpstreamCase.ts"
import { hiddenStage } from "./HiddenStage.ts"

const phone = "5511900010001"

/** Tells a case and returns the read of its one message, with the event's content. */
const toldCase = (name: string) =>
  Effect.gen(function* () {
    const stage = yield* hiddenStage
    const { input } = upstreamCase(name)
    yield* stage.tell(input)
    const id = yield* stage.messageOf(input.entry[0].changes[0].value.messages[0].id)
    yield* until(Effect.map(stage.received(id), (data) => data !== undefined))
    const content = (yield* stage.received(id)).content
    assert.isTrue(Schema.is(InboundContent)(content))
    return { read: yield* stage.read(id), content }
  })

it.layer(UpstreamProduct(), { excludeTestServices: true })("What customers share", (it) => {
  it.effect("shows a location in event and read U-INB-02 M-INB-16", () =>
    Effect.gen(function* () {
      const { content, read } = yield* toldCase("location")
      const location = {
        latitude: -23.55,
        longitude: -46.63,
        name: "Praça",
        address: "Rua 1",
        url: "https://x.example"
      }
      assert.deepStrictEqual(content, { type: "unknown", unknown: { provider_type: "location", location } })
      assert.deepStrictEqual(read.unknown, { provider_type: "location", location })
    })
  )

  it.effect("shows an order in event and read, without what was not sent U-INB-02", () =>
    Effect.gen(function* () {
      const { content, read } = yield* toldCase("order")
      const order = {
        catalog_id: "194836987003835",
        items: [{ retailer_id: "di9", currency: "BRL", quantity: 2, item_price: 30 }]
      }
      assert.deepStrictEqual(content, { type: "unknown", unknown: { provider_type: "order", order } })
      assert.deepStrictEqual(read.unknown, { provider_type: "order", order })
    })
  )

  it.effect("shows cards of an address book in event and read U-INB-02", () =>
    Effect.gen(function* () {
      const { heard, read, received } = yield* hiddenStage
      const contacts = [
        {
          name: { formatted_name: "Ana Souza", first_name: "Ana" },
          phones: [
            { phone: "+55 11 91234-5678", wa_id: "5511912345678", type: "CELL" },
            { wa_id: "5511900000009" },
            {}
          ],
          emails: [{ email: "ana@example.com", type: "WORK" }],
          org: { company: "Padaria", title: "dona" }
        },
        "no card"
      ]
      const id = yield* heard({ from: phone }, "", { type: "contacts", contacts })
      const unknown = {
        provider_type: "contacts",
        contacts: [
          {
            name: "Ana Souza",
            phones: ["+55 11 91234-5678", "5511900000009"],
            emails: ["ana@example.com"],
            organization: "Padaria"
          },
          { phones: [], emails: [] }
        ]
      }
      assert.deepStrictEqual((yield* received(id)).content, { type: "unknown", unknown })
      assert.deepStrictEqual((yield* read(id)).unknown, unknown)
    })
  )

  it.effect("names the advertisement from which the customer wrote, in event and read U-INB-04 U-INB-05", () =>
    Effect.gen(function* () {
      const { messageOf, read, received, tell } = yield* hiddenStage
      const { input } = upstreamCase("referral-ctwa")
      yield* tell(input)
      const id = yield* messageOf(input.entry[0].changes[0].value.messages[0].id)
      const referral = {
        source_type: "ad",
        source_id: "120226305854810726",
        source_url: "https://fb.me/x",
        headline: "h",
        body: "b",
        click_id: "Aff-x"
      }
      const context = { reply_to: null, forwarded: false, frequently_forwarded: false, referral }
      const data = yield* received(id)
      assert.deepStrictEqual([data.referral, data.context], [referral, context])
      assert.deepStrictEqual((yield* read(id)).context, context)
    })
  )

  it.effect("names the product that the customer asks about, and forwarding, in event and read U-INB-04 U-INB-05", () =>
    Effect.gen(function* () {
      const { heard, read, received } = yield* hiddenStage
      const referred_product = { catalog_id: "c-1", product_retailer_id: "di9" }
      const id = yield* heard({ from: phone }, "oi", { context: { forwarded: true, referred_product } })
      const context = {
        reply_to: null,
        forwarded: true,
        frequently_forwarded: false,
        referred_product: { catalog_id: "c-1", retailer_id: "di9" }
      }
      const data = yield* received(id)
      assert.deepStrictEqual(data.context, context)
      assert.notProperty(data, "referral")
      assert.deepStrictEqual((yield* read(id)).context, context)
      assert.notProperty(yield* received(yield* heard({ from: phone })), "context")
    })
  )

  it.effect("keeps a location without degrees, and other types, as their type alone U-INB-02 M-INB-16", () =>
    Effect.gen(function* () {
      const { heard, read } = yield* hiddenStage
      for (const more of [
        { type: "location", location: { latitude: "north", longitude: 1 } },
        { type: "location", location: null },
        { type: "contacts", contacts: { name: 1 } },
        { type: "order", order: "one" },
        { type: "poll_creation", poll_creation: { latitude: 1 } }
      ]) {
        const id = yield* heard({ from: phone }, "", more)
        assert.deepStrictEqual((yield* read(id)).unknown, { provider_type: more.type })
      }
    })
  )

  it.effect("shows the text under an image U-MED-01 M-INB-04", () =>
    Effect.gen(function* () {
      const { messageOf, read, tell } = yield* hiddenStage
      const { input } = upstreamCase("image-caption")
      yield* tell(input)
      const id = yield* messageOf(input.entry[0].changes[0].value.messages[0].id)
      assert.strictEqual((yield* read(id)).media?.caption, "comprovante do pedido 123")
    })
  )

  it.effect("says null for a document without a text, and nothing for audio U-MED-01", () =>
    Effect.gen(function* () {
      const { heard, read } = yield* hiddenStage
      for (const [kind, caption] of [
        ["document", null],
        ["audio", undefined],
        ["sticker", undefined]
      ] as const) {
        const id = yield* heard({ from: phone }, "", { type: kind, [kind]: { id: `${kind}-1`, caption: undefined } })
        assert.strictEqual((yield* read(id)).media?.caption, caption, kind)
      }
    })
  )
})
