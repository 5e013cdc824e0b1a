import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { timeIn } from "@carteiro/owners/TenantTime.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { Effect, Layer } from "effect"
import { optOutLink } from "../contacts/ContactParts.ts"
import { contactLink } from "../kit/CustomerNames.ts"
import {
  type Chosen,
  chosenEnvironment,
  environmentField,
  environmentName,
  environmentOf
} from "../kit/Environments.ts"
import { field, queryParameter } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { icon } from "../kit/Icons.ts"
import { contractWord, say } from "../kit/Language.ts"
import { addressOf, positionOf } from "../kit/Lists.ts"
import { live } from "../kit/LiveScript.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, input, notice } from "../kit/Parts.ts"
import { countryOfPhone, dialled, phoneHint, phoneText } from "../kit/PhoneText.ts"
import { NotHere } from "../kit/Refusals.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { scriptRoute } from "../kit/Scripts.ts"
import { makeSentTemplates } from "../messages/SentTemplates.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { mayNameCustomer } from "../search/NameFinder.ts"
import { readAnswer, readSimulation } from "./ChatForms.ts"
import { conversation, happenings, readerClock, type Talk } from "./ChatParts.ts"
import { makeChatReads, meantCustomer, shownMessages, windowEnd } from "./ChatReads.ts"
import { chatScript } from "./ChatScript.ts"
import { composer, reactionForms, reactionsTo, type Side } from "./Composer.ts"
import { avatar, conversationList } from "./ConversationList.ts"

const address = "/dashboard/chat"

/** Events and deliveries that the page shows. */
const shownEvents = 8
const shownDeliveries = 10

/** Who writes until the page is told another phone number. */
const firstCustomer = "+5511912345678"

/** After the last change of a message, the page without a script reloads for so long, in milliseconds. */
const movesMs = 15_000

/** The conversation that the address, or the form, names, and how its composer stands. */
interface OpenedChat {
  /** Undefined shows the conversation that waits for an answer, else the one that moved last. */
  readonly customer: string | undefined
  /** Undefined writes as the business where a conversation waits, else as the customer. */
  readonly side: Side | undefined
  /** Id of the template that is being sent, or another text where one is to be chosen. */
  readonly template?: string | undefined
  /** Text of the line that the person had written when they opened the template picker. */
  readonly draft?: string
}

/** A refusal of what was written, the form, and the text that the line keeps. */
interface Refused {
  readonly error: ApiError
  readonly sent: URLSearchParams
  readonly draft: string
}

/** A conversation of a sandbox: its reader writes as the customer and sees the answers, the events and the webhooks. */
export const ChatHttp = Layer.unwrap(
  Effect.gen(function* () {
    const show = yield* makeConversation

    const open = (visit: Visit): Effect.Effect<Outcome, ApiError> =>
      Effect.flatMap(chosenEnvironment(visit), (chosen) => {
        const customer = queryParameter(visit.request, "customer")
        const isBusiness = queryParameter(visit.request, "as") === "business"
        return show(visit, chosen, {
          customer,
          side: isBusiness ? "business" : customer === undefined ? undefined : "customer",
          template: queryParameter(visit.request, "template")
        })
      })

    /** Does what was asked in a sandbox, and shows a refusal beside the line that was written in. */
    const write = (side: Side, work: Writing) =>
      Effect.fnUntraced(function* (visit: Visit, form: URLSearchParams): Effect.fn.Return<Outcome, ApiError> {
        const environment = yield* environmentOf(visit)
        if (environment.kind !== "sandbox") return yield* new NotHere()
        const customer = field(form, "from") || field(form, "customer")
        const as = side === "business" || field(form, "next") === "business" ? "business" : undefined
        const to = `${addressOf(address, { environment: environment.id, customer, as })}#write`
        const opened = { customer, side, template: field(form, "template") || undefined }
        const draft = field(form, side === "business" ? "answer" : "body")
        const shown: Chosen = { all: [environment], environment }
        // The picker is opened by the form of the line, which keeps what was written in it.
        if (side === "business" && form.has("pick")) {
          const picked = yield* show(visit, shown, { customer, side, template: field(form, "pick"), draft })
          return { ...picked, changes: false }
        }
        return yield* work(visit, environment, form).pipe(
          Effect.as<Outcome>({ to }),
          Effect.catchIf(
            (error) => error.status < 500,
            (error) => show(visit, shown, opened, { error, sent: form, draft })
          )
        )
      })

    return Layer.mergeAll(
      scriptRoute("console.script", chatScript),
      page({ operation: "chat", path: address, handler: open }),
      action({
        operation: "writeInChat",
        audit: "sandbox.customer_message_written",
        path: `${address}/:environment/write`,
        members: true,
        handler: write("customer", yield* makeCustomerWriting)
      }),
      action({
        operation: "sendInChat",
        audit: "sandbox.message_sent",
        path: `${address}/:environment/send`,
        handler: write("business", yield* makeBusinessSending)
      })
    )
  })
)

