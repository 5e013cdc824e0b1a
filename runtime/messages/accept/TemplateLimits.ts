import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Result } from "effect"
import type { HashedFile, MediaHashes } from "../../media/Media.ts"
import type { OwnerHandle } from "../../platform/owner/Owner.ts"
import { resolveContent, type SentContent } from "../content/SentContent.ts"
import { customerOf, guardedNumber, type NumberFacts, type NumberState, type SendFacts } from "../facts/SendingFacts.ts"
import { contentHash } from "../guards/ContentHash.ts"
import type { GuardRepo, ReadGuards } from "../guards/GuardRepo.ts"
import { judgeMarketing } from "../guards/MarketingGuard.ts"
import { allowanceOf, needsSlot } from "../pacing/Allowance.ts"
import type { PacingRepo } from "../pacing/PacingRepo.ts"
import { SlotLedger } from "../pacing/SlotLedger.ts"
import type { AcceptItem } from "./AcceptItem.ts"
import { readSendFacts, type SendFactsDeps } from "./SendFactsReader.ts"

/** What a template is judged by beside what every send is. */
export interface TemplateLimits {
  readonly sent: Result.Result<SentContent, ApiError>
  /** Of marketing whose media is hashed; null otherwise. */
  readonly content_hash: string | null
  /** Of the bytes that were hashed for it, which must be those that leave; null without a file. M-DLV-12 */
  readonly media_hash: string | null
  /** Absent for other categories than marketing. */
  readonly guards: ReadGuards | undefined
  /** It starts a conversation of a number that has an allowance, and what the recipient has of it. */
  readonly needsSlot: boolean
  readonly slotted: boolean
  /** The recipient has opted out, as far as was looked. */
  readonly optedOut: boolean
}

/** Everything a batch of sends is judged by, limits of templates by their message included. */
export interface AcceptedFacts extends SendFacts {
  readonly limits: ReadonlyMap<string, TemplateLimits>
}

/** Where limits are read. */
interface LimitsDeps {
  readonly guards: GuardRepo["Service"]
  readonly pacing: PacingRepo["Service"]
  readonly hashes: MediaHashes["Service"]
}

/**
 * Everything a batch of sends is judged by. What the number and its templates were when they were read last may let a send
 * pass, for its commit looks at them again; a template that would be refused is judged by what is read now.
 */
export const readAcceptedFacts = (
  items: ReadonlyArray<AcceptItem>,
  state: NumberState,
  owner: OwnerHandle,
  deps: SendFactsDeps & LimitsDeps
): Effect.Effect<AcceptedFacts> => {
  const read = () =>
    Effect.flatMap(readSendFacts(items, state, owner.id, owner.now(), deps), (facts) =>
      readTemplateLimits(items, facts, state, owner, deps)
    )
  const remembered = state.number !== undefined
  return Effect.flatMap(read(), (facts) => {
    const now = owner.now()
    if (!remembered || ![...facts.limits.values()].some((limits) => isRefused(limits, now)))
      return Effect.succeed(facts)
    state.number = undefined
    return read()
  })
}

const isRefused = ({ guards, optedOut, sent }: TemplateLimits, now: number): boolean =>
  optedOut || Result.isFailure(sent) || (guards !== undefined && judgeMarketing(guards.facts, now) !== undefined)

const noLimits: AcceptedFacts["limits"] = new Map()

/** Reads what limits the templates of a batch, in one statement; other sends cost nothing here. gaps-2 C, D */
const readTemplateLimits = (
  items: ReadonlyArray<AcceptItem>,
  facts: SendFacts,
  state: NumberState,
  owner: OwnerHandle,
  deps: LimitsDeps
): Effect.Effect<AcceptedFacts> => {
  const { number } = facts
  const templates = items.filter(({ names }) => names?._tag === "Template")
  return number === undefined || templates.length === 0
    ? Effect.succeed({ ...facts, limits: noLimits })
    : Effect.map(limitsOf(templates, facts, number, state, owner, deps), (limits) => ({ ...facts, limits }))
}

