import { settlesAt, stillAbsent } from "@carteiro/provider/RecoverySchedule.ts"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { chargeColumns } from "./ChargeTables.ts"

/** An amount that an account is to pay; amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export interface Charge extends Omit<SelectedRow<typeof chargeColumns>, "account_id" | "client_secret" | "due_at"> {
  readonly client_secret: string | null
}

/** The facts of a charge that only its provider knows. */
export type ProviderFacts = Pick<
  Charge,
  "provider_charge_id" | "client_secret" | "pix_copy_paste" | "pix_qr_code_base64" | "pix_expires_at"
>

/** The result of a look at the provider. */
export type ChargeSeen =
  /** The payer has not paid; `again_at` is the time of the next look-up, when it is known. */
  | { readonly _tag: "Waiting"; readonly facts: Partial<ProviderFacts>; readonly again_at?: number }
  /** The provider has not decided, so no deadline of ours ends the charge. */
  | { readonly _tag: "Undecided"; readonly facts: Partial<ProviderFacts> }
  | { readonly _tag: "Paid"; readonly facts: Partial<ProviderFacts> }
  | { readonly _tag: "Failed"; readonly facts: Partial<ProviderFacts>; readonly decline_code: string | null }
  | { readonly _tag: "Expired"; readonly facts: Partial<ProviderFacts> }
  | { readonly _tag: "Refunded"; readonly facts: Partial<ProviderFacts> }
  /** The provider refused a repeated call, which tells nothing about the first one. gaps-3 E "Purchase outcomes" */
  | { readonly _tag: "RepeatRefused"; readonly decline_code: string | null }
  /** The provider has no charge with our id, and none was requested now. */
  | { readonly _tag: "Absent" }
  /**
   * The provider has our id with another amount or customer; it counts for nothing. gaps-3 G "Trust in webhook content"
   */
  | { readonly _tag: "Foreign" }
  /** The provider gave no usable answer. */
  | { readonly _tag: "Unknown" }

/** The states that end a charge. */
export type ChargeOutcome = Exclude<Charge["state"], "open">

/** The state of a charge after a look-up. */
export interface ChargeStep {
  readonly charge: Charge
  /** The state before the look-up. */
  readonly was: Charge["state"]
  /** The outcome of this step; null when nothing changed. */
  readonly outcome: ChargeOutcome | null
  readonly due_at: number | null
}

/** True when a call now is the first one: a refusal then ends the charge. gaps-3 E "Purchase outcomes" */
export const isFirstCall = ({ answered_at, called_at }: Pick<Charge, "answered_at" | "called_at">): boolean =>
  called_at === null && answered_at === null

/**
 * True when the provider may be asked to make the charge now: only when it cannot have it already, and before the
 * deadline.
 */
export const mayCall = ({ called_at, expires_at, provider_charge_id, state }: Charge, now: number): boolean =>
  state === "open" && called_at === null && provider_charge_id === null && now < expires_at

const leastPauseMs = 1000
/**
 * How long an expired charge that may still be paid is looked up daily; after that only a webhook reports a payment.
 */
const lateMs = 7 * dayMs

/** Returns the pause until the next look-up, which grows with the time since the call. gaps-3 C "Recovery schedule" */
const pauseAt = ({ called_at, created_at }: Charge, now: number): number => {
  const age = now - (called_at ?? created_at)
  return age > 7 * dayMs ? dayMs : Math.min(hourMs, Math.max(leastPauseMs, Math.floor(age / 2)))
}

/**
 * Decides on a look-up of a charge. A charge that may have reached its provider stays open until the provider answers,
 * and may be sent again once its absence is proven. A final state can still change: a payment that is proven later
 * counts, and a paid charge may be refunded. gaps-3 E "Purchase outcomes", "Top-up transitions"
 */
