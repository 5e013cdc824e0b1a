import { bodyDecoder, isRefusal } from "@carteiro/http-edge/Decoding.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InvalidMessageRequest } from "@carteiro/schema/messages/MessageErrors.ts"
import { SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import type { PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import type { SendableTemplate } from "@carteiro/schema/templates/TemplateLookupsApi.ts"
import { readPhone } from "@carteiro/spellings/Phone.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { errorAt, field, goesBack, isConfirmed, type Refused } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { sentence } from "../kit/Language.ts"
import { numberChoice } from "../kit/NumberLinks.ts"
import { makeOperationList, orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { csrfField, input, notice, select } from "../kit/Parts.ts"
import { type PreviewValues, phonePreview } from "../kit/PhonePreview.ts"
import { dialled, phoneHint, phoneRefusalText } from "../kit/PhoneText.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import {
  exampleLook,
  exampleSend,
  type SendValues,
  shownValues,
  templateContent,
  typedValues,
  valueFields
} from "./TemplateSend.ts"

const address = "/dashboard/templates"

/** Numbers that a test may come from: the newest. */
const mostOffered = 100

/** The form of a test as it was typed. */
interface TypedTest {
  readonly to: string
  readonly sender: string
  readonly values: SendValues | undefined
}

/** Sends an approved template to one phone, as its author would see it there: a send like any other. */
export const TemplateTestHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const numbers = (yield* makeOperationList)("phoneNumbers.list", operations.phoneNumbers.list)

    const found = Effect.fnUntraced(function* (visit: Visit) {
      const environment = yield* environmentOf(visit)
      const template_id = yield* idOf(visit, "tpl")
      const read = operations.templateLookups.getSendable(asVisitor(visit, environment), { params: { template_id } })
      return { environment, template: yield* orNotHere(read) }
    })

    const costOf = Effect.fnUntraced(function* (
      visit: Visit,
      kind: EnvironmentEntry["kind"],
      { category }: SendableTemplate
    ) {
      if (kind === "sandbox") return html`It costs nothing: a sandbox reaches no real phone.`
      const { amount_brl } = yield* operations.ownAccount.messagePrice(asVisitor(visit), { query: { category } })
      return amount_brl === null
        ? html`It reaches a real phone. Its price is not known: none is in effect.`
        : html`It reaches a real phone, and costs at most <strong>${formatReais(amount_brl)}</strong>.`
    })

    const show = Effect.fnUntraced(function* (
      visit: Visit,
      environment: EnvironmentEntry,
      template: SendableTemplate,
      typed: TypedTest,
      refused?: Refused<"to" | "form">,
      status = 400
    ): Effect.fn.Return<Outcome, ApiError> {
      const { rows } = yield* numbers(visit, environment, undefined, mostOffered, { status: "active" })
      const here = `${address}/${environment.id}/${template.id}`
      return {
        title: "Send a test",
        section: "templates",
        environment: environment.id,
        ...(refused && { status }),
        up: [here, html`${template.name}`],
        body: testForm({
          here,
          csrf: visit.csrf,
          template,
          typed,
          refused,
          numbers: rows,
          region: environment.default_region,
          where: environmentName(environment),
          business: environment.project_name,
          costs: yield* costOf(visit, environment.kind, template)
        })
      }
    })

    const send = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const { environment, template } = yield* found(visit)
      const typed = { to: field(sent, "to"), sender: field(sent, "sender"), values: typedValues(sent, template) }
      if (goesBack(sent)) return { ...(yield* show(visit, environment, template, typed)), changes: false }
      const { phone, refusal } = readPhone(typed.to, environment.default_region)
      if (phone === undefined) {
        return yield* show(visit, environment, template, typed, {
          field: "to",
          error: phoneRefusalText(refusal)
        })
      }
      const payload = decode({
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: typed.sender },
        recipient: { type: "phone_e164", id: phone },
        message: templateContent(template, typed.values)
      })
      if (environment.kind === "production" && !isRefusal(payload) && !isConfirmed(sent)) {
        return testQuestion({
          sent,
          phone,
          csrf: visit.csrf,
          environment,
          template,
          values: shownValues(template, typed.values),
          costs: yield* costOf(visit, environment.kind, template)
        })
      }
      const sending = isRefusal(payload)
        ? Effect.fail(payload)
        : operations.messages.create(asVisitor(visit, environment), { payload: payload as SendMessage })
      return yield* sending.pipe(
        Effect.map(
          ({ id }): Outcome => ({
            to: `/dashboard/messages/${environment.id}/${id}?done=test_sent`,
            audited: { after: { message: id } }
          })
        ),
        Effect.catchIf(
          ({ status }) => status < 500,
          (error) =>
            show(visit, environment, template, typed, { field: "form", error: refusalText(error) }, error.status)
        )
      )
    })

    const path = `${address}/:environment/:id/test`
    return Layer.merge(
      page({
        operation: "askTestTemplate",
        path,
        handler: (visit) =>
          Effect.flatMap(found(visit), ({ environment, template }) =>
            show(visit, environment, template, { to: "", sender: "", values: undefined })
          )
      }),
      action({ operation: "testTemplate", audit: "template.test_sent", path, handler: send })
    )
  })
)