/** Writes a message of a sandbox by a form. */
type Writing = (visit: Visit, environment: EnvironmentEntry, form: URLSearchParams) => Effect.Effect<unknown, ApiError>

const makeCustomerWriting = Effect.map(
  Operations,
  (operations): Writing =>
    (visit, environment, form) =>
      Effect.flatMap(Effect.fromResult(readSimulation(form)), (payload) =>
        operations.sandbox.simulateInbound(asVisitor(visit, environment), { payload })
      )
)

const makeBusinessSending = Effect.gen(function* () {
  const operations = yield* Operations

  const send: Writing = Effect.fnUntraced(function* (visit, environment, form) {
    const customer = field(form, "customer")
    const phone_number_id = field(form, "number")
    if (!parseId("pn", phone_number_id)) return yield* new NotHere()
    const caller = asVisitor(visit, environment)
    const number = yield* orNotHere(operations.phoneNumbers.get(caller, { params: { phone_number_id } }))
    const template_id = field(form, "template")
    const read = operations.templateLookups.getSendable
    const template = parseId("tpl", template_id)
      ? yield* orNotHere(read(caller, { params: { template_id } }))
      : undefined
    const payload = yield* Effect.fromResult(readAnswer(form, number.id, customer, template))
    return yield* operations.messages.create(caller, { payload })
  })
  return send
})

/** Returns what shows the page: the conversation with the customer, with a refusal of what was written. */
const makeConversation = Effect.gen(function* () {
  const { eventLog, messageLookups, numberDetails, webhookEvents } = yield* Operations
  const publicUrl = yield* PublicUrl
  const { contactOf, conversationsOf, pickingOf } = yield* makeChatReads
  const sentTemplates = yield* makeSentTemplates

  return Effect.fnUntraced(function* (
    visit: Visit,
    chosen: Chosen,
    opened: OpenedChat,
    refused?: Refused
  ): Effect.fn.Return<Outcome, ApiError> {
    const { environment } = chosen
    const head = { title: "Chat", section: "chat", environment: environment?.id } as const
    if (environment?.kind !== "sandbox") return { ...head, body: elsewhere(chosen) }
    const caller = asVisitor(visit, environment)
    const conversations = yield* conversationsOf(caller)
    const waiting = conversations.find(({ newest }) => newest.message.direction === "inbound")
    const from = opened.customer ?? (waiting ?? conversations[0])?.customer ?? firstCustomer
    const { customer, error } = meantCustomer(from, environment.default_region)
    const side = opened.side ?? (waiting === undefined ? "customer" : "business")
    if (customer === undefined) {
      if (refused === undefined && mayNameCustomer(from))
        return { to: addressOf("/dashboard/search", { q: from, open: "1" }) }
      return { ...head, status: 400, body: picker(chosen, environment, from, error) }
    }
    const { number } = yield* numberDetails.firstActive(caller)
    if (number === null) return { ...head, body: html`${picker(chosen, environment, from)}${noNumber}` }
    const [{ data: rows }, happened, sent] = yield* Effect.all([
      messageLookups.list(caller, { query: { talk_with: customer, ...positionOf(undefined, shownMessages) } }),
      Effect.map(eventLog.latest(caller, { query: { limit: String(shownEvents) } }), ({ data }) => data).pipe(
        Effect.catch(() => Effect.succeed([]))
      ),
      webhookEvents.list(caller, { query: { limit: String(shownDeliveries) } })
    ])
    const now = yield* timeIn(environment.id, visit.now)
    const clock = readerClock(visit.zone)
    const talk: Talk = {
      environment: environment.id,
      customer,
      number: number.id,
      csrf: visit.csrf,
      mayWrite: visit.session.organization.suspended_at === null,
      maySend: visit.mayChange
    }
    const closedAt = windowEnd(rows, now)
    const isClosed = closedAt !== undefined
    const picking = talk.maySend ? yield* pickingOf(caller, opened.template, isClosed, refused?.sent) : undefined
    const contact = yield* contactOf(caller, customer)
    const name = contact?.profile_name ?? conversations.find((one) => one.customer === customer)?.name
    const optedOut = contact?.opt_in_status === "opted_out" ? contact : undefined
    const here = addressOf(address, {
      environment: environment.id,
      customer,
      as: side === "business" && talk.maySend ? side : undefined,
      template: opened.template
    })
    return {
      ...head,
      ...(refused && { status: refused.error.status }),
      script: chatScript,
      follows: "events",
      again: refused === undefined && isMoving(rows, now) ? 2 : undefined,
      body: html`<div class="chat${(opened.customer !== undefined || conversations.length === 0) && " open"}" data-address="${here}">
<nav class="list" aria-labelledby="talks-title"><h2 id="talks-title">Conversations</h2>${picker(chosen, environment, from)}
${conversationList({ conversations, environment: environment.id, open: customer, clock, today: clock.day(formatTimestamp(now)), maySend: talk.maySend })}</nav>
<section class="thread" aria-labelledby="conversation"><header id="who"${live}><a class="button quiet back" href="${addressOf(address, { environment: environment.id })}">${icon("back")}<span class="hidden">Conversations</span></a>${avatar(name ?? customer)}<div><h2 id="conversation" class="given">${contactLink(environment.id, contact, name ?? readablePhone(customer).text)}</h2><p class="muted">${name === undefined ? (countryOfPhone(customer) ?? say("Customer")) : dialled(customer)}${optedOut && html` ${badge("opted out", "bad")}`} · ${number.display_name ?? phoneText(number.phone ?? number.id)}</p></div>${talk.maySend && optedOut === undefined && optOutLink(environment.id, customer, contact)}</header>
${conversation({ talk, rows, side, clock, templates: yield* sentTemplates(caller, rows), reactionsTo })}
<div id="refused"${live}>${refused && notice("bad", chatRefusal(refused.error))}</div>
${talk.mayWrite && html`${composer({ talk, rows, side, draft: refused?.draft ?? opened.draft ?? "", closedAt, optedOut, picking, base: publicUrl() })}${reactionForms(talk)}`}</section>
<details class="drawer" id="drawer"><summary title="Events and webhooks">${icon("drawer")} <span>Events and webhooks</span></summary>
${happenings(environment.id, happened, sent.data, clock)}<p><a href="${addressOf("/dashboard/events", { environment: environment.id })}">All events</a></p></details>
</div>`
    }
  })
})

