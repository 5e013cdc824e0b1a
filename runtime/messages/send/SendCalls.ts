import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { makeOwnerQueues, type OwnerQueue, type QueueKind } from "@carteiro/owners/Queue.ts"
import type { ChatFile } from "@carteiro/provider/ChatContent.ts"
import {
  type ChatAnswer,
  type ChatConnection,
  type ChatSend,
  type ChatSender,
  notConnected
} from "@carteiro/provider/ChatProvider.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { Effect, type Latch, Result } from "effect"
import type { SpendStandings } from "../../access/Access.ts"
import type { NamedFlows } from "../../flows/Flows.ts"
import type { SendFiles } from "../../media/Media.ts"
import { levelAt, takeUpTo } from "../../ratelimit/TokenBucket.ts"
import { readFiles } from "../content/FileTerms.ts"
import type { MessageFile } from "../content/MessageFile.ts"
import type { DueRepo } from "../facts/DueRepo.ts"
import type { HeldRepo } from "../facts/HeldRepo.ts"
import type { DueMessage, NumberFacts, NumberState } from "../facts/SendingFacts.ts"
import type { NumberLimits } from "../facts/Throughput.ts"
import type { CountMessage } from "../message/MessageMetrics.ts"
import { hasWaitedLong, staleSendMs } from "./Dispatch.ts"
import { outgoingContent } from "./OutgoingContent.ts"
import { afterRefusalMs, countReached, type ProgressDeps, writeProgress } from "./ProgressUnit.ts"
import { pacingChange } from "./Release.ts"
import { beginProgress, type SendProgress, takeTurn } from "./SendProgress.ts"
import { endTurn, type QueuedSend, SendQueue, type SendResult, turnOf } from "./SendQueue.ts"
import { readTerms, type TermsDeps, takeBackSlots, takeSlots } from "./TurnTerms.ts"

/** The services that sending needs. */
export interface SendDeps extends ProgressDeps, TermsDeps {
  readonly secrets: Secrets["Service"]
  readonly flows: NamedFlows["Service"]
  readonly held: HeldRepo["Service"]
  readonly due: DueRepo["Service"]
  /** Reads what environments may spend now. */
  readonly standings: SpendStandings["Service"]
  readonly connected: (sender: ChatSender) => Effect.Effect<ChatConnection>
  readonly limitsOf: (number: NumberFacts) => NumberLimits
  /** Wakes the owner of a portfolio, which decides the requests of its numbers. */
  readonly wakePortfolio: (portfolioId: string) => void
  readonly unitMs: number
  readonly count: CountMessage
  readonly files: SendFiles["Service"]
}

/** The state of a number in one pass. */
export interface SendingTurn {
  readonly buckets: NumberState
  readonly number: NumberFacts
  readonly limits: NumberLimits
  /** When the head of the queue is due; infinite when nothing waits. */
  readonly queue: number
  /** Until when nothing is reserved, after a refused reservation. */
  pausedUntil: number
  /** Opened once the answers of earlier passes are written. */
  readonly answersWritten: Latch.Latch
}

/** The messages of a number that go to a provider. */
export type NumberSends = OwnerQueue<SendingTurn, NumberFacts, QueuedSend, SendResult>

/** The tokens of a number without a limit: as many as one pass handles. */
export const passLimit = 256
/** The pause of a number whose queue must wait for tokens, or for the report of an earlier attempt, in milliseconds. */
export const trickleMs = 250

/**
 * The queue of messages that go to a provider. A reservation is durable before anything is sent: after a crash the
 * attempt is decided on, never repeated. M-DLV-22, M-DLV-23, gaps-2 D "Per-number throughput budget"
 */
