import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { Effect } from "effect"
import { parseId } from "../../platform/ids/Ids.ts"
import { answer, commitThen, type Decision, type OwnerHandle, refuse } from "../../platform/owner/Owner.ts"
import { take } from "../../platform/ratelimit/TokenBucket.ts"
import type { NumberState } from "../facts/SendingFacts.ts"
import { type AskedCustomer, customerOf, type SendFacts } from "../facts/SendingFacts.ts"
import type { SendingRepo } from "../facts/SendingRepo.ts"
import type { SendMemory } from "../facts/SendMemory.ts"
import type { NumberLimits } from "../facts/Throughput.ts"
import type { CountMessage } from "../message/MessageMetrics.ts"
import { acceptedBody } from "../message/MessageRead.ts"
import { accepted, type MessageState } from "../message/MessageState.ts"
import { insertOutbound } from "../message/MessageWrites.ts"
import { subjectsOf } from "../message/Recipient.ts"
import { isWindowOpen } from "../message/ServiceWindow.ts"
import { remaining } from "../sandbox/SandboxScenario.ts"
import { judgeSend, type ReplyTarget } from "./Acceptance.ts"
import type { AcceptItem } from "./AcceptItem.ts"

/** What accepting needs beside its facts. */
export interface AcceptDeps {
  readonly repo: SendingRepo["Service"]
  readonly memory: SendMemory
  readonly unitMs: number
  readonly count: CountMessage
}

/**
 * Facts for a batch of sends: of customers heard lately from memory, without any statement when all of them were; of the
 * others in one. What memory cannot know (an opt-out or a suspension on another node since) stops the commit instead,
 * and the send is judged again by what is read then. Architecture, section 2 "Facts that grow"
 */
export const readSendFacts = (
  items: ReadonlyArray<AcceptItem>,
  state: NumberState,
  numberId: string,
  now: number,
  { repo, memory }: Pick<AcceptDeps, "repo" | "memory">
): Effect.Effect<SendFacts> => {
  const known = new Map<string, number>()
  const { number } = state
  const unknown = number === undefined ? items : items.filter((item) => !remember(item, known, numberId, now, memory))
  if (number !== undefined && unknown.length === 0) {
    return Effect.succeed({ number, windows: known, optedOut: none, quoted: noneQuoted, stored: none })
  }
  const customers = new Map<string, AskedCustomer>()
  const quoted: Array<string> = []
  for (const { channel, customer_key, reply_to } of unknown) {
    const customer = { channel, key: customer_key }
    customers.set(customerOf(customer), customer)
    // What is no id names no message, and must not spoil the statement of the whole batch.
    if (reply_to !== undefined && parseId("msg", reply_to)) quoted.push(reply_to)
  }
  const ids = unknown.map(({ id }) => id)
  return Effect.map(repo.readFacts(numberId, [...customers.values()], quoted, ids), (facts) => {
    state.number = facts.number?.suspended === false ? facts.number : undefined
    for (const customer of customers.keys()) {
      const latest = facts.optedOut.has(customer) ? undefined : facts.windows.get(customer)
      if (latest === undefined) memory.forget(numberId, customer)
      else memory.heard(numberId, customer, latest)
    }
    return known.size === 0 ? facts : { ...facts, windows: new Map([...known, ...facts.windows]) }
  })
}

/** Told once per batch, after its commit, when the earliest of its rows is due. */
interface Waking {
  due: number
  told: boolean
}

/**
 * Judges a batch of sends in order. Of what is refused nothing is written; what is accepted is one row, and the text of
 * its 202 is made here, before the commit, so that a replay is the same bytes. M-MSG-01, A-IDEM-04
 */
export const acceptAll = (
  items: ReadonlyArray<AcceptItem>,
  facts: SendFacts,
  state: NumberState,
  owner: OwnerHandle,
  now: number,
  limits: NumberLimits,
  deps: AcceptDeps
): ReadonlyArray<Decision<string>> => {
  const waking: Waking = { due: Number.POSITIVE_INFINITY, told: false }
  const takeToken = (): number | undefined => {
    if (limits.accept === undefined) return undefined
    const taken = take(state.accept, limits.accept, now)
    state.accept = taken.bucket
    owner.touch()
    return taken.taken ? undefined : taken.retryAfterMs
  }
  return items.map((item) => acceptOne(item, facts, takeToken, waking, owner, now, deps))
}