const limitsOf = Effect.fnUntraced(function* (
  items: ReadonlyArray<AcceptItem>,
  facts: SendFacts,
  number: NumberFacts,
  state: NumberState,
  owner: OwnerHandle,
  { guards, hashes, pacing }: LimitsDeps
) {
  const now = owner.now()
  const resolved = items.map((item) => ({ item, sent: resolveContent(item, facts, now) }))
  const media = yield* hashedMedia(resolved, number, owner.id, hashes)
  const asked = resolved.map(({ item, sent }) => {
    const latest_inbound_at = facts.windows.get(customerOf({ channel: item.channel, key: item.customer_key })) ?? null
    return { item, sent, ...hashOf(item, sent, media), latest_inbound_at }
  })
  const paced = allowanceOf(number.messaging_tier, number.quality_rating) !== undefined
  const opens = ({ item, latest_inbound_at }: (typeof asked)[number], guards: ReadGuards | undefined) =>
    paced && needsSlot({ ...item, latest_inbound_at: guards?.facts.heard_here_at ?? latest_inbound_at }, now)
  // What is refused for its content is asked nothing about, nor what nothing limits. Of a batch, opt-outs are found here:
  // one that only its commit finds costs the owner its memory.
  const judged = asked.filter(
    (one) => Result.isSuccess(one.sent) && (one.isMarketing || one.item.batch_id !== undefined || opens(one, undefined))
  )
  const read =
    judged.length === 0
      ? []
      : yield* guards.readGuards({
          number: guardedNumber(number, owner.id),
          sends: judged.map(({ content_hash, item }) => ({
            message_id: item.id,
            customer_key: item.customer_key,
            content_hash,
            ...templateOf(item)
          })),
          when: "accept",
          now
        })
  const found = new Map(judged.map(({ item }, index) => [item.id, read[index]]))
  const limits = new Map(
    asked.map((one): readonly [string, TemplateLimits] => {
      const { content_hash, isMarketing, item, media_hash, sent } = one
      const known = found.get(item.id)
      const guards = isMarketing ? known : undefined
      const { optedOut = false, slotted = false } = known ?? {}
      return [item.id, { sent, content_hash, media_hash, guards, needsSlot: opens(one, known), slotted, optedOut }]
    })
  )
  if (state.slots === undefined && judged.some(({ item }) => limits.get(item.id)?.needsSlot === true)) {
    const place = { environment_id: number.environment_id, id: owner.id }
    state.slots = new SlotLedger(yield* pacing.readSlots(place, now))
  }
  return limits
})

/** Media of a header has to be hashed before its content is known. gaps-2 C "Verified media hash" */
const hashOf = (
  item: AcceptItem,
  sent: Result.Result<SentContent, ApiError>,
  media: ReadonlyMap<string, string | undefined>
) => {
  const { header_media, named, parameters } = Result.getOrUndefined(sent) ?? {}
  const isMarketing = named?.template_category === "marketing"
  const file = header_media === undefined ? null : media.get(item.id)
  if (!isMarketing || parameters === undefined || file === undefined) {
    return { isMarketing, content_hash: null, media_hash: null }
  }
  const { template_language: language, template_name: name } = templateOf(item)
  return { isMarketing, content_hash: contentHash({ name, language }, parameters, file), media_hash: file }
}

/**
 * What the files of marketing headers hold, by message, as far as somebody has looked; who has not yet, looks then. Only
 * such sends ask. M-GRD-04, M-GRD-23, gaps-2 C "Verified media hash"
 */
const hashedMedia = Effect.fnUntraced(function* (
  resolved: ReadonlyArray<{ readonly item: AcceptItem; readonly sent: Result.Result<SentContent, ApiError> }>,
  number: NumberFacts,
  business_id: string,
  hashes: MediaHashes["Service"]
) {
  const files = resolved.flatMap(({ item, sent }) => {
    const { header_media, named } = Result.getOrUndefined(sent) ?? {}
    const file = header_media === undefined ? undefined : hashedFile(header_media)
    return named?.template_category === "marketing" && file !== undefined ? [{ item, file }] : []
  })
  const [first] = files
  if (first === undefined) return new Map<string, string | undefined>()
  const { environment, environment_id } = number
  const { channel, trace_id } = first.item
  const found = yield* hashes.verified(
    { environment_id, environment, channel, business_id, trace_id },
    files.map(({ file }) => file)
  )
  return new Map(files.map(({ item }, index) => [item.id, found[index]]))
})

const hashedFile = ({ asset_id, id, link }: NonNullable<SentContent["header_media"]>): HashedFile | undefined => {
  if (typeof asset_id === "string") return { asset_id }
  if (typeof link === "string") return { link }
  return typeof id === "string" ? { id } : undefined
}

const templateOf = ({ names }: AcceptItem) =>
  names?._tag === "Template"
    ? { template_name: names.name, template_language: names.language }
    : { template_name: "", template_language: "" }
