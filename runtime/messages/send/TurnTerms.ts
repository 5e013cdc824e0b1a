import { Effect } from "effect"
import type { Submitted } from "../../platform/commit/Commit.ts"
import type { OwnerHandle } from "../../platform/owner/Owner.ts"
import type { DueMessage, NumberFacts, NumberState } from "../facts/SendingFacts.ts"
import type { GuardedNumber, GuardedSend, GuardRepo } from "../guards/GuardRepo.ts"
import { judgeMarketing } from "../guards/MarketingGuard.ts"
import { isWindowOpen } from "../message/ServiceWindow.ts"
import { allowanceOf, slotMs } from "../pacing/Allowance.ts"
import type { PacingRepo } from "../pacing/PacingRepo.ts"
import { giveBackSlot } from "../pacing/PacingWrites.ts"
import { SlotLedger } from "../pacing/SlotLedger.ts"
import type { Terms } from "./Dispatch.ts"
import { accountOf } from "./LimitRows.ts"
import { beginProgress, holdTurn, type SendProgress } from "./SendProgress.ts"

/** What reading terms needs. */
export interface TermsDeps {
  readonly guards: GuardRepo["Service"]
  readonly pacing: PacingRepo["Service"]
}

const noTerms: Terms = new Map()

/** True when its turn may have come: queued, and not held. */
export const isTurn = (message: DueMessage): boolean => message.status === "queued" && message.status_reason === null

/** Reads the terms of what may leave now; nothing for free-form messages. M-GRD-24, gaps-2 D "Which sends use a slot" */
export const readTerms = (
  due: ReadonlyArray<DueMessage>,
  state: NumberState,
  number: NumberFacts,
  owner: OwnerHandle,
  deps: TermsDeps
): Effect.Effect<Terms> => {
  const templates = due.filter((message) => message.type === "template" && isTurn(message))
  return templates.length === 0 ? Effect.succeed(noTerms) : readTemplateTerms(templates, state, number, owner, deps)
}

const readTemplateTerms = Effect.fnUntraced(function* (
  templates: ReadonlyArray<DueMessage>,
  state: NumberState,
  number: NumberFacts,
  owner: OwnerHandle,
  { guards, pacing }: TermsDeps
) {
  const now = owner.now()
  const place = { environment_id: number.environment_id, id: owner.id }
  const marketing = templates.filter(({ marketing_hash }) => marketing_hash !== null)
  const guarded =
    marketing.length === 0
      ? []
      : yield* guards.readGuards(guardedNumber(number, owner.id), marketing.map(guardedSend), "dispatch")
  const refusals = new Map(
    guarded.map(({ facts }, index) => [marketing[index]?.id, judgeMarketing(facts, now)] as const)
  )
  const paced = allowanceOf(number.messaging_tier, number.quality_rating) !== undefined
  const needing = paced ? templates.filter((message) => needsSlot(message, now)) : []
  if (needing.length > 0) state.slots ??= new SlotLedger(yield* pacing.readSlots(place, now))
  const slotted =
    needing.length === 0
      ? new Set<string>()
      : yield* pacing.readSlotted(place, [...new Set(needing.map(({ customer_key }) => customer_key))], now)
  const needed = new Set(needing.map(({ id }) => id))
  return new Map(
    templates.map(({ customer_key, id }) => [
      id,
      { guard: refusals.get(id), needsSlot: needed.has(id), slotted: slotted.has(customer_key) }
    ])
  )
})

/** A template to a recipient without an open window starts a conversation. gaps-2 D "Which sends use a slot" */
const needsSlot = (message: Pick<DueMessage, "channel" | "latest_inbound_at" | "type">, now: number): boolean =>
  message.type === "template" &&
  message.channel === "chatapp" &&
  !isWindowOpen(message.latest_inbound_at ?? undefined, now)

/**
 * Gives slots to messages whose turn was taken, in their order, and holds those there is none for. gaps-2 D "How pacing
 * holds and releases"
 */
export const takeSlots = (
  turns: ReadonlyArray<SendProgress>,
  terms: Terms,
  state: NumberState,
  number: NumberFacts,
  now: number
): ReadonlyArray<SendProgress> => {
  const { slots } = state
  if (slots === undefined || terms.size === 0) return turns
  const asked = turns.filter(({ message, state }) => terms.has(message.id) && state.status === "sending")
  const taken = slots.takeTurns(
    asked.map(({ message: { customer_key, id } }) => ({
      id,
      customer_key,
      needsSlot: terms.get(id)?.needsSlot ?? false,
      slotted: terms.get(id)?.slotted ?? false
    })),
    allowanceOf(number.messaging_tier, number.quality_rating),
    now
  )
  const turnOf = new Map(asked.map(({ message }, index) => [message.id, taken[index]]))
  return turns.map((progress) => {
    if (progress.state.status !== "sending") {
      slots.forget(progress.message.id)
      return progress
    }
    switch (turnOf.get(progress.message.id)) {
      case "hold":
        return holdTurn(beginProgress(progress.message), now)
      case "take":
        return { ...progress, slot: "opening" as const }
      case "use":
        return { ...progress, slot: "reserving" as const }
      default:
        return progress
    }
  })
}

/** Slots opened in this pass are free again when the simulator refused all that would have used them. */
export const returnSlots = (
  taken: ReadonlyArray<SendProgress>,
  answered: ReadonlyArray<SendProgress>,
  state: NumberState,
  now: number
): void => {
  const opened = taken.filter(({ slot }) => slot === "opening")
  if (opened.length === 0) return
  const used = new Set(answered.filter(({ slot }) => slot !== "none").map(({ message }) => message.customer_key))
  for (const { message } of opened) if (!used.has(message.customer_key)) state.slots?.giveBack(now + slotMs)
}

/** Slots that refusals of a provider gave back, as their commit tells. */
export const takeBackSlots = ({ keys }: Pick<Submitted, "keys">, business_id: string, state: NumberState): void => {
  if (state.slots === undefined) return
  for (const key of keys(giveBackSlot.name)) {
    const [business, , expires] = key.split(" ")
    if (business === business_id) state.slots.giveBack(Number(expires))
  }
}

/** A number as its guards ask for it. */
const guardedNumber = (number: NumberFacts, business_id: string): GuardedNumber => ({
  environment_id: number.environment_id,
  environment: number.environment,
  id: business_id,
  quality_rating: number.quality_rating,
  account_id: accountOf(number, business_id)
})

const guardedSend = (message: DueMessage): GuardedSend => {
  const { template } = JSON.parse(message.content ?? "{}") as {
    readonly template?: { readonly name?: string; readonly language?: string }
  }
  return {
    message_id: message.id,
    customer_key: message.customer_key,
    content_hash: message.marketing_hash,
    template_name: template?.name ?? "",
    template_language: template?.language ?? ""
  }
}
