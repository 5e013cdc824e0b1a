import type { Submitted } from "@carteiro/owners/Commit.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import { type DueMessage, guardedNumber, type NumberFacts, type NumberState } from "../facts/SendingFacts.ts"
import type { GuardedSend, GuardRepo } from "../guards/GuardRepo.ts"
import { judgeMarketing } from "../guards/MarketingGuard.ts"
import { allowanceOf, needsSlot, slotMs } from "../pacing/Allowance.ts"
import { slotLimit } from "../pacing/Lease.ts"
import { loadSlots, type SlotDeps } from "../pacing/NumberSlots.ts"
import { giveBackSlot } from "../pacing/PacingWrites.ts"
import type { Terms } from "./Dispatch.ts"
import { beginProgress, holdTurn, type SendProgress } from "./SendProgress.ts"

/** The services that reading terms needs. */
export interface TermsDeps extends SlotDeps {
  readonly guards: GuardRepo["Service"]
}

const noTerms: Terms = new Map()

/** True when a message's turn may have come: it is queued, and not held. */
export const isTurn = (message: DueMessage): boolean => message.status === "queued" && message.status_reason === null

/**
 * Reads the terms of the messages that may be sent now; none for free-form messages. M-GRD-24, gaps-2 D "Which sends
 * use a slot"
 */
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
  deps: TermsDeps
) {
  const now = owner.now()
  const paced = allowanceOf(number.messaging_tier, number.quality_rating) !== undefined
  const opens = (message: DueMessage) => paced && needsSlot(message, now)
  // Messages without limits need no read.
  const limited = templates.filter((message) => message.marketing_hash !== null || opens(message))
  const read =
    limited.length === 0
      ? []
      : yield* deps.guards.readGuards({
          number: guardedNumber(number, owner.id),
          sends: limited.map(guardedSend),
          when: "dispatch",
          now
        })
  const found = new Map(limited.map(({ id }, index) => [id, read[index]]))
  if (templates.some(opens)) yield* loadSlots(state, number, owner, deps.pacing)
  return new Map(
    templates.map((message) => {
      const { facts, lent, slotted = false } = found.get(message.id) ?? {}
      const judged = facts !== undefined && message.marketing_hash !== null
      const guard = judged ? judgeMarketing(facts, now) : undefined
      return [message.id, { guard, needsSlot: opens(message), slotted, lent }] as const
    })
  )
})

/**
 * Gives slots to messages whose turn was taken, in their order, and holds those without one. gaps-2 D "How pacing holds
 * and releases"
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
      slotted: terms.get(id)?.slotted === true || terms.get(id)?.lent !== undefined
    })),
    slotLimit(state, number, now),
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
      case "use": {
        const lent = terms.get(progress.message.id)?.lent
        return lent === undefined
          ? { ...progress, slot: "reserving" as const }
          : { ...progress, slot: "sharing" as const, lent }
      }
      default:
        return progress
    }
  })
}

/** Frees slots opened in this pass when the simulator refused all messages that would have used them. */
export const returnSlots = (
  taken: ReadonlyArray<SendProgress>,
  finished: ReadonlyArray<SendProgress>,
  state: NumberState,
  now: number
): void => {
  const opened = taken.filter(({ slot }) => slot === "opening")
  if (opened.length === 0) return
  const used = new Set(finished.filter(({ slot }) => slot !== "none").map(({ message }) => message.customer_key))
  for (const { message } of opened) if (!used.has(message.customer_key)) state.slots?.giveBack(now + slotMs)
}

/** Frees slots that the commit gave back after refusals of a provider. */
export const takeBackSlots = ({ keys }: Pick<Submitted, "keys">, business_id: string, state: NumberState): void => {
  if (state.slots === undefined) return
  for (const key of keys(giveBackSlot.name)) {
    const [business, , expires] = key.split(" ")
    if (business === business_id) state.slots.giveBack(Number(expires))
  }
}

const guardedSend = (message: DueMessage): GuardedSend => {
  const content = readJsonOrNull(message.content)
  const template = content?.type === "template" ? content.template : undefined
  return {
    message_id: message.id,
    customer_key: message.customer_key,
    content_hash: message.marketing_hash,
    template_name: template?.name ?? "",
    template_language: template?.language ?? ""
  }
}
