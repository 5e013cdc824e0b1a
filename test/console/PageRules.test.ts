import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import type { Topup } from "@carteiro/schema/billing/OwnAccountApi.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InvalidPhoneE164 } from "@carteiro/schema/messages/MessageErrors.ts"
import type { SendableTemplate } from "@carteiro/schema/templates/TemplateLookupsApi.ts"
import { subscribableEvents } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { withoutFaulty } from "../../packages/console/batches/BatchForm.ts"
import { topupPage } from "../../packages/console/billing/TopUpHttp.ts"
import { readAnswer, readSimulation } from "../../packages/console/chat/ChatForms.ts"
import { stackedBars } from "../../packages/console/kit/Charts.ts"
import { html } from "../../packages/console/kit/Html.ts"
import { refusedProject } from "../../packages/console/projects/ProjectsHttp.ts"
import { codesLast } from "../../packages/console/templates/TemplateSend.ts"
import { storedEndpoint, typedEndpoint, updateBody } from "../../packages/console/webhooks/EndpointForm.ts"
import { textOf } from "./Visitor.ts"

const number = "pn_01kjqa8x1v3m7c5d9e2f4g6h8x"
const customer = "+5511999997777"

/** Returns the code and the field of a refusal; undefined for a body that was taken. */
const refusal = <A>(read: Result.Result<A, ApiError>) =>
  Result.isFailure(read) ? [read.failure._tag, read.failure.param] : undefined

const formOf = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields)

describe("A batch with faulty rows", () => {
  const batch: CreateBatch = {
    sender: { type: "chatapp_phone_number", id: number },
    template: { name: "welcome", language: "pt_BR" }
  }

  it("keeps exactly the recipients that its plan found no fault in, in their order", () => {
    const faults = fc.uniqueArray(fc.nat(12))
    fc.assert(
      fc.property(fc.nat(12), faults, (count, faulty) => {
        const recipients = Array.from({ length: count }, (_, index) => ({ to: `+55119000000${index}` }))
        const error = new InvalidPhoneE164({ param: "to" })
        const left = withoutFaulty({ ...batch, recipients }, { faulty: faulty.map((index) => ({ index, error })) })
        assert.deepStrictEqual(left, { ...batch, recipients: recipients.filter((_, index) => !faulty.includes(index)) })
      })
    )
  })

  it("to an audience names no recipients", () => {
    const toAudience = { ...batch, audience_id: "aud_01kjqa8x1v3m7c5d9e2f4g6h8x" }
    assert.deepStrictEqual(withoutFaulty(toAudience, { faulty: [] }), toAudience)
  })
})

describe("Templates to send", () => {
  it("stand in their order, those of one-time codes last: none of them is proposed while there is another", () => {
    const categories = fc.array(fc.constantFrom("authentication", "marketing", "utility"))
    fc.assert(
      fc.property(categories, (wanted) => {
        const templates = wanted.map(
          (category, index): SendableTemplate => ({
            id: `tpl_${index}`,
            object: "sendable_template",
            name: `t${index}`,
            language: "pt_BR",
            category,
            components: []
          })
        )
        const of = (isOfCodes: boolean) =>
          templates.filter(({ category }) => (category === "authentication") === isOfCodes)
        assert.deepStrictEqual(codesLast(templates), [...of(false), ...of(true)])
      })
    )
  })
})

describe("The page of a top-up", () => {
  const bank = "https://bank.test/secret_1"
  const open: Topup = {
    id: "ctu_01kjqa8x1v3m7c5d9e2f4g6h8x",
    object: "credit_topup",
    kind: "cash",
    status: "pending",
    payment_method: "card",
    package_code: null,
    quota_messages: null,
    quota_remaining: null,
    amount_brl: "50.0000",
    provider: "cardproc",
    created_at: "2026-01-01T00:00:00.000Z",
    completed_at: null,
    cardproc_payment_intent_id: null,
    cardproc_client_secret: "secret_1",
    decline_code: null,
    authentication_url: bank
  }
  const shown = (topup: Topup, mayChange = true) => {
    const { again, body } = topupPage(topup, mayChange)
    return { moves: again !== undefined, leads: body.markup.includes(bank), text: textOf(body.markup) }
  }

  it("leads to the cardholder's bank while the charge waits, and only people who may change something", () => {
    assert.isTrue(shown(open).leads)
    assert.isFalse(shown(open, false).leads)
    assert.isFalse(shown({ ...open, authentication_url: null }).leads)
    for (const status of ["succeeded", "failed", "expired", "refunded"] as const) {
      assert.isFalse(shown({ ...open, status }).leads, status)
    }
  })

  it("moves and shows the Pix code until the top-up has ended", () => {
    const byPix: Topup = { ...open, payment_method: "pix", authentication_url: null, pix_copy_paste: "00020126" }
    const waits = shown(byPix)
    assert.isTrue(waits.moves)
    assert.include(waits.text, "00020126")
    const paid = shown({ ...byPix, status: "succeeded" })
    assert.isFalse(paid.moves)
    assert.notInclude(paid.text, "00020126")
    assert.include(paid.text, "Paid. The balance has it.")
  })
})