/** Says why something was refused, without the parameter of the customer, who is the page's, and of a closed window what this page can do about it. */
const chatRefusal = (error: ApiError): Piece =>
  error._tag === "service_window_required"
    ? say(
        "A text reaches a customer for 24 hours after they wrote, and that time is over or has not begun. Choose a template below, or write as the customer first."
      )
    : refusalText(error, error.param === "recipient.id")

/** Whether a message changed a moment ago; later changes of its status may follow. */
const isMoving = (rows: ReadonlyArray<ShownMessage>, now: number): boolean =>
  rows.some(({ message }) => Math.abs(now - (parseTimestamp(message.updated_at) ?? 0)) < movesMs)

const picker = (chosen: Chosen, { default_region }: EnvironmentEntry, customer: string, error?: Html): Html =>
  html`<form method="get" action="${address}" class="search">
${environmentField(chosen)}
${input({ name: "customer", label: "Customer", value: readablePhone(customer).text, error, plain: true, maxLength: 64, hint: phoneHint(default_region) })}
<button>Show</button>
</form>`

/** Says why there is no chat here, and leads to where one is. */
const elsewhere = ({ all, environment }: Chosen): Html => {
  const sandbox = all.find(({ kind, project_id }) => kind === "sandbox" && project_id === environment?.project_id)
  return html`<div class="card narrow"><p>${environment && badge(contractWord(environment.kind), "info")} The chat plays the customer, which only a sandbox has. In production your customers write themselves, and your service answers them by the API.</p>
${environment && html`<p class="buttons"><a class="button" href="${addressOf("/dashboard/messages", { environment: environment.id })}">Read what they wrote</a> <a class="button" href="${addressOf("/dashboard/templates", { environment: environment.id })}">Write to one by a template</a></p>`}
${sandbox ? html`<p><a class="button primary" href="${addressOf(address, { environment: sandbox.id })}">Open the chat of ${environmentName(sandbox)}</a></p>` : html`<p><a class="button" href="/dashboard/projects">Create a project</a></p>`}</div>`
}

const noNumber = html`<p class="empty">This sandbox has no active number for a customer to write to. <code>POST /v1/phone-numbers</code> makes one.</p>`
