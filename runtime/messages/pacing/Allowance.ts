import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { type Channel, isGroupId, type MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import type { Quality } from "../guards/MarketingGuard.ts"
import { isWindowOpen } from "../message/ServiceWindow.ts"

/** How long a recipient counts against the allowance, in milliseconds. gaps-2 D "Which sends use a slot" */
export const slotMs = dayMs

/** The recipients in 24 hours by messaging tier; an unknown tier counts as a low one. M-PHN-19, gaps-2 D */
const tierRecipients: { readonly [tier: string]: number } = {
  tier_50: 50,
  tier_250: 250,
  tier_1k: 1000,
  tier_2k: 2000,
  tier_10k: 10_000,
  tier_100k: 100_000
}
const unknownTier = 250

/**
 * The share of the tier that is used, in tenths, by the quality of the number; another tenth is kept as a margin.
 * M-PHN-17
 */
const qualityTenths: { readonly [quality: string]: number } = { green: 10, unknown: 8, yellow: 7, red: 5 }
const marginTenths = 9

/**
 * Returns the new recipients that a number may message in any 24 hours; undefined without a limit. Whole tenths keep
 * the product exact. gaps-2 D "Daily new-recipient allowance", M-PHN-17, M-PHN-19
 */
export const allowanceOf = (tier: string, quality: Quality): number | undefined =>
  tier === "unlimited"
    ? undefined
    : Math.max(
        1,
        Math.floor(((tierRecipients[tier] ?? unknownTier) * marginTenths * (qualityTenths[quality] ?? 8)) / 100)
      )

/**
 * Returns the new recipients that all numbers of a portfolio may message in any 24 hours; undefined without a limit.
 * Quality restrains each number, not its portfolio. U-LIM-01
 */
export const portfolioAllowance = (tier: string): number | undefined => allowanceOf(tier, "green")

/**
 * True for a template to a person without an open window, which starts a conversation; a group is no recipient who
 * counts. U-SND-11, gaps-2 D "Which sends use a slot"
 */
export const needsSlot = (
  message: {
    readonly channel: Channel
    readonly type: MessageType
    readonly customer_key: string
    readonly latest_inbound_at: number | null
  },
  now: number
): boolean =>
  message.type === "template" &&
  message.channel === "chatapp" &&
  !isGroupId(message.customer_key) &&
  !isWindowOpen(message.latest_inbound_at ?? undefined, now)

/** The parts of a number on which its allowance depends. */
export interface AllowedNumber {
  readonly status: string
  readonly messaging_tier: string
  readonly quality_rating: Quality
}

/**
 * Returns `remaining_messaging_allowance_estimate`; null when it is unknown, never zero for that. `used` is undefined
 * when the slots could not be read. `sharedUsed` counts all numbers of its portfolio, whose allowance they share;
 * undefined while the portfolio is unknown. M-PHN-16, M-PHN-18, U-LIM-01, gaps-2 D "Daily new-recipient allowance"
 */
export const remainingAllowance = (
  number: AllowedNumber,
  used: number | undefined,
  sharedUsed?: number
): number | null => {
  const allowance = allowanceOf(number.messaging_tier, number.quality_rating)
  const shared = portfolioAllowance(number.messaging_tier)
  if (allowance === undefined || shared === undefined || used === undefined || number.status !== "active") return null
  return Math.max(0, Math.min(allowance - used, sharedUsed === undefined ? shared : shared - sharedUsed))
}

/** The `pacing` member in the response to a new batch. M-BAT-03..05 */
export interface PacingEstimate {
  readonly deferred_recipient_count: number
  readonly estimated_windows: number
}

/** The facts of an estimate; `newRecipients` are the distinct ones of the batch that need a slot. */
export interface PacingFacts {
  readonly allowance: number | undefined
  readonly used: number
  readonly held: number
  readonly newRecipients: number
}

/**
 * Returns how many recipients of a batch will wait, and over how many days; null without a limit. gaps-2 D "Batch
 * pacing estimate", M-BAT-06, M-BAT-07
 */
export const estimatePacing = ({ allowance, held, newRecipients, used }: PacingFacts): PacingEstimate | null => {
  if (allowance === undefined) return null
  const deferred_recipient_count = Math.max(0, newRecipients - Math.max(0, allowance - used - held))
  return { deferred_recipient_count, estimated_windows: 1 + Math.ceil(deferred_recipient_count / allowance) }
}
