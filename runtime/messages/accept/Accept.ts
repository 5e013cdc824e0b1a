import { answer, commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { MessageContext } from "@carteiro/schema/messages/Message.ts"
import { InvalidMessageRequest } from "@carteiro/schema/messages/MessageErrors.ts"
import { isUserId } from "@carteiro/schema/messages/Vocabulary.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { type JsonText, jsonText } from "@carteiro/tables/StoredJson.ts"
import { Result } from "effect"
import type { CustomerIds } from "../../customers/CustomerIds.ts"
import { groupRefusal } from "../../groups/Groups.ts"
import { take, takeUpTo } from "../../ratelimit/TokenBucket.ts"
import { resolveContent, type SentContent } from "../content/SentContent.ts"
import { customerOf, type NumberFacts, type NumberState, type SendFacts } from "../facts/SendingFacts.ts"
import type { SendMemory } from "../facts/SendMemory.ts"
import type { NumberLimits } from "../facts/Throughput.ts"
import { guardError, judgeMarketing } from "../guards/MarketingGuard.ts"
import type { CountMessage } from "../message/MessageMetrics.ts"
import { acceptedBody } from "../message/MessageRead.ts"
import { accepted, type MessageState } from "../message/MessageState.ts"
import { subjectsOf } from "../message/Recipient.ts"
import { remaining } from "../sandbox/SandboxScenario.ts"
import { judgeSend, type ReplyTarget } from "./Acceptance.ts"
import type { AcceptItem } from "./AcceptItem.ts"
import { acceptedRow, customerClaim, fileUse } from "./AcceptRows.ts"
import { claimRows, holdOnAccept, holdRows } from "./LimitedAcceptance.ts"
import type { AcceptedFacts } from "./TemplateLimits.ts"

/** The services that accepting needs besides its facts. */
export interface AcceptDeps {
  readonly memory: SendMemory
  readonly secrets: Secrets["Service"]
  readonly unitMs: number
  readonly count: CountMessage
  /** Wakes the owner of an environment's media after a commit with a file to prepare. */
  readonly wakeMedia: (environmentId: string) => void
  readonly customers: CustomerIds["Service"]
}

/** The number that accepts a batch of sends: what was read for the batch, and what its owner remembers. */
interface AcceptingNumber {
  readonly facts: AcceptedFacts
  readonly numberState: NumberState
  readonly numberLimits: NumberLimits
  readonly owner: OwnerHandle
  readonly now: number
}

/** Collects the earliest due time of a batch's rows; the owner reads it once, after the commit. */
interface BatchWaking {
  due: number
  isRead: boolean
}

/**
 * Decides a batch of sends in order. A refused send writes nothing; an accepted one writes one row, and the text of its
 * 202 is made here, before the commit, so that a replay has identical bytes. M-MSG-01, A-IDEM-04
 */
export const acceptAll = (
  items: ReadonlyArray<AcceptItem>,
  number: AcceptingNumber,
  deps: AcceptDeps
): ReadonlyArray<Decision<string>> => {
  const waking: BatchWaking = { due: Number.POSITIVE_INFINITY, isRead: false }
  const takeToken = acceptToken(number)
  return items.map((item) => acceptOne(item, number, takeToken, waking, deps))
}

/** Returns the taker of accept tokens: it returns the milliseconds until the next one, or undefined when it took one. */
const acceptToken =
  ({ now, numberLimits, numberState, owner }: AcceptingNumber) =>
  (): number | undefined => {
    const limit = numberLimits.accept
    if (limit === undefined) return undefined
    // On a clock that stands no token would come again. gaps-1 "Sandbox clock"
    if (owner.stands()) {
      numberState.accept = takeUpTo(numberState.accept, limit, now, 1).bucket
      return undefined
    }
    const token = take(numberState.accept, limit, now)
    numberState.accept = token.bucket
    owner.touch()
    return token.taken ? undefined : token.retryAfterMs
  }

const acceptOne = (
  item: AcceptItem,
  { facts, now, numberState, owner }: AcceptingNumber,
  takeToken: () => number | undefined,
  waking: BatchWaking,
  deps: AcceptDeps
): Decision<string> => {
  const templateLimits = facts.limits.get(item.id)
  const isHeld = holdOnAccept(templateLimits, item.customer_key, numberState, facts.number, now)
  const { state } = accepted(item.created_at, isHeld || item.scenario === "messaging_limit_pacing")
  const resolved = templateLimits?.sent ?? resolveContent(item, facts, now)
  if (facts.stored.has(item.id) || deps.memory.isStored(item.id)) {
    return answer(textOf(item, state, Result.getOrUndefined(resolved)))
  }
  const target = item.reply_to === undefined ? undefined : replyTarget(item, facts)
  const isFree = item.batch_id !== undefined || deps.memory.hasDrawn(item.id)
  const verdict = judgeSendItem(item, facts, resolved, target, isFree ? noWait : takeToken, now)
  if (Result.isFailure(verdict)) return refuse(verdict.failure)
  const { content, own } = verdict.success
  const group = item.group_id === undefined ? undefined : facts.group(item.group_id)
  const customer = customerOf({ channel: item.channel, key: item.customer_key })
  const text = textOf(item, state, content)
  const due = isHeld ? null : own.environment === "sandbox" ? firstStep(item, state, deps.unitMs) : item.created_at
  const hold = isHeld ? holdRows(item, numberState, owner, now) : undefined
  waking.due = Math.min(waking.due, due ?? hold?.due ?? Number.POSITIVE_INFINITY)
  const context = target === undefined ? null : contextText(item.reply_to ?? null, target)
  return commitThen({
    rows: [
      ...customerClaim(item, deps.customers),
      acceptedRow(
        item,
        content,
        { state, own, business_id: owner.id, context, due, limits: templateLimits, group },
        deps.secrets
      ),
      ...claimRows(item, templateLimits, owner.id, now),
      ...fileUse(item, templateLimits?.media_hash ?? undefined),
      ...(hold?.rows ?? [])
    ],
    claim: item.claim,
    response: { status: 202, body: text },
    subjects: item.claim === undefined ? undefined : subjectsOf(item),
    settle: (_keys, passed) => {
      if (!passed) {
        deps.memory.forget({ environment_id: item.environment_id, business_id: owner.id, customer })
        if (item.user_id !== undefined) deps.customers.forget(item.environment_id, item.user_id)
        if (item.names?._tag === "Template") deps.memory.forgetTemplate(item.environment_id, item.names)
        deps.memory.drew(item.id)
        return { retry: "changed" }
      }
      deps.memory.stored(item.id)
      if (item.file !== undefined) deps.wakeMedia(item.environment_id)
      deps.count(own.environment, "outbound", state.status)
      if (!waking.isRead) {
        waking.isRead = true
        owner.dueAt(waking.due)
      }
      return { ok: text }
    }
  })
}

/** A send that its number accepts. */
interface AcceptedItem {
  readonly own: NumberFacts
  readonly content: SentContent
}

/**
 * Judges a send by the facts of its batch; nothing is written. `resolved` is its content, `target` the message that it
 * replies to. Returns the number and the content of a send that passes.
 */
export const judgeSendItem = (
  item: AcceptItem,
  facts: AcceptedFacts,
  resolved: Result.Result<SentContent, ApiError>,
  target: ReplyTarget | undefined,
  takeToken: () => number | undefined,
  now: number
): Result.Result<AcceptedItem, ApiError> => {
  const { number } = facts
  const templateLimits = facts.limits.get(item.id)
  const own = number !== undefined && number.environment_id === item.environment_id ? number : undefined
  const customer = customerOf({ channel: item.channel, key: item.customer_key })
  const refusal = judgeSend(
    {
      channel: item.channel,
      type: item.type,
      sender: own,
      creditBlocked: item.credit_blocked === true,
      overSpendCap: item.over_spend_cap === true,
      group: item.group_id === undefined ? undefined : groupRefusal(facts.group(item.group_id), "recipient.id"),
      reply: item.reply_to === undefined ? undefined : { target },
      content: Result.isFailure(resolved) ? resolved.failure : undefined,
      optedOut: facts.optedOut.has(customer) || templateLimits?.optedOut === true,
      latestInboundAt: facts.windows.get(customer)
    },
    takeToken,
    now
  )
  if (refusal !== undefined) return Result.fail(refusal)
  if (own === undefined) return Result.fail(new PhoneNumberNotFound({ param: "sender.id" }))
  if (Result.isFailure(resolved)) return Result.fail(resolved.failure)
  const isPerson = item.group_id === undefined && !isUserId(item.customer_id)
  if (!isPerson && resolved.success.named?.template_category === "authentication") return Result.fail(needsPhone)
  const guard = templateLimits?.guards && judgeMarketing(templateLimits.guards.facts, now)
  return guard === undefined ? Result.succeed({ own, content: resolved.success }) : Result.fail(guardError(guard))
}

/** The platform sends no authentication template to a group, or to a customer whose phone it hides. U-HID-04, U-SND-11 */
const needsPhone = new InvalidMessageRequest({
  param: "recipient.type",
  message: "An authentication template goes to a phone number only: send it with recipient type phone_e164."
})

/** Takes no token: the send has one, or is paced elsewhere. */
export const noWait = () => undefined

const textOf = (item: AcceptItem, { status, status_reason }: MessageState, sent: SentContent | undefined): string =>
  JSON.stringify(
    acceptedBody(
      {
        id: item.id,
        status,
        status_reason,
        channel: item.channel,
        template_id: sent?.named?.template_id ?? null,
        template_version_id: sent?.named?.template_version_id ?? null,
        template_version: sent?.named?.template_version ?? null,
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

/** Returns the quoted message, if it belongs to the send's conversation. M-REPLY-01, U-SND-11 */
const replyTarget = (item: AcceptItem, facts: SendFacts): ReplyTarget | undefined => {
  const quoted = facts.quoted.get(item.reply_to ?? "")
  if (item.group_id !== undefined) return quoted?.group_id === item.group_id ? quoted : undefined
  return quoted?.channel === item.channel && quoted.customer_key === item.customer_key ? quoted : undefined
}

const contextText = (message_id: string | null, target: ReplyTarget): JsonText<MessageContext> =>
  jsonText({
    reply_to: { message_id, provider_message_id: target.provider_message_id },
    forwarded: false,
    frequently_forwarded: false
  })
