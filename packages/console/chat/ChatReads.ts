import type { CallerWithin } from "@carteiro/http-edge/TypedCalls.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { isUserId, phoneDigits } from "@carteiro/schema/messages/Vocabulary.ts"
import { isInternational, isPossiblePhone, readPhone } from "@carteiro/spellings/Phone.ts"
import { Effect } from "effect"
import { type KnownCustomer, makeContactOf, makeKnownCustomers } from "../kit/CustomerNames.ts"
import type { Html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { orNothing } from "../kit/OperationList.ts"
import { Operations } from "../kit/Operations.ts"
import { phoneRefusalText } from "../kit/PhoneText.ts"
import { codesLast, typedValues } from "../templates/TemplateSend.ts"
import type { Picking } from "./Composer.ts"
import { type Conversation, customerIn } from "./ConversationList.ts"

/** Messages of a conversation that the page shows. */
export const shownMessages = 40

/** Conversations among which the page looks for those that wait, and those that it lists. */
const lookedConversations = 100
const shownConversations = 20

/** Contacts among which it looks for names of customers who hide their phone, and templates that it offers: the newest. */
const namedContacts = 100
const offeredTemplates = 40

type Talked = Omit<Conversation, "name" | "isOptedOut">

/** Returns the reads of the chat beside those of one operation. */
export const makeChatReads = Effect.gen(function* () {
  const { contacts, messageLookups, templateLookups } = yield* Operations
  const knownOf = yield* makeKnownCustomers

  /** Returns customers who hide their phone by the platform's id of them, as far as the newest contacts tell. */
  const hiddenCustomers = Effect.fnUntraced(function* (caller: CallerWithin, talks: ReadonlyArray<Talked>) {
    if (!talks.some(({ customer }) => isUserId(customer))) return new Map<string, KnownCustomer>()
    const { data } = yield* contacts.list(caller, { query: { limit: String(namedContacts) } })
    return new Map(
      data.flatMap(
        ({ opt_in_status, profile_name: name, user_id }): ReadonlyArray<[string, KnownCustomer]> =>
          user_id ? [[user_id, { name, opt_in_status }]] : []
      )
    )
  })

  /**
   * Returns the conversations of a sandbox, each with the name of its customer: those that wait for an answer, then the others,
   * the one that moved last first in both. A batch to hundreds would else push who waits out of view.
   */
  const conversationsOf = Effect.fnUntraced(function* (caller: CallerWithin) {
    const { data } = yield* messageLookups.conversations(caller, { query: { limit: String(lookedConversations) } })
    const all = data.flatMap((newest): ReadonlyArray<Talked> => {
      const customer = customerNamed(customerIn(newest) ?? "")
      return customer === undefined ? [] : [{ customer, newest }]
    })
    const waiting = all.filter(({ newest }) => newest.message.direction === "inbound")
    const talks = [...new Set([...waiting, ...all])].slice(0, shownConversations)
    const known = yield* knownOf(
      caller,
      talks.map(({ customer }) => customer)
    )
    const hidden = yield* hiddenCustomers(caller, talks)
    return talks.map((talk): Conversation => {
      const one = known.get(talk.customer) ?? hidden.get(talk.customer)
      return { ...talk, name: one?.name ?? undefined, isOptedOut: one?.opt_in_status === "opted_out" }
    })
  })

  /** Returns where the template picker stands: where the address says, else open while only a template reaches the customer. */
  const pickingOf = Effect.fnUntraced(function* (
    caller: CallerWithin,
    template: string | undefined,
    isClosed: boolean,
    sent: URLSearchParams | undefined
  ): Effect.fn.Return<Picking | undefined, ApiError> {
    if (template !== undefined && parseId("tpl", template)) {
      const found = yield* orNothing(templateLookups.getSendable(caller, { params: { template_id: template } }))
      if (found !== undefined) return { template: found, values: sent && typedValues(sent, found) }
    }
    if (template === undefined && !isClosed) return undefined
    const { data } = yield* templateLookups.listSendable(caller, { query: { limit: String(offeredTemplates) } })
    return { templates: codesLast(data) }
  })

  return { contactOf: yield* makeContactOf, conversationsOf, pickingOf }
})

/** Returns the phone, or the platform's id, of a customer who can write; undefined for a text that names none. */
const customerNamed = (from: string): string | undefined => {
  if (isUserId(from)) return from
  const digits = phoneDigits(from)
  return digits !== undefined && isPossiblePhone(digits) ? `+${digits}` : undefined
}

/** Returns the customer whom a person means: a number without a country code is one of the region. */
export const meantCustomer = (
  written: string,
  region: string
): { readonly customer: string; readonly error?: never } | { readonly customer?: never; readonly error: Html } => {
  const named = isUserId(written) || isInternational(written) ? customerNamed(written) : undefined
  if (named !== undefined) return { customer: named }
  const { phone, refusal } = readPhone(written, region)
  if (phone !== undefined) return { customer: phone }
  const isNumber = written.replaceAll(/\D/g, "").length >= fewestDigits
  return { error: isNumber ? phoneRefusalText(refusal) : say("That is no phone number.") }
}

/** The fewest digits of a number that lacks no more than its area code. */
const fewestDigits = 8

/** How long after a message of the customer the platform takes texts for them, in milliseconds. */
const windowMs = 86_400_000

/** Returns when the service window closed; null where the customer never wrote, undefined while it is open or nothing tells. */
export const windowEnd = (rows: ReadonlyArray<ShownMessage>, now: number): number | null | undefined => {
  const newest = rows.find(({ message }) => message.direction === "inbound")
  if (newest === undefined) return rows.length < shownMessages ? null : undefined
  const end = (parseTimestamp(newest.message.created_at) ?? now) + windowMs
  return end < now ? end : undefined
}
