import { bodyDecoder, isRefusal } from "@carteiro/http-edge/Decoding.ts"
import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { InvalidMessageRequest } from "@carteiro/schema/messages/MessageErrors.ts"
import { SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { Effect, Layer, Result } from "effect"
import { type EnvironmentEntry, SpendStandings } from "../../access/Access.ts"
import {
  MessageAdmin,
  makeAcceptItem,
  PhoneNumberEntity,
  readPhone,
  type ShownMessage,
  simulatedCustomer
} from "../../messages/Messages.ts"
import { NumberDirectory } from "../../phone-numbers/PhoneNumbers.ts"
import { SandboxCustomers } from "../../sandbox/Sandbox.ts"
import { EnvironmentEvents, WebhookAdmin } from "../../webhooks/Webhooks.ts"
import {
  type Chosen,
  changedEnvironment,
  chosenEnvironment,
  environmentField,
  environmentName,
  environmentOf,
  timeIn
} from "../kit/Environments.ts"
import { asked, field } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { live } from "../kit/LiveScript.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, input, notice } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { scriptRoute } from "../kit/Scripts.ts"
import { businessForm, customerForms, simulationOf } from "./ChatForms.ts"
import { conversation, eventLog, type Talk } from "./ChatParts.ts"
import { chatScript } from "./ChatScript.ts"

const address = "/dashboard/chat"

/** Messages of a conversation, events and deliveries that the page shows. */
const shownMessages = 40
const shownEvents = 12
const shownDeliveries = 24

/** Who writes until the page is told another phone number. */
const firstCustomer = "+5511912345678"

/** After the last change of a message, the page without a script reloads for so long, in milliseconds. */
const movesMs = 15_000

/** A refusal of what was written, and the text that the line keeps. */
interface Refused {
  readonly error: ApiError
  readonly draft: string
}

/** A conversation of a sandbox: its reader writes as the customer and sees the answers, the events and the webhooks. M-SBX-03 */
export const ChatHttp = Layer.unwrap(
  Effect.gen(function* () {
    const messages = yield* MessageAdmin
    const webhooks = yield* WebhookAdmin
    const events = yield* EnvironmentEvents
    const numbers = yield* NumberDirectory
    const owners = yield* PhoneNumberEntity.client
    const customers = yield* SandboxCustomers
    const ids = yield* Ids
    const publicUrl = yield* PublicUrl

    const show = Effect.fnUntraced(function* (
      visit: Visit,
      chosen: Chosen,
      from: string,
      refused?: Refused
    ): Effect.fn.Return<Outcome, ApiError> {
      const { environment } = chosen
      const head = { title: "Chat", section: "chat", environment: environment?.id } as const
      if (environment?.kind !== "sandbox") return { ...head, body: elsewhere(chosen) }
      const customer = simulatedCustomer({ channel: "chatapp", from })
      const number = yield* numbers.firstActive(environment.id)
      const isPhone = Result.isSuccess(customer)
      const picked = picker(chosen, from, isPhone ? undefined : "That is no phone number.")
      if (!isPhone || number === undefined) {
        return { ...head, ...(isPhone ? {} : { status: 400 }), body: html`${picked}${isPhone && noNumber}` }
      }
      const { id: phone, key } = customer.success
      const [{ rows }, happened, sent] = yield* Effect.all([
        messages.list(environment.id, "sandbox", { talk_with: key }, shownMessages),
        Effect.catch(events.latest(environment.id, shownEvents), () => Effect.succeed([])),
        webhooks.deliveries(environment.id, {}, shownDeliveries)
      ])
      const now = yield* timeIn(environment.id, visit.now)
      const mayWrite = visit.session.organization.suspended_at === null
      const talk: Talk = {
        environment: environment.id,
        customer: phone,
        number: number.id,
        csrf: visit.csrf,
        mayWrite,
        maySend: visit.mayChange
      }
      return {
        ...head,
        ...(refused && { status: refused.error.status }),
        script: chatScript,
        follows: "events",
        again: refused === undefined && isMoving(rows, now) ? 2 : undefined,
        body: html`${picked}
<div class="chat">
<section aria-labelledby="conversation"><h2 id="conversation">${phone} and ${number.display_name ?? number.phone}</h2>
${conversation(talk, rows)}
<div id="refused"${live}>${refused && notice("bad", refused.error.message)}</div>
${mayWrite && customerForms(talk, rows, refused?.draft ?? "")}
${talk.maySend && businessForm(talk, publicUrl())}</section>
<section aria-labelledby="happened"><h2 id="happened">Events and webhooks</h2>
${eventLog(environment.id, happened, sent)}</section>
</div>`
      }
    })

    const open = (visit: Visit): Effect.Effect<Outcome, ApiError> =>
      Effect.flatMap(chosenEnvironment(visit), (chosen) =>
        show(visit, chosen, asked(visit.request, "customer") ?? firstCustomer)
      )

    /** Does what was asked in a sandbox, and shows a refusal beside the line that was written in. */
    const write = (work: (visit: Visit, environment: EnvironmentEntry, form: URLSearchParams) => Writing) =>
      Effect.fnUntraced(function* (
        visit: Visit,
        form: URLSearchParams
      ): Effect.fn.Return<Outcome, ApiError, SpendStandings> {
        const environment = yield* environmentOf(visit)
        if (environment.kind !== "sandbox") return yield* new NotHere()
        const customer = field(form, "from") || field(form, "customer")
        const to = `${addressOf(address, { environment: environment.id, customer })}#write`
        return yield* work(visit, environment, form).pipe(
          Effect.as<Outcome>({ to }),
          Effect.catchIf(
            (error) => error.status < 500,
            (error) => show(visit, { all: [environment], environment }, customer, { error, draft: field(form, "body") })
          )
        )
      })

    const writeAsCustomer = write(({ now, request }, { id: environment_id }, form) =>
      Effect.gen(function* () {
        const body = decodeSimulation(simulationOf(form))
        if (isRefusal(body)) return yield* body
        const customer = yield* Effect.fromResult(simulatedCustomer(body as SimulateInbound))
        const trace_id = request.traceId
        return yield* customers.write({
          environment_id,
          body: body as SimulateInbound,
          customer,
          trace_id,
          now: yield* timeIn(environment_id, now),
          claim: undefined
        })
      })
    )

    const sendAsBusiness = write((visit, _environment, form) =>
      Effect.gen(function* () {
        const environment = yield* changedEnvironment(visit, "messaging")
        const recipient = yield* Effect.fromResult(readPhone(field(form, "customer"), "recipient.id"))
        const number = yield* numbers.find(environment.id, field(form, "number"))
        if (number === undefined) return yield* new NotHere()
        const body = decodeSend({
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: recipient.type, id: recipient.id },
          message: { type: "text", text: { body: field(form, "answer") } }
        })
        if (isRefusal(body)) return yield* body
        const caller = { environment: "sandbox", environment_id: environment.id } as const
        const now = yield* timeIn(environment.id, visit.now)
        const { request } = visit
        const send = { caller, body: body as SendMessage, traceId: request.traceId, now }
        const item = yield* Effect.fromResult(makeAcceptItem(send, ids.mint("msg", now), recipient))
        return yield* owners.Accept(number.id, item)
      })
    )

    return Layer.mergeAll(
      scriptRoute("console.script", chatScript),
      page({ operation: "chat", path: address, handler: open }),
      action({
        operation: "writeInChat",
        audit: "sandbox.customer_message_written",
        path: `${address}/:environment/write`,
        members: true,
        handler: writeAsCustomer
      }),
      action({
        operation: "sendInChat",
        audit: "sandbox.message_sent",
        path: `${address}/:environment/send`,
        handler: sendAsBusiness
      })
    )
  })
).pipe(Layer.provide(SpendStandings.layer))