describe("The forms of the chat", () => {
  it("become what a customer sends, or the refusal of the route", () => {
    const common = { from: customer, to: number }
    for (const [fields, taken] of [
      [
        { type: "text", body: "Good morning" },
        { type: "text", text: { body: "Good morning" } }
      ],
      [
        { type: "media", kind: "image" },
        { type: "media", media: { kind: "image" } }
      ],
      [
        { type: "button_reply", id: "yes", title: "Yes" },
        { type: "interactive", interactive: { type: "button_reply", button_reply: { id: "yes", title: "Yes" } } }
      ],
      [
        { type: "list_reply", id: "row_1", title: "Row" },
        { type: "interactive", interactive: { type: "list_reply", list_reply: { id: "row_1", title: "Row" } } }
      ]
    ] as const) {
      const read = Result.getOrThrow(readSimulation(formOf({ ...common, ...fields })))
      assert.deepStrictEqual(JSON.parse(JSON.stringify(read)), { channel: "chatapp", ...common, ...taken })
    }
    for (const [fields, param] of [
      [{ type: "text", body: "" }, "text.body"],
      [{ type: "media", kind: "poem" }, "media.kind"],
      [{ type: "telegram" }, "type"]
    ] as const) {
      const read = readSimulation(formOf({ ...common, ...fields }))
      assert.deepStrictEqual(refusal(read), ["invalid_message_request", param])
    }
  })

  it("become a text from the number to the customer of the conversation", () => {
    assert.deepStrictEqual(Result.getOrThrow(readAnswer(formOf({ answer: "At nine." }), number, customer)), {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: number },
      recipient: { type: "phone_e164", id: customer },
      message: { type: "text", text: { body: "At nine." } }
    })
    const empty = readAnswer(formOf({ answer: "" }), number, customer)
    assert.deepStrictEqual(refusal(empty), ["invalid_message_request", "message.text.body"])
  })
})

describe("The form of a project", () => {
  it("is refused at its name, then at its slug; an empty slug is made from the name", () => {
    for (const [name, slug, field] of [
      ["Loja Norte", "", undefined],
      ["Loja Norte", "loja-norte", undefined],
      ["", "", "name"],
      ["x".repeat(121), "Loja Norte", "name"],
      ["Loja Norte", "Loja Norte", "slug"]
    ] as const) {
      assert.strictEqual(refusedProject({ name, slug })?.field, field, `${name} ${slug}`)
    }
  })
})

describe("The form of a webhook endpoint", () => {
  it("saved as it is shown changes nothing", () => {
    const events = fc.subarray(
      subscribableEvents.map(({ type }) => type),
      { minLength: 1 }
    )
    const description = fc.option(fc.stringMatching(/^[a-z]{1,20}$/))
    fc.assert(
      fc.property(description, events, (description, subscribed_events) => {
        const stored = { url: "https://shop.test/events", description, subscribed_events }
        const { url, ...shown } = storedEndpoint(stored)
        const sent = new URLSearchParams({ url, description: shown.description })
        for (const event of shown.events) sent.append("subscribed_events", event)
        assert.deepEqual<unknown>(Result.getOrThrow(updateBody(typedEndpoint(sent))), stored)
      })
    )
  })
})

describe("A chart of many days", () => {
  it("is drawn by the week, and loses nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 100 }), (values) => {
        const { markup } = stackedBars({
          id: "sent",
          caption: html`Messages`,
          said: html`Messages`,
          buckets: values.map((_, index) => html`day ${index}`),
          bucket: html`Day`,
          series: [{ name: html`Sent`, tone: "info", values }],
          write: String
        })
        const told = [...markup.matchAll(/<\/strong> (\d+)<\/span>/g)].map(([, value]) => Number(value))
        assert.lengthOf(told, values.length > 45 ? Math.ceil(values.length / 7) : values.length)
        assert.strictEqual(
          told.reduce((sum, value) => sum + value, 0),
          values.reduce((sum, value) => sum + value, 0)
        )
      })
    )
  })
})

describe("A bucket that is not over yet", () => {
  it("is drawn apart and says so, and is the only one", () => {
    const drawn = (isRunning: boolean) =>
      stackedBars({
        id: "sent",
        caption: html`Messages`,
        said: html`Messages`,
        buckets: [html`24 Nov`, html`25 Nov`],
        bucket: html`Day`,
        isRunning,
        series: [{ name: html`Sent`, tone: "info", values: [5, 3] }],
        write: String
      }).markup
    assert.lengthOf(drawn(true).match(/class="mark running /g) ?? [], 1)
    // Where its values are read: on the picture and in the table.
    assert.lengthOf(drawn(true).match(/25 Nov \(so far\)/g) ?? [], 2)
    assert.notInclude(drawn(true), "24 Nov (so far)")
    assert.notMatch(drawn(false), /running|so far/)
  })
})

describe("The axis of a chart", () => {
  it("is marked at whole numbers, whatever the highest value", () => {
    fc.assert(
      fc.property(fc.nat(20_000), (most) => {
        const { markup } = stackedBars({
          id: "sent",
          caption: html`Messages`,
          said: html`Messages`,
          buckets: [html`24 Nov`, html`25 Nov`],
          bucket: html`Day`,
          series: [{ name: html`Sent`, tone: "info", values: [0, most] }],
          write: String
        })
        const axis = /<ol class="ticks"[^>]*>(.*?)<\/ol>/.exec(markup)?.[1] ?? ""
        const marks = [...axis.matchAll(/<li>([^<]*)</g)].map(([, mark]) => Number(mark))
        assert.isAtLeast(marks[0] ?? 0, most)
        assert.isAtLeast(marks.length, 2)
        assert.deepStrictEqual(
          marks.filter((mark) => !Number.isInteger(mark)),
          []
        )
      })
    )
  })
})