const sendKind = (deps: SendDeps): QueueKind<SendingTurn, NumberFacts, QueuedSend, SendResult> => ({
  ahead: 0,
  writeAtOnce: 256,
  retryMs: afterRefusalMs,
  drainMs: 4000,
  // A longer attempt has no result: it ends before its reservation is found stale.
  callMs: staleSendMs - 2000,
  makeRows: () => new SendQueue(),
  terms: ({ number }) => number,
  // All numbers of a node share its budget of calls to the provider.
  destination: () => "chat",
  allowance: ({ buckets, limits }, owner) => tokensOf(buckets, limits, owner),
  read: Effect.fnUntraced(function* ({ answersWritten, buckets, number, queue }, owner, { rows }) {
    const now = owner.now()
    // Answers from before this pass are written by now.
    answersWritten.openUnsafe()
    if (queue > now) return { rows: [], next: undefined }
    const place = { environment_id: number.environment_id, id: owner.id }
    const due = yield* deps.due.readDue(place, now, { queue: rows, steps: 0 })
    // Due messages wait until the report of an earlier attempt is handled.
    if (due.length === 0) return { rows: [], next: now + trickleMs }
    const connections = yield* connectionsOf(due, number, owner.id, deps)
    const terms = yield* readTerms(due, buckets, number, owner, deps)
    const files = yield* readFiles(due, number.environment_id, deps.files)
    // A message that was just accepted was checked against this with its request.
    const standing = due.some((message) => hasWaitedLong(message, now))
      ? yield* deps.standings.read(number.environment_id)
      : undefined
    return {
      next: undefined,
      rows: due.map((message) => ({
        id: message.id,
        bytes: message.content?.length ?? 0,
        progress: beginProgress(message),
        terms,
        file: files.get(message.id),
        standing,
        connection: connections.get(message.channel) ?? notConnected
      }))
    }
  }),
  reserve: Effect.fnUntraced(function* (rows, turn, owner) {
    const { buckets, limits, number } = turn
    const now = owner.now()
    const turns = rows.map((row) => takeTurn(row.progress, number, turnOf(row), now))
    const reserved = takeSlots(turns, rows[0]?.terms ?? new Map(), buckets, number, now)
    const units = reserved.map((progress) => writeProgress(progress, number, owner.id, now, deps))
    spend(buckets, limits, reserved.filter(isLeaving).length, owner, now)
    const pacing = pacingChange(reserved, buckets, number, owner)
    const { statuses } = yield* owner.commit([...units, ...pacing.units])
    if (pacing.portfolio !== undefined) deps.wakePortfolio(pacing.portfolio)
    countReached(units, { statuses }, number, deps.count)
    if (statuses.some((status) => status !== "committed")) turn.pausedUntil = owner.now() + afterRefusalMs
    return rows.flatMap((row, index) => {
      const progress = reserved[index]
      const message = units[index]?.message
      if (statuses[index] !== "committed" || progress?.state.status !== "sending" || message === undefined) return []
      const slot = progress.slot === "none" ? "none" : "reserved"
      return [{ ...row, progress: { ...progress, message, transitions: [], slot } }]
    })
  }),
  call: ({ connection, progress }, _turn, owner) => {
    if (connection._tag === "Unavailable") return Effect.succeed(unknown)
    const send = outgoing(progress.message, owner.id, fileOf(progress.file))
    return Result.isSuccess(send) ? connection.provider.send(send.success) : Effect.succeed(send.failure)
  },
  trace: ({ connection, id, progress: { message } }, { number }, owner) => ({
    name: "send message",
    traceId: message.trace_id,
    attributes: {
      "carteiro.environment_id": number.environment_id,
      "carteiro.owner.type": "PhoneNumber",
      "carteiro.owner.id": owner.id,
      "carteiro.message_id": id,
      "carteiro.channel": message.channel,
      "carteiro.provider": connection._tag === "Connected" ? connection.provider.name : undefined
    }
  }),
  broken: () => unknown,
  end: (batch, { buckets, number }, owner) =>
    Effect.suspend(() => {
      const ended = batch.map(({ at, result, row }) => ({ at, progress: endTurn(row.progress, result, at) }))
      for (const { progress } of ended) if (progress.due_at !== null) owner.dueAt(progress.due_at)
      const units = ended.map(({ at, progress }) => writeProgress(progress, number, owner.id, at, deps))
      return Effect.map(owner.record(units), (written) => {
        countReached(units, written, number, deps.count)
        takeBackSlots(written, owner.id, buckets)
        return true
      })
    })
})

/** Makes the queue of a number's messages, for its owner. */
export const makeSendQueues = (deps: SendDeps) => makeOwnerQueues(sendKind(deps))

const unknown = { _tag: "Unknown" } as const

/** True for a turn that uses a token: neither held nor stopped. */
export const isLeaving = ({ state }: SendProgress): boolean => state.status !== "queued"

/**
 * Returns the number of messages that may be sent now. While a sandbox's clock stands no token comes, and an advance would
 * wait for it for ever: the bucket then holds nothing back, and refills with the time that passes next. gaps-1 "Sandbox
 * clock"
 */
export const tokensOf = (
  buckets: NumberState,
  limits: NumberLimits,
  owner: Pick<OwnerHandle, "now" | "stands">
): number =>
  limits.send === undefined || owner.stands()
    ? passLimit
    : Math.floor(levelAt(buckets.send, limits.send, owner.now()) + 1e-9)

/** Takes tokens for messages that are sent now: all that there are, where more are sent on a clock that stands. */
export const spend = (
  buckets: NumberState,
  limits: NumberLimits,
  tokens: number,
  owner: OwnerHandle,
  now: number
): void => {
  if (limits.send === undefined || tokens === 0) return
  buckets.send = takeUpTo(buckets.send, limits.send, now, tokens).bucket
  owner.touch()
}

/** Returns the connections of these messages, by channel. */
const connectionsOf = Effect.fnUntraced(function* (
  due: ReadonlyArray<DueMessage>,
  number: NumberFacts,
  business_id: string,
  deps: SendDeps
) {
  const connections = new Map<string, ChatConnection>()
  for (const { channel } of due) {
    if (connections.has(channel)) continue
    connections.set(channel, yield* deps.connected({ environment_id: number.environment_id, channel, business_id }))
  }
  return connections
})

/** Returns a message in the provider's form, or the end of its attempt without a call. */
const outgoing = (
  message: DueMessage,
  business_id: string,
  file: ChatFile | undefined
): Result.Result<ChatSend, ChatAnswer> =>
  Result.mapBoth(outgoingContent(message.content, file), {
    onFailure: (code) => ({ _tag: "Rejected", code, error: null }),
    onSuccess: (content) => ({
      message_id: message.id,
      channel: message.channel,
      sender: { id: business_id, phone: message.business_phone },
      recipient: message.provider_group_id ?? message.customer_id,
      is_group: message.provider_group_id !== null,
      content,
      reply_to: quotedIdOf(message.context)
    })
  })

/** Returns the file under the provider's id, once it is prepared. */
const fileOf = (file: MessageFile | undefined): ChatFile | undefined =>
  file?.prepared?._tag === "Ready" && file.prepared.provider_media_id !== null
    ? { _tag: "Handle", id: file.prepared.provider_media_id, filename: file.prepared.filename }
    : undefined

const quotedIdOf = (context: DueMessage["context"]): string | null =>
  readJsonOrNull(context)?.reply_to?.provider_message_id ?? null