export const judgeCharge = (charge: Charge, seen: ChargeSeen, now: number): ChargeStep => {
  const told: Charge = {
    ...charge,
    ...("facts" in seen ? seen.facts : undefined),
    called_at: charge.called_at ?? now,
    absent_at: seen._tag === "Unknown" ? charge.absent_at : null,
    answered_at: charge.answered_at ?? now
  }
  const step = (more: Partial<Charge>, outcome: ChargeOutcome | null, due_at: number | null): ChargeStep => ({
    charge: { ...told, ...more },
    was: charge.state,
    outcome,
    due_at
  })
  const wait = (more: Partial<Charge> = {}, again_at?: number): ChargeStep =>
    step(more, null, again_at ?? nextLook({ ...told, ...more }, now))
  const end = (state: ChargeOutcome, decline_code: string | null = null, due_at: number | null = null): ChargeStep =>
    step({ state, decline_code, client_secret: null, ended_at: now }, state, due_at)
  if (charge.state !== "open")
    return judgeEnded(charge, seen, now, end, (due_at) => step({ client_secret: null }, null, due_at))
  const isLate = now >= charge.expires_at
  switch (seen._tag) {
    case "Paid":
      return end("paid")
    case "Failed":
      return end("failed", seen.decline_code)
    case "Expired":
      return end("expired")
    // The charge was paid and refunded before the first look-up.
    case "Refunded":
      return end("failed", "refunded")
    case "RepeatRefused":
      return wait({ decline_code: seen.decline_code ?? charge.decline_code })
    case "Absent": {
      const { absent_at, isProven } =
        charge.called_at === null
          ? { absent_at: null, isProven: true }
          : stillAbsent(charge.called_at, charge.absent_at, now)
      if (!isProven) return wait({ absent_at })
      // The repeated call was refused, and the provider has neither charge.
      if (charge.decline_code !== null) return end("failed", charge.decline_code)
      if (isLate) return end("expired")
      return charge.provider_charge_id === null ? wait({ called_at: null }, now) : wait({ absent_at })
    }
    case "Waiting":
      return isLate ? end("expired", null, now + dayMs) : wait({}, seen.again_at)
    case "Undecided":
    case "Foreign":
    case "Unknown":
      return wait()
  }
}

/** Decides on a look-up of an ended charge: it may have been paid or refunded since. gaps-3 E "Top-up transitions" */
const judgeEnded = (
  charge: Charge,
  seen: ChargeSeen,
  now: number,
  end: (state: ChargeOutcome) => ChargeStep,
  stay: (due_at: number | null) => ChargeStep
): ChargeStep => {
  const { ended_at, state } = charge
  if (state === "refunded") return stay(null)
  if (seen._tag === "Unknown") return stay(nextLook(charge, now))
  if (state === "paid") return seen._tag === "Refunded" ? end("refunded") : stay(null)
  if (seen._tag === "Paid") return end("paid")
  const mayBePaid = seen._tag === "Waiting" || seen._tag === "Undecided"
  return stay(mayBePaid && now - (ended_at ?? now) < lateMs ? now + dayMs : null)
}

/**
 * True when a provider shows money that an ended charge does not account for. A charge that the provider no longer
 * knows is not judged, because providers delete old charges. gaps-3 D "Invariants"
 */
export const isContradicted = ({ state }: Pick<Charge, "state">, seen: ChargeSeen): boolean => {
  switch (seen._tag) {
    case "Paid":
      return state !== "paid" && state !== "open"
    case "Absent":
    case "Unknown":
      return false
    case "Foreign":
      return true
    default:
      return state === "paid"
  }
}

/** Returns the next look-up of an undecided charge, at the latest at its deadline and when its call has settled. */
const nextLook = (charge: Charge, now: number): number => {
  const { called_at, expires_at, provider_charge_id } = charge
  const settles = called_at === null || provider_charge_id !== null ? undefined : settlesAt(called_at, now)
  const instants = [now + pauseAt(charge, now), settles, expires_at > now ? expires_at : undefined]
  return Math.min(...instants.filter((at) => at !== undefined))
}
