import type { ConsentEvent, ContactEntry } from "@carteiro/schema/contacts/Contact.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { Effect, Layer } from "effect"
import { bubble, readerClock } from "../chat/ChatParts.ts"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { type Label, say } from "../kit/Language.ts"
import { addressOf, positionOf } from "../kit/Lists.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, instant, none, personText } from "../kit/Parts.ts"
import { dialled, phoneText } from "../kit/PhoneText.ts"
import { fold, inOrder, type Step, section, storyPage, timeline } from "../kit/Story.ts"
import { makeSentTemplates } from "../messages/SentTemplates.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { Stories, type StoryCall } from "../story/Stories.ts"
import { calledOf, consentBadge, consentKey, sourcePiece } from "./ContactParts.ts"

const address = "/dashboard/contacts"

/** One customer with every choice made. */
export const ContactHttp = Layer.unwrap(
  Effect.gen(function* () {
    const stories = yield* Stories
    const operations = yield* Operations
    const sentTemplates = yield* makeSentTemplates

    const contactOf = (visit: Visit, environment: EnvironmentEntry, id: string) =>
      orNotHere(operations.contacts.get(asVisitor(visit, environment), { params: { contact_id: id } }))

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "con")
      const contact = yield* contactOf(visit, environment, id)
      const { data: choices } = yield* operations.contactLookups.choices(asVisitor(visit, environment), {
        params: { contact_id: id }
      })
      const talk: ReadonlyArray<ShownMessage> = yield* conversationWith(visit, environment, contact)
      const templates = yield* sentTemplates(asVisitor(visit, environment), talk)
      const clock = readerClock(visit.zone)
      const bubbles = talk
        .toReversed()
        .map((shown) => bubble(environment.id, shown, { time: clock.time(shown.message.created_at), templates }))
      return {
        title: titleOf(contact),
        section: "contacts",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Contacts"],
        follows: "events",
        ...storyPage({
          headline: {
            ...(calledOf(contact) !== contact.id && { kind: "Contact" as const }),
            state: consentBadge(contact),
            about: [
              contact.profile_name !== null && contact.phone && phoneText(contact.phone),
              contact.username !== null && personText(contact.username)
            ],
            next: links(environment, contact, visit.mayChange)
          },
          story: html`${section("talk", "Conversation", talkOf(bubbles))}
${section("choices", "What happened", timelineOf(contact, choices))}
${stories.calls(callsOf(contact))}`,
          facts: factsOf(contact, environmentName(environment)),
          aside: fold(
            "erasure",
            "Erasure",
            html`<p>Erasing a customer removes the contact, what they wrote and were sent, their files and what the request log and the webhooks hold of them. Payments stay: they are accounting records. An opt-out is remembered without the phone.</p>
${visit.mayChange && html`<div class="buttons"><a class="button" href="${address}/${environment.id}/${id}/erase">Erase…</a></div>`}`
          )
        })
      }
    })

    /** Returns the last messages of both sides, newest first; none of a customer whom neither a phone nor an id names. */
    const conversationWith = Effect.fnUntraced(function* (
      visit: Visit,
      environment: EnvironmentEntry,
      { phone, user_id }: ContactEntry
    ) {
      const customer = phone || user_id
      if (!customer) return []
      const query = { talk_with: customer, ...positionOf(undefined, shownMessages) }
      return (yield* operations.messageLookups.list(asVisitor(visit, environment), { query })).data
    })

    const askErase = Effect.fnUntraced(function* (visit: Visit, error?: Html): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "con")
      const contact = yield* contactOf(visit, environment, id)
      const here = `${address}/${environment.id}/${id}`
      return confirmationPage({
        title: "Erase this customer?",
        section: "contacts",
        environment: environment.id,
        up: [here, "Contact"],
        action: `${here}/erase`,
        csrf: visit.csrf,
        explanation: html`<p>${personText(calledOf(contact))} of ${environmentName(environment)}: the contact goes at once, and messages that wait for it are cancelled. Within an hour go texts, files and what requests and webhooks hold. This cannot be undone.</p>`,
        button: "Erase the customer",
        dangerous: true,
        name: { value: calledOf(contact), error }
      })
    })

    const erase = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "con")
      const contact = yield* contactOf(visit, environment, id)
      const error = unconfirmed(sent, calledOf(contact))
      if (error !== undefined) return yield* askErase(visit, error)
      yield* operations.contacts.delete(asVisitor(visit, environment), { params: { contact_id: id } })
      return { to: `${address}?environment=${environment.id}&done=contact_erased` }
    })

    const path = `${address}/:environment/:id`
    return Layer.mergeAll(
      page({ operation: "contact", path, handler: show }),
      page({ operation: "askEraseContact", path: `${path}/erase`, handler: (visit) => askErase(visit) }),
      action({ operation: "eraseContact", audit: "contact.erased", path: `${path}/erase`, handler: erase })
    )
  })
)

