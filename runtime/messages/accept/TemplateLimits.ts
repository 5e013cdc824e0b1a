import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { TemplateNotFound } from "@carteiro/schema/templates/TemplateErrors.ts"
import { Effect, Result } from "effect"
import type { HashedFile, MediaHashes } from "../../media/Media.ts"
import type { TemplateHints } from "../../templates/Templates.ts"
import { resolveContent, type SentContent } from "../content/SentContent.ts"
import {
  accountOf,
  customerOf,
  guardedNumber,
  type NumberFacts,
  type NumberState,
  type SendFacts
} from "../facts/SendingFacts.ts"
import { contentHash } from "../guards/ContentHash.ts"
import type { GuardRepo, ReadGuards } from "../guards/GuardRepo.ts"
import { isPoor, judgeMarketing } from "../guards/MarketingGuard.ts"
import { allowanceOf, needsSlot } from "../pacing/Allowance.ts"
import { limitAtAccept } from "../pacing/Lease.ts"
import { loadSlots, type SlotDeps } from "../pacing/NumberSlots.ts"
import type { AcceptItem } from "./AcceptItem.ts"
import { readSendFacts, type SendFactsDeps } from "./SendFactsReader.ts"

/** The limits of a template send, besides those of every send. */
export interface TemplateLimits {
  readonly sent: Result.Result<SentContent, ApiError>
  /** For marketing whose media is hashed; null otherwise. */
  readonly content_hash: string | null
  /** The hash of the bytes behind it, which must be the bytes that are sent; null without a file. M-DLV-12 */
  readonly media_hash: string | null
  /** Absent for categories other than marketing, and for a send that is tried without a read of its recipient. */
  readonly guards: ReadGuards | undefined
  /**
   * For a tried send, the account whose marketing the recipient may have stopped: the commit checks everything that
   * could hold it back.
   */
  readonly triedAccount: string | undefined
  /**
   * True when it starts a conversation of a number with an allowance; `slotted` when its recipient has a slot of the
   * number or of its portfolio.
   */
  readonly needsSlot: boolean
  readonly slotted: boolean
  /** True when the recipient has opted out, as far as it was read. */
  readonly optedOut: boolean
}

/** All facts that decide a batch of sends, with the limits of templates by message. */
export interface AcceptedFacts extends SendFacts {
  readonly limits: ReadonlyMap<string, TemplateLimits>
}

/** The sources of limits. */
interface LimitsDeps extends Pick<SendFactsDeps, "memory">, SlotDeps {
  readonly guards: GuardRepo["Service"]
  readonly hashes: MediaHashes["Service"]
  readonly hints: TemplateHints["Service"]
}

/**
 * Reads all facts that decide a batch of sends. A send may pass on cached facts about the number and its templates,
 * because its commit checks them again; a template that these would refuse is decided on a fresh read.
 */
export const readAcceptedFacts = (
  items: ReadonlyArray<AcceptItem>,
  state: NumberState,
  owner: Pick<OwnerHandle, "id" | "now">,
  deps: SendFactsDeps & LimitsDeps
): Effect.Effect<AcceptedFacts> => {
  const read = () =>
    Effect.flatMap(readSendFacts(items, state, owner.id, owner.now(), deps), (facts) =>
      readTemplateLimits(items, facts, state, owner, deps)
    )
  const remembered = state.number !== undefined
  const judged = Effect.flatMap(read(), (facts) => {
    const now = owner.now()
    if (!remembered || ![...facts.limits.values()].some((limits) => isRefused(limits, now)))
      return Effect.succeed(facts)
    state.number = undefined
    return read()
  })
  return Effect.flatMap(judged, (facts) => withHints(items, facts, deps.hints))
}

const isRefused = ({ guards, optedOut, sent }: TemplateLimits, now: number): boolean =>
  optedOut || Result.isFailure(sent) || (guards !== undefined && judgeMarketing(guards.facts, now) !== undefined)

const noLimits: AcceptedFacts["limits"] = new Map()

/**
 * Reads the limits of a batch's templates in one statement. Other sends cost nothing here, nor does a tried template:
 * the commit of marketing checks whether anything holds its recipient back, and a stopped one is decided on a fresh
 * read. gaps-2 C, D
 */
