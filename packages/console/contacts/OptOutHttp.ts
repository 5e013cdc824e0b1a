import type { ContactEntry } from "@carteiro/schema/contacts/Contact.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { html } from "../kit/Html.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { personText } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { calledOf, consentKey, dashboardSource, reasonField, typedReason } from "./ContactParts.ts"

const address = "/dashboard/contacts"

/** Writes down that a customer wants no more messages, as `POST /v1/contacts/opt-out` does. */
export const OptOutHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations

    /** Returns a customer whom a phone or the platform's id names; a choice of anybody else cannot be kept. */
    const found = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<OptOutCustomer, ApiError> {
      const environment = yield* environmentOf(visit)
      const contact_id = yield* idOf(visit, "con")
      const read = operations.contacts.get(asVisitor(visit, environment), { params: { contact_id } })
      const contact = yield* orNotHere(read)
      return { environment, contact, named: consentKey(contact) ?? (yield* new NotHere()) }
    })

    const ask = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const { contact, environment } = yield* found(visit)
      const here = `${address}/${environment.id}/${contact.id}`
      return confirmationPage({
        title: "Opt this customer out?",
        section: "contacts",
        environment: environment.id,
        up: [here, "Contact"],
        action: `${here}/opt-out`,
        csrf: visit.csrf,
        explanation: html`<p>${personText(calledOf(contact))} of ${environmentName(environment)}: no message is sent to this customer until they opt in again.</p>`,
        fields: reasonField(""),
        button: "Opt the customer out",
        dangerous: false
      })
    })

    const optOut = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const { contact, environment, named } = yield* found(visit)
      const reason = typedReason(sent)
      const payload = { ...named, source: dashboardSource, ...(reason !== "" && { reason }) }
      yield* operations.contacts.optOut(asVisitor(visit, environment), { payload })
      return { to: `${address}/${environment.id}/${contact.id}?done=opted_out` }
    })

    const path = `${address}/:environment/:id/opt-out`
    return Layer.merge(
      page({ operation: "askOptOutContact", path, handler: ask }),
      action({ operation: "optOutContact", audit: "contact.opted_out", path, handler: optOut })
    )
  })
)

interface OptOutCustomer {
  readonly environment: Effect.Success<ReturnType<typeof environmentOf>>
  readonly contact: ContactEntry
  /** The member of the body that names the customer. */
  readonly named: NonNullable<ReturnType<typeof consentKey>>
}
