import type { ChatAnswer, ChatProvider, ChatSend, ChatSender } from "@carteiro/provider/ChatProvider.ts"
import { Effect } from "effect"
import type { OwnerHandle } from "../../platform/owner/Owner.ts"
import { levelAt, take } from "../../platform/ratelimit/TokenBucket.ts"
import type { NumberState } from "../facts/NumberState.ts"
import type { DueMessage, NumberFacts } from "../facts/SendingFacts.ts"
import type { SendingRepo } from "../facts/SendingRepo.ts"
import type { NumberLimits } from "../facts/Throughput.ts"
import { sandboxChat } from "../sandbox/SandboxChat.ts"
import { type ProgressDeps, writeProgress } from "./ProgressUnit.ts"
import {
  applyReports,
  beginProgress,
  endAttempt,
  judgeStaleAttempt,
  type SendProgress,
  takeTurn
} from "./SendProgress.ts"

/** What sending needs. */
export interface SendDeps extends ProgressDeps {
  readonly repo: SendingRepo["Service"]
  readonly connected: (sender: ChatSender) => Effect.Effect<ChatProvider | undefined>
  readonly limitsOf: (number: NumberFacts) => NumberLimits
  readonly unitMs: number
}

/** Rows of one pass: enough to fill a commit, few enough that sends waiting for theirs are not held up. */
const passLimit = 256
/** Wait for the next tokens of a number whose queue is longer than its rate, in milliseconds. */
const trickleMs = 250
/** Pause after rows that were not written, in milliseconds. */
const afterRefusalMs = 1000
/** Calls to a provider under way for one number. */
const callsAtOnce = 32

/**
 * One pass over what is due at a number: reports, releases and stale attempts, then as many queued messages as there
 * are tokens. Answers when it wants to run again. Architecture, section 5; gaps-2 D "Per-number throughput budget"
 */
export const sendDue = Effect.fnUntraced(function* (state: NumberState, owner: OwnerHandle, deps: SendDeps) {
  const now = owner.now()
  const { number, queue = never, steps = never } = yield* deps.repo.dueInstants(owner.id)
  if (number === undefined) return undefined
  const limits = deps.limitsOf(number)
  const tokens = queue <= now ? tokensOf(state, limits, now) : 0
  if (steps > now && tokens === 0) {
    const next = Math.min(steps, queue <= now ? now + trickleMs : queue)
    return next === never ? undefined : next
  }
  const due = yield* deps.repo.readDue({ environment_id: number.environment_id, id: owner.id }, now, {
    queue: Math.min(passLimit, tokens),
    steps: steps <= now ? passLimit : 0
  })
  const providers = yield* providersOf(due, number, owner.id, deps)
  const local: Array<SendProgress> = []
  const leaving: Array<SendProgress> = []
  let turns = 0
  for (const message of due) {
    const progress = beginProgress(message)
    if (isTurn(message)) {
      turns++
      const provider = providers.get(message.channel)
      const claimed = takeTurn(progress, number, provider?.name, now)
      if (claimed.delivery.status === "sending" && provider?.inProcess === false) leaving.push(claimed)
      else local.push(claimed)
    } else {
      local.push(
        number.environment === "sandbox" ? applyReports(progress, deps.unitMs, now) : judgeStaleAttempt(progress, now)
      )
    }
  }
  spend(state, limits, turns, owner, now)
  const settled = yield* sendInProcess(local, owner.id, deps, now)
  // A claim is durable before anything can leave: after a crash the attempt is judged, never repeated.
  const units = [...settled, ...leaving].map((progress) => writeProgress(progress, number, owner.id, now, deps))
  const { statuses } = yield* owner.commit(units)
  yield* Effect.forEach(
    leaving.flatMap((progress, index) =>
      statuses[settled.length + index] === "committed"
        ? [{ ...progress, message: units[settled.length + index]?.message ?? progress.message }]
        : []
    ),
    (claimed) => sendOutside(claimed, providers.get(claimed.message.channel), number, owner, deps),
    { concurrency: callsAtOnce, discard: true }
  )
  return statuses.every((status) => status === "committed") ? owner.now() : owner.now() + afterRefusalMs
})

const never = Number.POSITIVE_INFINITY

const isTurn = (message: DueMessage): boolean => message.status === "queued" && message.status_reason === null

const tokensOf = (state: NumberState, limits: NumberLimits, now: number): number =>
  limits.send === undefined ? passLimit : Math.floor(levelAt(state.send, limits.send, now) + 1e-9)

const spend = (state: NumberState, limits: NumberLimits, tokens: number, owner: OwnerHandle, now: number) => {
  if (limits.send === undefined || tokens === 0) return
  state.send = take(state.send, limits.send, now, tokens).bucket
  owner.touch()
}

/** Who carries the queued messages of this pass, by channel. */
const providersOf = Effect.fnUntraced(function* (
  due: ReadonlyArray<DueMessage>,
  number: NumberFacts,
  business_id: string,
  deps: SendDeps
) {
  const providers = new Map<string, ChatProvider | undefined>()
  for (const message of due) {
    if (!isTurn(message) || providers.has(message.channel)) continue
    providers.set(
      message.channel,
      number.environment === "sandbox"
        ? sandboxChat
        : yield* deps.connected({ environment_id: number.environment_id, channel: message.channel, business_id })
    )
  }
  return providers
})

/** The simulator answers in the same commit as the claim: a crash before it has sent nothing. */
const sendInProcess = (passed: ReadonlyArray<SendProgress>, business_id: string, deps: SendDeps, now: number) => {
  const isClaimed = ({ delivery, message }: SendProgress) => isTurn(message) && delivery.status === "sending"
  const claimed = passed.filter(isClaimed)
  if (claimed.length === 0) return Effect.succeed(passed)
  return Effect.map(sandboxChat.send(claimed.map(({ message }) => sendOf(message, business_id))), (answers) => {
    let index = 0
    return passed.map((one) =>
      isClaimed(one) ? applyReports(ended(one, answers[index++] as ChatAnswer, now), deps.unitMs, now) : one
    )
  })
}

const sendOutside = Effect.fnUntraced(function* (
  claimed: SendProgress,
  provider: ChatProvider | undefined,
  number: NumberFacts,
  owner: OwnerHandle,
  deps: SendDeps
) {
  const answers = provider === undefined ? [] : yield* provider.send([sendOf(claimed.message, owner.id)])
  const now = owner.now()
  const progress = ended({ ...claimed, transitions: [] }, answers[0], now)
  yield* owner.record([writeProgress(progress, number, owner.id, now, deps)])
})

const ended = (progress: SendProgress, answer: ChatAnswer | undefined, now: number): SendProgress =>
  endAttempt(
    progress,
    answer ?? { _tag: "Unknown" },
    answer?._tag === "Accepted" ? JSON.stringify(answer.response) : null,
    now
  )

const sendOf = (message: DueMessage, business_id: string): ChatSend => ({
  message_id: message.id,
  channel: message.channel,
  sender: { id: business_id, phone: message.business_phone },
  recipient: message.customer_id,
  type: message.type,
  content: message.content ?? "null",
  reply_to: quotedIdOf(message.context),
  scenario: message.scenario
})

const quotedIdOf = (context: string | null): string | null =>
  context === null
    ? null
    : ((JSON.parse(context) as { readonly reply_to: { readonly provider_message_id: string | null } | null }).reply_to
        ?.provider_message_id ?? null)