const readTemplateLimits = (
  items: ReadonlyArray<AcceptItem>,
  facts: SendFacts,
  state: NumberState,
  owner: Pick<OwnerHandle, "id" | "now">,
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
  owner: Pick<OwnerHandle, "id" | "now">,
  deps: LimitsDeps
) {
  const { guards, hashes, memory } = deps
  const now = owner.now()
  const resolved = items.map((item) => ({ item, sent: resolveContent(item, facts, now) }))
  const media = yield* hashedMedia(resolved, number, owner.id, hashes)
  const isPaced = allowanceOf(number.messaging_tier, number.quality_rating) !== undefined
  const opens = (item: AcceptItem, latest_inbound_at: number | null) =>
    isPaced && needsSlot({ ...item, latest_inbound_at }, now)
  const asked = resolved.map(({ item, sent }) => {
    const latest = facts.windows.get(customerOf({ channel: item.channel, key: item.customer_key })) ?? null
    return { item, sent, ...hashOf(item, sent, media), opens: Result.isSuccess(sent) && opens(item, latest) }
  })
  if (asked.some(({ opens }) => opens)) yield* loadSlots(state, number, owner, deps.pacing)
  const limit = limitAtAccept(state, number, now)
  const hasRoom = limit === undefined || state.slots?.hasRoom(limit, now) === true
  const isTried = ({ content_hash, item }: (typeof asked)[number]) =>
    content_hash !== null && !memory.hasDrawn(item.id) && !isPoor(number.quality_rating) && isWell(item, facts)
  // Sends refused for their content, and sends without limits, need no read. Opt-outs of a batch are found here,
  // because an opt-out that only the commit finds makes the owner load again.
  const judged = asked.filter(
    (one) =>
      Result.isSuccess(one.sent) &&
      (one.item.batch_id !== undefined || (one.opens && !hasRoom) || (one.isMarketing && !isTried(one)))
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
  return new Map(
    asked.map((one): readonly [string, TemplateLimits] => {
      const { content_hash, isMarketing, item, media_hash, sent } = one
      const known = found.get(item.id)
      const guards = isMarketing ? known : undefined
      const triedAccount = isMarketing && known === undefined ? accountOf(number, owner.id) : undefined
      const heard = known?.facts.heard_here_at
      const needsSlot = heard === undefined ? one.opens : opens(item, heard)
      const { lent, optedOut = false } = known ?? {}
      const slotted = known?.slotted === true || lent !== undefined
      return [item.id, { sent, content_hash, media_hash, guards, triedAccount, needsSlot, slotted, optedOut }]
    })
  )
})

/** True for a template whose quality needs no restraint. M-GRD-06 */
const isWell = ({ names }: AcceptItem, { template }: SendFacts): boolean => {
  const known = names?._tag === "Template" ? template(names) : undefined
  return known !== undefined && !isPoor(known.quality)
}

/** Returns the content hash; a header's media must be hashed first. gaps-2 C "Verified media hash" */
const hashOf = (
  item: AcceptItem,
  sent: Result.Result<SentContent, ApiError>,
  media: ReadonlyMap<string, string | undefined>
) => {
  const { header_media, named, parameters } = Result.getOrUndefined(sent) ?? {}
  // The guards protect persons. U-SND-11
  const isMarketing = named?.template_category === "marketing" && item.group_id === undefined
  const file = header_media === undefined ? null : media.get(item.id)
  if (!isMarketing || parameters === undefined || file === undefined) {
    return { isMarketing, content_hash: null, media_hash: null }
  }
  const { template_language: language, template_name: name } = templateOf(item)
  return { isMarketing, content_hash: contentHash({ name, language }, parameters, file), media_hash: file }
}

/**
 * Reads the hashes of files in marketing headers, by message; a file without a hash is hashed from now on. Only such
 * sends read. M-GRD-04, M-GRD-23, gaps-2 C "Verified media hash"
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
    const isGuarded = named?.template_category === "marketing" && item.group_id === undefined
    return isGuarded && file !== undefined ? [{ item, file }] : []
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

const hashedFile = ({ asset_id, id, kind, link }: NonNullable<SentContent["header_media"]>): HashedFile | undefined => {
  if (typeof asset_id === "string") return { asset_id }
  if (typeof link === "string") return { link, kind }
  return typeof id === "string" ? { id } : undefined
}

const templateOf = ({ names }: AcceptItem) =>
  names?._tag === "Template"
    ? { template_name: names.name, template_language: names.language }
    : { template_name: "", template_language: "" }

/** The most refusals of a batch for an unknown template that get a suggestion; others get the usual message. */
const mostHints = 8

/** Suggests a template to callers who named one that does not exist. gaps-2 B "Template resolution" */
const withHints = (
  items: ReadonlyArray<AcceptItem>,
  facts: AcceptedFacts,
  hints: TemplateHints["Service"]
): Effect.Effect<AcceptedFacts> => {
  const missing = items.filter(({ environment_id, id }) => {
    const sent = facts.limits.get(id)?.sent
    const isOwn = facts.number?.environment_id === environment_id
    return isOwn && sent !== undefined && Result.isFailure(sent) && sent.failure._tag === "template_not_found"
  })
  if (missing.length === 0) return Effect.succeed(facts)
  return Effect.map(
    Effect.forEach(missing.slice(0, mostHints), (item) =>
      Effect.map(
        hints.forMissing(item.environment_id, item.names?._tag === "Template" ? item.names.name : ""),
        (message) => ({
          item,
          message
        })
      )
    ),
    (found) => {
      const limits = new Map(facts.limits)
      for (const { item, message } of found) {
        const known = limits.get(item.id)
        if (known === undefined || message === undefined) continue
        const refusal = new TemplateNotFound({ param: "message.template.name", message })
        limits.set(item.id, { ...known, sent: Result.fail(refusal) })
      }
      return { ...facts, limits }
    }
  )
}
