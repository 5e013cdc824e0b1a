import { bodyDecoder, isRefusal } from "@carteiro/http-edge/Decoding.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InvalidMessageRequest } from "@carteiro/schema/messages/MessageErrors.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { channelName } from "../kit/Channels.ts"
import { confirmation } from "../kit/Confirmation.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord } from "../kit/Language.ts"
import { orNotHere, orNothing } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, notice } from "../kit/Parts.ts"
import { dialled } from "../kit/PhoneText.ts"
import { NotHere } from "../kit/Refusals.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { contentPiece } from "./Bubble.ts"
import { customerOf, sendBody } from "./MessageParts.ts"

const address = "/dashboard/messages"

/** A question that was shown longer ago, in milliseconds, is asked again before anything is sent. */
const askedMs = 15 * 60_000

/**
 * Sends a message to a customer once more, as a new one with the sender, recipient, content and metadata of the first,
 * after a look at what is sent, to whom and for how much.
 */
export const SendAgainHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations

    /** Returns a message that can be sent once more, with the body that does. */
    const found = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry) {
      const id = yield* idOf(visit, "msg")
      const read = operations.messageLookups.get(asVisitor(visit, environment), { params: { message_id: id } })
      const shown = yield* orNotHere(read)
      const body = sendBody(shown) ?? (yield* new NotHere())
      return { id, shown, body }
    })

    const priceOf = Effect.fnUntraced(function* (
      visit: Visit,
      environment: EnvironmentEntry,
      { message: { template_id, type } }: ShownMessage
    ) {
      if (environment.kind === "sandbox") return html`nothing: a sandbox is free`
      const read = operations.templateLookups.getSendable
      const template =
        template_id === null
          ? undefined
          : yield* orNothing(read(asVisitor(visit, environment), { params: { template_id } }))
      const category = type === "template" ? template?.category : "service"
      if (category === undefined) return unknownPrice
      const { amount_brl } = yield* operations.ownAccount.messagePrice(asVisitor(visit), { query: { category } })
      return amount_brl === null ? unknownPrice : html`at most <strong>${formatReais(amount_brl)}</strong>`
    })

    const ask = Effect.fnUntraced(function* (visit: Visit, error?: ApiError): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const { id, shown } = yield* found(visit, environment)
      const here = `${address}/${environment.id}/${id}`
      const costs = yield* priceOf(visit, environment, shown)
      return {
        title: "Send this message again?",
        ...(error && { status: error.status }),
        section: "messages",
        environment: environment.id,
        up: [here, "Message to a customer"],
        body: html`${error && notice("bad", refusalText(error))}
${confirmation({
  action: `${here}/again`,
  csrf: visit.csrf,
  explanation: explained(shown, environmentName(environment), costs),
  button: "Send the message",
  back: here,
  dangerous: false
})}`
      }
    })

    const send = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry) {
      const body = decode((yield* found(visit, environment)).body)
      if (isRefusal(body)) return yield* body
      return yield* operations.messages.create(asVisitor(visit, environment), { payload: body as SendMessage })
    })

    const sendAgain = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const isOld = visit.sent === undefined || visit.sent.shownAt <= visit.now - askedMs
      if (isOld) return { ...(yield* ask(visit)), changes: false }
      return yield* send(visit, environment).pipe(
        Effect.map(
          ({ id }): Outcome => ({
            to: `${address}/${environment.id}/${id}?done=sent_again`,
            audited: { after: { message: id } }
          })
        ),
        Effect.catchIf(
          (error) => error.status < 500,
          (error) => ask(visit, error)
        )
      )
    })

    const path = `${address}/:environment/:id/again`
    return Layer.merge(
      page({ operation: "askSendAgain", path, handler: (visit) => ask(visit) }),
      action({ operation: "sendAgain", audit: "message.sent_again", path, handler: sendAgain })
    )
  })
)

const unknownPrice = html`not known: no price is in effect`

const decode = bodyDecoder(SendMessage, { code: InvalidMessageRequest.code, strict: false })

const explained = ({ content, message }: ShownMessage, where: Html, costs: Html): Html =>
  html`<p>A new message with this content goes to the customer. The first one stays as it is.</p>
${facts([
  ["To", dialled(customerOf(message))],
  ["Sender", html`<code>${message.sender.id}</code>`],
  ["Type", html`${contractWord(message.type)} · ${channelName(message.channel)}`],
  ["Costs", costs],
  ["Environment", where]
])}
<div class="talk"><ol><li class="bubble business"><div class="message given">${contentPiece(content)}</div></li></ol></div>`