type Writing = Effect.Effect<unknown, ApiError, SpendStandings>

const decodeSimulation = bodyDecoder(SimulateInbound, { code: InvalidMessageRequest.code, strict: false })
const decodeSend = bodyDecoder(SendMessage, { code: InvalidMessageRequest.code, strict: false })

/** Whether a message that has not come to its end changed a moment ago. */
const isMoving = (rows: ReadonlyArray<ShownMessage>, now: number): boolean =>
  rows.some(({ message }) => Math.abs(now - (parseTimestamp(message.updated_at) ?? 0)) < movesMs)

const picker = (chosen: Chosen, customer: string, error: string | undefined): Html =>
  html`<form method="get" action="${address}" class="search">
${environmentField(chosen)}
${input({ name: "customer", label: "Customer", value: customer, error, plain: true, maxLength: 64 })}
<button>Show</button>
</form>`

/** Says why there is no chat here, and leads to where one is. */
const elsewhere = ({ all, environment }: Chosen): Html => {
  const sandbox = all.find(({ kind, project_id }) => kind === "sandbox" && project_id === environment?.project_id)
  return html`<div class="card narrow"><p>${environment && badge(contractWord(environment.kind), "info")} The chat plays the customer, which only a sandbox has. In production your customers write themselves.</p>
${sandbox ? html`<p><a class="button primary" href="${addressOf(address, { environment: sandbox.id })}">Open the chat of ${environmentName(sandbox)}</a></p>` : html`<p><a class="button" href="/dashboard/projects">Create a project</a></p>`}</div>`
}

const noNumber = html`<p class="empty">This sandbox has no active number for a customer to write to. <code>POST /v1/phone-numbers</code> makes one.</p>`
