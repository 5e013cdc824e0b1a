import type { ConsentEvent, ContactEntry } from "@carteiro/schema/contacts/Contact.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { ContactDirectory } from "../../contacts/Contacts.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, given, instant, moment, none, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { consentBadge } from "./ContactParts.ts"

const address = "/dashboard/contacts"

/** One customer with every choice made. gaps-2 I "Contact record", "Opt-in, opt-out, reads" */
export const ContactHttp = Layer.unwrap(
  Effect.gen(function* () {
    const contacts = yield* ContactDirectory

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "con")
      const contact = (yield* contacts.find(environment, id)) ?? (yield* new NotHere())
      const choices = yield* contacts.choices(environment.id, id)
      const sent = { environment: environment.id, recipient: contact.phone ?? undefined }
      return {
        title: "Contact",
        section: "contacts",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Contacts"],
        body: html`<div class="card">${factsOf(contact, environmentName(environment))}
<div class="buttons"><a class="button" href="${addressOf("/dashboard/messages", sent)}">Messages to this customer</a></div></div>
<section aria-labelledby="choices"><h2 id="choices">Consent</h2>${choiceTable(choices)}</section>`
      }
    })

    return page({ operation: "contact", path: `${address}/:environment/:id`, handler: show })
  })
)

const factsOf = (contact: ContactEntry, where: Html): Html =>
  facts([
    ["Phone", contact.phone],
    ["Consent", consentBadge(contact)],
    ["From", given(contact.source)],
    ["Name", contact.profile_name === null ? none("unknown") : given(contact.profile_name)],
    ["Last wrote", instant(contact.last_inbound_at)],
    ["Opted in", instant(contact.opted_in_at)],
    ["Opted out", instant(contact.opted_out_at)],
    contact.metadata === null ? undefined : ["Metadata", html`<pre>${JSON.stringify(contact.metadata, null, 2)}</pre>`],
    ["Environment", where],
    ["Known since", instant(contact.created_at)],
    ["Changed", instant(contact.updated_at)],
    ["Id", html`<code>${contact.id}</code>`]
  ])

const choiceTable = (choices: ReadonlyArray<ConsentEvent>): Html =>
  table(
    "Choices, oldest first",
    ["Choice", "From", "Reason", "When"],
    choices.map((choice) => [
      choice.type === "opted_in" ? badge("opted in", "good") : badge("opted out", "bad"),
      given(choice.source),
      choice.reason === null ? none("none") : given(choice.reason),
      moment(choice.occurred_at)
    ]),
    say("This customer has made no choice. Messages are allowed until they opt out.")
  )
