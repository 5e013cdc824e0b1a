import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect } from "effect"
import { addressOf } from "../kit/Lists.ts"
import { unlessRefused } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import type { Visit } from "../kit/Pages.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import type { Hit } from "./OrganizationFinder.ts"
import type { ShownHit } from "./SearchParts.ts"

/** Templates, customers and payments that a search shows, of each at most. */
const most = "40"

const templateName = /^[a-z0-9_]{2,512}$/u

/** Returns whether a payment may be known by this text; ids and trace ids are found by other reads. */
const isKnownBy = (typed: string): boolean =>
  typed.length <= 255 &&
  !/^[0-9a-f]{32}$/u.test(typed) &&
  !/^(?:sb_)?[a-z]{2,4}_[0-7][0-9a-hjkmnp-tv-z]{25}$/u.test(typed)

/** Returns true for what may be a customer's name: two letters, and nothing that ids and references have. */
const isName = (typed: string): boolean => /^\p{L}[\p{L}\p{M}'’. -]+$/u.test(typed)

/** The fewest digits that find a customer by the end of the phone, and the most that lack their area code. */
const endDigits = { fewest: 4, most: 9 }
/** So many digits are a phone without its area code; fewer may be anything. */
const wholeLocal = 8

/** Returns the last digits of a phone; undefined for what is none, or a phone with its area code. */
const phoneEnd = (typed: string): string | undefined => {
  const digits = /^[\d\s().-]+$/.test(typed) ? typed.replaceAll(/\D/g, "") : ""
  return digits.length >= endDigits.fewest && digits.length <= endDigits.most ? digits : undefined
}

/** Returns true for what the search finds customers by in place of a whole phone: words of a name, or the last digits. */
export const mayNameCustomer = (typed: string): boolean => isName(typed) || phoneEnd(typed) !== undefined

/** Something of one environment, by a name that people know. */
interface NamedThing {
  readonly environment_id: string
  readonly id: string
}

/**
 * Returns what finds templates by how their name begins, customers by their name or the end of their phone, also those who never wrote, and payments by their payer, amount or
 * reference: each is one read of all environments.
 */
export const makeNameFinder = Effect.gen(function* () {
  const { contactLookups, messageLookups, paymentLookups, templateLookups } = yield* Operations

  return Effect.fnUntraced(function* (
    visit: Visit,
    typed: string,
    within: ReadonlyArray<EnvironmentEntry>
  ): Effect.fn.Return<ReadonlyArray<ShownHit>, ApiError> {
    const caller = asVisitor(visit)
    const hitsOf = <Thing extends NamedThing>(
      isTypable: boolean,
      read: Effect.Effect<{ readonly data: ReadonlyArray<Thing> }, ApiError>,
      hitOf: (thing: Thing, environment: EnvironmentEntry) => Hit
    ) =>
      Effect.map(isTypable ? unlessRefused(read, { data: [] }) : Effect.succeed({ data: [] }), ({ data }) =>
        data.flatMap((thing: Thing) => {
          const environment = within.find(({ id }) => id === thing.environment_id)
          return environment === undefined ? [] : [{ hit: hitOf(thing, environment), environment }]
        })
      )
    const prefix = typed.toLowerCase()
    const end = phoneEnd(typed)
    const found = yield* Effect.all([
      hitsOf(
        end !== undefined,
        contactLookups.endingIn(caller, { query: { digits: end ?? "", limit: most } }),
        ({ environment_id, id, name, phone }) => ({
          what: "Contact",
          isCustomer: true,
          name: name === null ? readablePhone(phone).text : calledOf(name, phone),
          address: `/dashboard/contacts/${environment_id}/${id}`,
          ...((end?.length ?? 0) < wholeLocal && { isExact: false })
        })
      ),
      hitsOf(
        end !== undefined,
        messageLookups.endingIn(caller, { query: { digits: end ?? "", limit: most } }),
        ({ phone }, environment) => ({
          ...talkWith(environment, phone),
          isCustomer: true,
          ...((end?.length ?? 0) < wholeLocal && { isExact: false })
        })
      ),
      hitsOf(
        isName(typed),
        contactLookups.named(caller, { query: { name: typed, limit: most } }),
        ({ environment_id, id, name, phone }) => ({
          what: "Contact",
          isCustomer: true,
          name: calledOf(name, phone),
          address: `/dashboard/contacts/${environment_id}/${id}`,
          isExact: name.toLowerCase() === prefix
        })
      ),
      hitsOf(
        isKnownBy(typed),
        paymentLookups.matching(caller, { query: { name: typed, limit: most } }),
        ({ amount_brl, customer_name, description, environment_id, external_reference, id, provider_payment_id }) => ({
          what: "Payment",
          name: [formatReais(amount_brl), description, customer_name ?? external_reference]
            .filter((word) => word !== null)
            .join(", "),
          address: `/dashboard/payments/${environment_id}/${id}`,
          isExact: external_reference?.toLowerCase() === prefix || provider_payment_id?.toLowerCase() === prefix
        })
      ),
      hitsOf(
        templateName.test(prefix),
        templateLookups.named(caller, { query: { name: prefix, limit: most } }),
        ({ environment_id, id, language, name }) => ({
          what: "Template",
          name: `${name}, ${language}`,
          address: `/dashboard/templates/${environment_id}/${id}`,
          isExact: name === prefix
        })
      )
    ])
    const [phones, talks, ...others] = found
    const isContact = ({ hit, environment }: ShownHit) =>
      phones.some((contact) => contact.environment === environment && contact.hit.name.endsWith(hit.name))
    return [phones, talks.filter((talk) => !isContact(talk)), ...others].flat()
  })
})

/** Returns the conversation with a customer, who may never have written: the chat of a sandbox, and messages in production. */
export const talkWith = ({ id: environment, kind }: EnvironmentEntry, phone: string): Hit => ({
  name: readablePhone(phone).text,
  ...(kind === "sandbox"
    ? { what: "Chat", address: addressOf("/dashboard/chat", { environment, customer: phone }) }
    : {
        what: "Messages to this customer",
        address: addressOf("/dashboard/messages", { environment, recipient: phone })
      })
})

/** Tells namesakes apart. */
const calledOf = (name: string, phone: string): string => `${name}, ${readablePhone(phone).text}`
