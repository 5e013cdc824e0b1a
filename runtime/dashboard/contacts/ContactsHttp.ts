import { type ContactEntry, OptInStatus } from "@carteiro/schema/contacts/Contact.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { phoneDigits } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect, Layer, Schema } from "effect"
import type { EnvironmentEntry } from "../../access/Access.ts"
import { ContactDirectory, DataRetention } from "../../contacts/Contacts.ts"
import { type Chosen, chosenEnvironment, environmentField } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { addressOf, askedWord, choicesOf, cutWalk, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, given, input, instant, none, pager, select, table } from "../kit/Parts.ts"
import { consentBadge } from "./ContactParts.ts"

const address = "/dashboard/contacts"

/** What is looked for, as typed. */
interface Search {
  readonly phone: string | undefined
  readonly opt_in_status: OptInStatus | undefined
}

/** Customers of an environment with their consent, and how long what is known of them is kept. gaps-2 I */
export const ContactsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const contacts = yield* ContactDirectory
    const retention = yield* DataRetention

    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const { request } = visit
      const search: Search = {
        phone: asked(request, "phone"),
        opt_in_status: askedWord(request, "opt_in_status", Schema.is(OptInStatus))
      }
      const { phone } = search
      const error = phone === undefined || phoneDigits(phone) !== undefined ? undefined : "That is no phone number."
      const before = asked(request, "before")
      const walked =
        environment === undefined || error !== undefined
          ? { rows: [], walked_to: null }
          : yield* contacts.list(environment, { ...search, before }, pageRows + 1)
      const { next, shown } = cutWalk(walked, ({ id }) => id)
      const here = { environment: environment?.id, ...search }
      const narrowed = Object.values(search).some((value) => value !== undefined)
      return {
        title: "Contacts",
        section: "contacts",
        environment: environment?.id,
        ...(error === undefined ? {} : { status: 400 }),
        body: html`${searchForm(chosen, search, error)}
${contactTable(
  environment?.id ?? "",
  shown,
  narrowed
    ? "No contact is like this."
    : html`There is no contact yet. Whoever writes becomes one; <code>POST /v1/contacts/bulk-import</code> brings those who agreed.`
)}
${pager("contacts", before && addressOf(address, here), next && addressOf(address, { ...here, before: next }))}
${environment !== undefined && (yield* kept(environment))}`
      }
    })

    const kept = ({ id }: EnvironmentEntry) =>
      Effect.map(
        retention.policyOf(id),
        (policy) =>
          html`<section aria-labelledby="kept"><h2 id="kept">What is kept</h2><div class="card">${facts([
            ["Payloads", `${policy.payload_retention_days} days`],
            ["Media", `${policy.media_retention_days} days`],
            ["Exports", policy.data_export_enabled ? badge("allowed", "good") : badge("switched off", "warn")],
            ["Changed", instant(policy.updated_at)]
          ])}</div></section>`
      )

    return page({ operation: "contacts", path: address, handler: list })
  })
)

const searchForm = (chosen: Chosen, search: Search, error: string | undefined): Html =>
  html`<form method="get" action="${address}" class="search" role="search">
${environmentField(chosen)}
${input({ name: "phone", label: "Phone", value: search.phone ?? "", error, plain: true, maxLength: 64 })}
${select({
  name: "opt_in_status",
  label: "Consent",
  choices: choicesOf(OptInStatus.literals),
  chosen: search.opt_in_status ?? ""
})}
<button>Show</button>
</form>`

const contactTable = (environmentId: string, contacts: ReadonlyArray<ContactEntry>, nothing: Piece): Html =>
  table(
    "Contacts, newest first",
    ["Phone", "Name", "Consent", "From", "Last wrote", "Known since"],
    contacts.map((contact) => [
      html`<a href="${address}/${environmentId}/${contact.id}">${contact.phone}</a>`,
      contact.profile_name === null ? none("unknown") : given(contact.profile_name),
      consentBadge(contact),
      given(contact.source),
      instant(contact.last_inbound_at),
      instant(contact.created_at)
    ]),
    nothing
  )
