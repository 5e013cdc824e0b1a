import { type ContactEntry, OptInStatus } from "@carteiro/schema/contacts/Contact.ts"
import { Effect, Layer } from "effect"
import { customerPiece } from "../kit/CustomerNames.ts"
import { phoneFilter, textFilter, wordFilter } from "../kit/Filters.ts"
import { html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { addressOf, positionOf } from "../kit/Lists.ts"
import { makeOperationList, narrowedBy, orNothing, unlessRefused } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import type { Visit } from "../kit/Pages.ts"
import { badge, facts, instant, personText, type Table, table } from "../kit/Parts.ts"
import { phoneText } from "../kit/PhoneText.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { consentBadge, consentChoices, sourcePiece } from "./ContactParts.ts"

const address = "/dashboard/contacts"
/** Contacts of a name that one page looks at. */
const mostNamed = 100

/** Customers of an environment with their consent, and how long what is known of them is kept. */
export const ContactsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const contacts = (yield* makeOperationList)("contacts.list", operations.contacts.list)

    const kept = (visit: Visit, environment: EnvironmentEntry) =>
      Effect.map(
        operations.dataRetention.get(asVisitor(visit, environment)),
        (policy) =>
          html`<section aria-labelledby="kept"><h2 id="kept">What is kept</h2><div class="card">${facts([
            ["Payloads", html`${policy.payload_retention_days} days`],
            ["Media", html`${policy.media_retention_days} days`],
            ["Exports", policy.data_export_enabled ? badge("allowed", "good") : badge("switched off", "warn")],
            ["Changed", instant(policy.updated_at)]
          ])}</div></section>`
      )

    /** Returns contacts of an environment whose name has the words that were typed, before an id, out of a bounded walk. */
    const named = Effect.fnUntraced(function* (
      visit: Visit,
      environment: EnvironmentEntry,
      name: string,
      before: string | undefined,
      count: number
    ) {
      const caller = asVisitor(visit, environment)
      const query = { name, within: "environment", ...positionOf(before, count) } as const
      const { data } = yield* unlessRefused<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
        operations.contactLookups.named(caller, { query }),
        { data: [] }
      )
      const rows = yield* Effect.forEach(
        data,
        ({ id }) => orNothing(operations.contacts.get(caller, { params: { contact_id: id } })),
        { concurrency: 5 }
      )
      const walked_to = data.length < count ? null : (data.at(-1)?.id ?? null)
      return { rows: rows.filter((row) => row !== undefined), walked_to }
    })

    const { routes } = yield* environmentList({
      operation: "contacts",
      path: address,
      title: "Contacts",
      section: "contacts",
      api: "contacts.list",
      follows: "events",
      filters: {
        name: textFilter("Name", 256, { api: null }),
        phone: phoneFilter("Phone"),
        opt_in_status: wordFilter("Consent", OptInStatus.literals, { texts: [["", "All"], ...consentChoices] }),
        user_id: textFilter("Platform's id", 134, { isMore: true }),
        source: textFilter("Where the choice came from", 64, { isMore: true })
      },
      read: Effect.fnUntraced(function* (environment, { name, ...search }, before, count, visit) {
        if (name === undefined) return yield* contacts(visit, environment, before, count, narrowedBy(search))
        const wanted = Object.entries(narrowedBy(search)) as ReadonlyArray<[keyof typeof search, string]>
        const looked = wanted.length === 0 ? Math.min(count, mostNamed) : mostNamed
        const { rows, walked_to } = yield* named(visit, environment, name, before, looked)
        return { rows: rows.filter((row) => wanted.every(([member, value]) => row[member] === value)), walked_to }
      }),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => contactTable(id, rows, nothing),
      file: membersOf(
        (contact: ContactEntry) => contact,
        "id",
        "phone",
        "profile_name",
        "opt_in_status",
        "source",
        "last_inbound_at",
        "created_at"
      ),
      empty: ({ id, kind }) => ({
        purpose: say(
          "Customers whom your business knows, and what each one agreed to. A customer who writes becomes a contact; an import brings those who agreed elsewhere."
        ),
        ...(kind === "sandbox" && {
          button: [addressOf("/dashboard/chat", { environment: id }), "Write as a customer"] as const
        }),
        operation: "contacts.bulkImport"
      }),
      begin: ({ id }, { mayChange }) => ({
        beside: mayChange && html`<a class="button" href="${address}/${id}/opt-out">Opt a customer out…</a>`
      }),
      around: (environment, visit) =>
        environment === undefined ? Effect.succeed({}) : Effect.map(kept(visit, environment), (after) => ({ after }))
    })
    return routes
  })
)

const contactTable = (environmentId: string, contacts: ReadonlyArray<ContactEntry>, nothing: Piece): Table =>
  table(
    "Contacts, newest first",
    ["Customer", "Consent", "From", "Last wrote", "Known since"],
    contacts.map((contact) => [
      html`<a href="${address}/${environmentId}/${contact.id}">${customerPiece(shownName(contact), contact.profile_name ?? undefined)}</a>`,
      consentBadge(contact),
      sourcePiece(contact.source),
      instant(contact.last_inbound_at),
      instant(contact.created_at)
    ]),
    nothing
  )

/** Returns the phone of a customer, else the first of the other names that is known. */
const shownName = ({ id, phone, user_id, username }: ContactEntry): Piece =>
  phone ? phoneText(phone) : personText(username ?? user_id ?? id)