const acceptOne = (
  item: AcceptItem,
  facts: SendFacts,
  takeToken: () => number | undefined,
  waking: Waking,
  owner: OwnerHandle,
  now: number,
  deps: AcceptDeps
): Decision<string> => {
  const paced = item.scenario === "messaging_limit_pacing"
  const { state } = accepted(item.created_at, paced)
  if (facts.stored.has(item.id) || deps.memory.isStored(item.id)) return answer(textOf(item, state))
  const { number } = facts
  const own = number !== undefined && number.environment_id === item.environment_id ? number : undefined
  const customer = customerOf({ channel: item.channel, key: item.customer_key })
  const target = item.reply_to === undefined ? undefined : replyTarget(item, facts)
  const refusal = judgeSend(
    {
      channel: item.channel,
      type: item.type,
      sender: own,
      overSpendCap: false,
      reply: item.reply_to === undefined ? undefined : { target },
      optedOut: facts.optedOut.has(customer),
      latestInboundAt: facts.windows.get(customer)
    },
    deps.memory.hasDrawn(item.id) ? noWait : takeToken,
    now
  )
  if (refusal !== undefined) return refuse(refusal)
  if (own === undefined) return refuse(new PhoneNumberNotFound({ param: "sender.id" }))
  const sandbox = own.environment === "sandbox"
  const due = sandbox ? firstStep(item, state, deps.unitMs) : item.created_at
  waking.due = Math.min(waking.due, due)
  const text = textOf(item, state)
  const row = insertOutbound.row({
    environment_id: item.environment_id,
    id: item.id,
    channel: item.channel,
    type: item.type,
    status_reason: state.status_reason,
    business_id: owner.id,
    number_version: own.version,
    business_phone: own.phone,
    customer_id: item.customer_id,
    customer_key: item.customer_key,
    provider: sandbox ? "sandbox" : null,
    content: item.content,
    context: target === undefined ? null : contextText(item.reply_to, target),
    metadata: item.metadata,
    trace_id: item.trace_id,
    scenario: sandbox && item.scenario !== "success" ? item.scenario : null,
    due_at: due,
    created_at: item.created_at
  })
  return commitThen({
    rows: [row],
    claim: item.claim,
    response: { status: 202, body: text },
    subjects: item.claim === undefined ? undefined : subjectsOf(item),
    settle: (_keys, passed) => {
      if (!passed) {
        deps.memory.forget(owner.id, customer)
        deps.memory.drew(item.id)
        return { retry: "changed" }
      }
      deps.memory.stored(item.id)
      deps.count(own.environment, "outbound", state.status)
      if (!waking.told) {
        waking.told = true
        owner.dueAt(waking.due)
      }
      return { ok: text }
    }
  })
}

const noWait = () => undefined

const textOf = (item: AcceptItem, { status, status_reason }: MessageState): string =>
  JSON.stringify(
    acceptedBody(
      {
        id: item.id,
        status,
        status_reason,
        channel: item.channel,
        template_id: null,
        template_version_id: null,
        template_version: null,
        created_at: item.created_at,
        trace_id: item.trace_id
      },
      item.environment
    )
  )

const firstStep = (item: AcceptItem, state: MessageState, unit_ms: number): number =>
  remaining(
    { scenario: item.scenario, type: item.type, accepted_at: item.created_at, unit_ms, provider_message_id: "" },
    state
  )[0]?.at ?? item.created_at

/** A quoted message counts only within its conversation. M-REPLY-01 */
const replyTarget = (item: AcceptItem, facts: SendFacts): ReplyTarget | undefined => {
  const quoted = facts.quoted.get(item.reply_to ?? "")
  return quoted?.channel === item.channel && quoted.customer_key === item.customer_key ? quoted : undefined
}

const contextText = (message_id: string | undefined, target: ReplyTarget): string =>
  JSON.stringify({
    reply_to: { message_id, provider_message_id: target.provider_message_id },
    forwarded: false,
    frequently_forwarded: false
  })

/** Notes a customer whose open window is remembered; false when the table must be asked about the send. */
const remember = (
  { channel, customer_key, reply_to }: AcceptItem,
  known: Map<string, number>,
  numberId: string,
  now: number,
  memory: SendMemory
): boolean => {
  if (reply_to !== undefined) return false
  const customer = customerOf({ channel, key: customer_key })
  const latest = memory.latestInbound(numberId, customer)
  if (!isWindowOpen(latest, now)) return false
  known.set(customer, latest as number)
  return true
}

const none: ReadonlySet<string> = new Set()
const noneQuoted: SendFacts["quoted"] = new Map()
