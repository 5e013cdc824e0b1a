import type { ContactEntry } from "@carteiro/schema/contacts/Contact.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { readPhone, readUnlistedPhone } from "@carteiro/spellings/Phone.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { makeContactOf } from "../kit/CustomerNames.ts"
import { environmentName, environmentOf } from "../kit/Environments.ts"
import { field, goesBack, isConfirmed, queryParameter } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { csrfField, facts, input, personText } from "../kit/Parts.ts"
import { dialled, phoneHint, phoneRefusalText } from "../kit/PhoneText.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { consentBadge, dashboardSource, reasonField, typedReason } from "./ContactParts.ts"

const address = "/dashboard/contacts"

/** Writes down that a customer wants no more messages, by phone: also one who never wrote and is no contact yet. */
export const OptOutByPhoneHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const contactOf = yield* makeContactOf

    const show = Effect.fnUntraced(function* (
      visit: Visit,
      typed: TypedOptOut,
      error?: Html,
      status = 400
    ): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      return {
        ...headOf(environment),
        title: "Opt a customer out",
        ...(error !== undefined && { status }),
        body: optOutForm(environment, visit.csrf, typed, error)
      }
    })

    const confirm = (visit: Visit, environment: EnvironmentEntry, phone: string, sent: URLSearchParams) =>
      Effect.map(contactOf(asVisitor(visit, environment), phone), (contact) =>
        question({ environment, phone, contact, sent, csrf: visit.csrf })
      )

    /** A page about one customer names the phone, and leads to the question at once. */
    const ask = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const written = queryParameter(visit.request, "phone") ?? ""
      const phone = phoneOf(written, environment)
      if (phone === undefined) return yield* show(visit, { phone: written, reason: "" })
      return yield* confirm(visit, environment, phone, new URLSearchParams({ phone }))
    })

    const optOut = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const typed = { phone: field(sent, "phone"), reason: typedReason(sent) }
      if (goesBack(sent)) return { ...(yield* show(visit, typed)), changes: false }
      const phone = phoneOf(typed.phone, environment)
      if (phone === undefined) {
        const { refusal } = readPhone(typed.phone, environment.default_region)
        return yield* show(visit, typed, refusal === undefined ? undefined : phoneRefusalText(refusal))
      }
      if (!isConfirmed(sent)) return yield* confirm(visit, environment, phone, sent)
      const payload = { phone, source: dashboardSource, ...(typed.reason !== "" && { reason: typed.reason }) }
      return yield* operations.contacts.optOut(asVisitor(visit, environment), { payload }).pipe(
        Effect.map(
          ({ id }): Outcome => ({
            to: `${address}/${environment.id}/${id}?done=opted_out`,
            audited: { subject: id }
          })
        ),
        Effect.catchIf(
          ({ status }) => status < 500,
          (error) => show(visit, typed, refusalText(error), error.status)
        )
      )
    })

    const path = `${address}/:environment/opt-out`
    return Layer.merge(
      page({ operation: "askOptOutPhone", path, handler: ask }),
      action({ operation: "optOutPhone", audit: "contact.opted_out", path, handler: optOut })
    )
  })
)

const phoneOf = (written: string, { default_region }: EnvironmentEntry): string | undefined =>
  readPhone(written, default_region).phone ?? readUnlistedPhone(written, default_region)

interface TypedOptOut {
  readonly phone: string
  readonly reason: string
}

const headOf = ({ id }: EnvironmentEntry) =>
  ({ section: "contacts", environment: id, up: [`${address}?environment=${id}`, "Contacts"] }) as const

const optOutForm = (environment: EnvironmentEntry, csrf: string, typed: TypedOptOut, error: Html | undefined): Html =>
  html`<div class="card narrow"><p>In ${environmentName(environment)}. A customer who opted out is sent no more messages. One who never wrote can be opted out too. The next page shows the number before anything is written down.</p>
<form method="post" action="${address}/${environment.id}/opt-out">${csrfField(csrf)}
${input({ name: "phone", label: "Phone of the customer", value: typed.phone, error, required: true, plain: true, maxLength: 64, autofocus: true, hint: phoneHint(environment.default_region) })}
${reasonField(typed.reason)}
<div class="buttons"><button class="primary">Go on</button>
<a class="button" href="${address}?environment=${environment.id}">Go back</a></div></form></div>`

interface Question {
  readonly environment: EnvironmentEntry
  readonly phone: string
  readonly contact: ContactEntry | undefined
  readonly sent: URLSearchParams
  readonly csrf: string
}

/** Shows the number as it is written down, and who is known under it. */
const question = ({ contact, csrf, environment, phone, sent }: Question): Outcome =>
  confirmationPage({
    ...headOf(environment),
    title: "Opt this customer out?",
    action: `${address}/${environment.id}/opt-out`,
    csrf,
    explanation: html`<p>No message of ${environmentName(environment)} is sent to this customer until they opt in again.</p>
${facts([
  ["Phone", html`<strong>${dialled(phone)}</strong>`],
  contact === undefined
    ? ["Contact", html`None yet: this customer has not written and has made no choice.`]
    : [
        "Contact",
        html`${contact.profile_name !== null && html`${personText(contact.profile_name)} `}${consentBadge(contact)}`
      ],
  typedReason(sent) === "" ? undefined : ["Reason", personText(typedReason(sent))]
])}`,
    typed: sent,
    refills: true,
    button: "Opt the customer out",
    dangerous: false
  })
