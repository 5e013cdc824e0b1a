import { type ContactEntry, OptInStatus } from "@carteiro/schema/contacts/Contact.ts"
import { walkOn } from "@carteiro/tables/BoundedWalk.ts"
import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { ContactDirectory, ContactExports, readStoppedPhone } from "../../contacts/Operator.ts"
import { facts, print, table } from "../kit/Output.ts"
import { environment, foundEnvironment, idArgument, limit, orUndefined } from "../kit/Parameters.ts"

const id = idArgument("contact", "Id of the contact", "con_…")

const filters = {
  phone: Flag.String("phone").pipe(
    Flag.withDescription("Only this phone number"),
    Flag.withMetavar("+5511912345678"),
    Flag.optional
  ),
  consent: Flag.Literals("consent", OptInStatus.literals).pipe(Flag.withDescription("Only these"), Flag.optional)
}

const list = Command.make("list", { environment, ...filters, limit }, ({ consent, environment, limit, phone }) =>
  Effect.gen(function* () {
    const place = yield* foundEnvironment(environment)
    const wanted = orUndefined(phone)
    if (wanted !== undefined) yield* Effect.fromResult(readStoppedPhone(wanted, place.default_region, "phone"))
    const contacts = yield* ContactDirectory
    const data = yield* walkOn(limit, (before, count) =>
      contacts.list(place, { phone: wanted, opt_in_status: orUndefined(consent), before }, count)
    )
    const rows = data.map((contact) => [
      contact.id,
      contact.phone ?? "",
      consentOf(contact),
      contact.source,
      contact.last_inbound_at ?? "never",
      contact.profile_name ?? ""
    ])
    yield* print({ data }, table(["id", "phone", "consent", "source", "last wrote", "name"], rows, "no contacts"))
  })
).pipe(Command.withDescription("List contacts of an environment, newest first"))

const exportOne = Command.make("export", { environment, id }, ({ environment, id }) =>
  Effect.gen(function* () {
    const place = yield* foundEnvironment(environment)
    const now = yield* Clock.currentTimeMillis
    const made = yield* (yield* ContactExports).make(place, id, now)
    const { contact, consent_events, messages, truncated, generated_at } = made
    const choices = consent_events.map(({ occurred_at, reason, source, type }) => [
      occurred_at,
      type,
      source,
      reason ?? ""
    ])
    const rows = messages.map(rowOf)
    yield* print(
      made,
      [
        facts({ ...shown(contact), generated_at }),
        table(["when", "choice", "source", "reason"], choices, "no choices"),
        table(["id", "created_at", "direction", "type", "status"], rows, "no messages"),
        ...(truncated ? ["There are older messages than these."] : [])
      ].join("\n\n")
    )
  })
).pipe(Command.withDescription("Print everything kept about one customer; with --json it is what the API exports"))

const rowOf = (message: object): ReadonlyArray<string> => {
  const { created_at, direction, id, status, type } = message as Readonly<Record<string, unknown>>
  return [id, created_at, direction, type, status].map(String)
}

const consentOf = ({ marketing_stopped, opt_in_status }: ContactEntry): string =>
  marketing_stopped ? `${opt_in_status}, marketing stopped` : opt_in_status

const shown = (contact: ContactEntry) => ({
  id: contact.id,
  phone: contact.phone,
  name: contact.profile_name,
  consent: consentOf(contact),
  source: contact.source,
  opted_in_at: contact.opted_in_at,
  opted_out_at: contact.opted_out_at,
  last_inbound_at: contact.last_inbound_at,
  created_at: contact.created_at,
  metadata: contact.metadata === null ? null : JSON.stringify(contact.metadata)
})

/** Customers of one environment and what is kept about one. gaps-2 I "Contact record", "Export" */
export const contacts = Command.make("contacts").pipe(Command.withSubcommands([list, exportOne]))