interface TestQuestion {
  readonly sent: URLSearchParams
  readonly phone: string
  readonly csrf: string
  readonly environment: EnvironmentEntry
  readonly template: SendableTemplate
  readonly values: PreviewValues
  readonly costs: Html
}

/** Says to whom a test goes and what it costs, before it is sent to a real phone. */
const testQuestion = ({ costs, csrf, environment, phone, sent, template, values }: TestQuestion): Outcome => {
  const here = `${address}/${environment.id}/${template.id}/test`
  return confirmationPage({
    title: "Send this test?",
    section: "templates",
    environment: environment.id,
    up: [here, "Send a test"],
    action: here,
    csrf,
    explanation: html`<p>The template ${template.name} goes to ${dialled(phone)} from ${environmentName(environment)}. ${costs}</p>
${phonePreview(template.components, values, environment.project_name)}`,
    typed: sent,
    refills: true,
    button: "Send the test",
    dangerous: false
  })
}

const decode = bodyDecoder(SendMessage, { code: InvalidMessageRequest.code, strict: false })

interface TestForm {
  readonly here: string
  readonly csrf: string
  readonly template: SendableTemplate
  readonly typed: TypedTest
  readonly refused: Refused<"to" | "form"> | undefined
  readonly numbers: ReadonlyArray<PhoneNumber>
  /** The region of a number without a country code. */
  readonly region: string
  readonly where: Html
  /** Who writes, as the phone names it. */
  readonly business: string
  readonly costs: Html
}

const testForm = ({
  business,
  costs,
  csrf,
  here,
  numbers,
  refused,
  region,
  template,
  typed,
  where
}: TestForm): Html => {
  const { components } = template
  const values = typed.values === undefined ? exampleLook(components) : shownValues(template, typed.values)
  return html`<p>In ${where}. ${costs}</p>
${refused?.field === "form" && notice("bad", sentence(refused.error))}
<div class="editor"><div><form method="post" action="${here}/test">${csrfField(csrf)}
${input({ name: "to", label: "Your phone number", value: typed.to, error: errorAt(refused, "to"), required: true, plain: true, maxLength: 64, autofocus: true, hint: phoneHint(region) })}
${select({
  name: "sender",
  label: "Sender",
  choices: numbers.map((one) => [one.id, numberChoice(one)]),
  chosen: typed.sender,
  required: true
})}
${valueFields(template, typed.values ?? exampleSend(template))}
<div class="buttons"><button class="primary">Send the test</button>
<a class="button" href="${here}">Go back</a></div></form>
<p class="jump"><a class="button" href="#preview">Preview</a></p></div>
<div class="beside" id="preview">${phonePreview(components, values, business)}</div></div>`
}