/** Returns what a page calls a customer: the name, else the phone, else "Contact". */
const titleOf = (contact: ContactEntry): Label => {
  const name = contact.profile_name ?? calledOf(contact)
  return name === contact.id ? "Contact" : html`${name}`
}

/** Messages that the page shows of a conversation. */
const shownMessages = 20

const links = ({ id, kind }: EnvironmentEntry, contact: ContactEntry, mayChange: boolean): Html => {
  const customer = contact.phone || contact.user_id || undefined
  const mayOptOut = mayChange && customer !== undefined && contact.opt_in_status !== "opted_out"
  return html`<a class="button" href="${addressOf("/dashboard/messages", { environment: id, recipient: customer })}">Messages to this customer</a>
${kind === "sandbox" && html`<a class="button" href="${addressOf("/dashboard/chat", { environment: id, customer })}">Open the chat</a>`}
${mayOptOut && html`<a class="button" href="${address}/${id}/${contact.id}/opt-out">Opt out…</a>`}`
}

const talkOf = (bubbles: ReadonlyArray<Html>): Html =>
  bubbles.length === 0
    ? html`<p class="empty">No message is kept of this customer.</p>`
    : html`<div class="talk" role="region" aria-label="Messages" tabindex="0"><ol>${bubbles}</ol></div>`

const callsOf = (contact: ContactEntry): ReadonlyArray<StoryCall> => {
  const named = consentKey(contact)
  return [
    { title: "Read it", method: "GET", path: `/v1/contacts/${contact.id}` },
    ...(named === undefined ? [] : consentCalls(named)),
    { title: "Export it", method: "POST", path: `/v1/contacts/${contact.id}/export` },
    { title: "Erase it", method: "DELETE", path: `/v1/contacts/${contact.id}` }
  ]
}

const consentCalls = (named: object): ReadonlyArray<StoryCall> => [
  { title: "Opt in", method: "POST", path: "/v1/contacts/opt-in", body: { ...named, source: "form" } },
  { title: "Opt out", method: "POST", path: "/v1/contacts/opt-out", body: { ...named, source: "support" } }
]

const factsOf = (contact: ContactEntry, where: Html): Html =>
  facts([
    ["Phone", contact.phone ? dialled(contact.phone) : none("hidden")],
    contact.username === null ? undefined : ["Username", personText(contact.username)],
    contact.user_id === null ? undefined : ["Platform's id", html`<code>${contact.user_id}</code>`],
    contact.opt_in_status === "none" ? undefined : ["Latest choice from", sourcePiece(contact.source)],
    ["Name", contact.profile_name === null ? none("unknown") : personText(contact.profile_name)],
    ["Last wrote", instant(contact.last_inbound_at)],
    ["Opted in", instant(contact.opted_in_at)],
    ["Opted out", instant(contact.opted_out_at)],
    contact.metadata === null ? undefined : ["Metadata", html`<pre>${JSON.stringify(contact.metadata, null, 2)}</pre>`],
    ["Environment", where],
    ["Known since", instant(contact.created_at)],
    ["Changed", instant(contact.updated_at)],
    ["Id", html`<code>${contact.id}</code>`]
  ])

/** Returns where a customer became known from: by a choice that was the first thing to be known, else by writing. */
const firstSource = (
  { created_at, last_inbound_at, source }: ContactEntry,
  [first]: ReadonlyArray<ConsentEvent>
): string => {
  if (first !== undefined && first.occurred_at <= created_at) return first.source
  return last_inbound_at === null ? (first?.source ?? source) : "inbound"
}

/** Returns when a customer became known, and every choice with where it came from. */
const timelineOf = (contact: ContactEntry, choices: ReadonlyArray<ConsentEvent>): Html => {
  const steps: ReadonlyArray<Step> = [
    { what: say("Known since"), at: contact.created_at, cause: sourcePiece(firstSource(contact, choices)) },
    ...choices.map(
      ({ occurred_at, reason, source, type }): Step => ({
        what: type === "opted_in" ? say("Opted in") : say("Opted out"),
        at: occurred_at,
        tone: type === "opted_in" ? "good" : "bad",
        cause: html`${sourcePiece(source)}${reason !== null && html` · ${personText(reason)}`}`
      })
    ),
    ...(contact.last_inbound_at === null ? [] : [{ what: say("Last wrote"), at: contact.last_inbound_at }])
  ]
  return html`${timeline(inOrder(steps))}${choices.length === 0 && html`<p class="muted">This customer has made no choice. Messages are allowed until they opt out.</p>`}`
}
