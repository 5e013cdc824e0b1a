import { type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import type { ChatAnswer, ChatConnection } from "@carteiro/provider/ChatProvider.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import type { SpendStanding } from "../../access/Access.ts"
import type { MessageFile } from "../content/MessageFile.ts"
import type { NumberFacts } from "../facts/SendingFacts.ts"
import { deliveryCodeOf, type Terms } from "./Dispatch.ts"
import { type Carrier, endAttempt, type SendProgress, type Turn, takeTurn } from "./SendProgress.ts"

/** A queued message at its turn, with its connection. */
export interface QueuedSend extends QueueRow {
  readonly progress: SendProgress
  readonly connection: ChatConnection
  readonly terms: Terms
  readonly file: MessageFile | undefined
  /** What the environment may spend, as read with the message. */
  readonly standing: SpendStanding | undefined
}

/** The end of a turn: the provider's answer, or a refusal before anything was sent. */
export type SendResult = ChatAnswer | { readonly _tag: "Refused"; readonly progress: SendProgress }

/**
 * The most messages of one number that may be with a provider at once, and so the most that a crash leaves ambiguous.
 * M-DLV-23
 */
const parallelSends = 32

/** The queue of one number's messages. The checks of acceptance are repeated before a reservation. */
export class SendQueue extends QueueRows<NumberFacts, QueuedSend, SendResult> {
  constructor() {
    super(parallelSends, true)
  }

  protected override voids(row: QueuedSend, number: NumberFacts, at: number) {
    const next = takeTurn(row.progress, number, turnOf(row), at)
    return next.state.status === "sending" ? undefined : ({ _tag: "Refused", progress: next } as const)
  }
}

/** Returns the facts that decide the turn of a queued message. */
export const turnOf = ({ connection, file, progress, standing, terms }: QueuedSend): Turn => ({
  carrier: carrierOf(connection),
  guard: terms.get(progress.message.id)?.guard,
  file,
  standing
})

/** Returns the provider of messages on this connection. */
const carrierOf = (connection: ChatConnection): Carrier =>
  connection._tag === "Connected"
    ? { provider: connection.provider.name }
    : { unavailable: deliveryCodeOf(connection.code) }

/** Returns the progress of a message after its turn. */
export const endTurn = (progress: SendProgress, result: SendResult, at: number): SendProgress =>
  result._tag === "Refused"
    ? result.progress
    : endAttempt(progress, result, result._tag === "Accepted" ? jsonText<unknown>(result.response) : null, at)
