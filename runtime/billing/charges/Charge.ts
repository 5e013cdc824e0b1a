import { settlesAt, stillAbsent } from "@carteiro/owners/RecoverySchedule.ts"

/** Something an account is to pay; amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export interface Charge {
  /** Of what it is for: a top-up's or an invoice's. The provider knows it by this. */
  readonly id: string
  readonly purpose: "topup" | "invoice"
  readonly rail: "card" | "pix"
  readonly amount: number
  readonly state: "open" | "paid" | "failed" | "expired" | "refunded"
  readonly off_session: boolean
  readonly payment_method_id: string | null
  /** As the card processor knows them. */
  readonly customer: string | null
  readonly card: string | null
  readonly provider_charge_id: string | null
  readonly client_secret: string | null
  readonly pix_copy_paste: string | null
  readonly pix_qr_code_base64: string | null
  readonly pix_expires_at: number | null
  readonly decline_code: string | null
  readonly created_at: number
  readonly expires_at: number
  /** When it last went to the provider; null when it may go: for the first time, or again. */
  readonly called_at: number | null
  /** The first look-up that found nothing once the call had time to settle. */
  readonly absent_at: number | null
  /** When the first answer was recorded. */
  readonly answered_at: number | null
  readonly ended_at: number | null
}

/** The facts of a charge that only its provider knows. */
export type ProviderFacts = Pick<
  Charge,
  "provider_charge_id" | "client_secret" | "pix_copy_paste" | "pix_qr_code_base64" | "pix_expires_at"
>

/** The result of a look at the provider. */
export type ChargeSeen =
  /** Its payer has not paid; `again_at` says when to look next, where that is known. */
  | { readonly _tag: "Waiting"; readonly facts: Partial<ProviderFacts>; readonly again_at?: number }
  /** The provider itself has not decided: no deadline of ours ends it. */
  | { readonly _tag: "Undecided"; readonly facts: Partial<ProviderFacts> }
  | { readonly _tag: "Paid"; readonly facts: Partial<ProviderFacts> }
  | { readonly _tag: "Failed"; readonly facts: Partial<ProviderFacts>; readonly decline_code: string | null }
  | { readonly _tag: "Expired"; readonly facts: Partial<ProviderFacts> }
  | { readonly _tag: "Refunded"; readonly facts: Partial<ProviderFacts> }
  /** The provider refused a repeated call: that says nothing about the first. gaps-3 E "Purchase outcomes" */
  | { readonly _tag: "RepeatRefused"; readonly decline_code: string | null }
  /** The provider has none of our id, and none was asked for now. */
  | { readonly _tag: "Absent" }
  /** Of our id, and of another amount or customer: nothing of it counts. gaps-3 G "Trust in webhook content" */
  | { readonly _tag: "Foreign" }
  /** No usable answer. */
  | { readonly _tag: "Unknown" }

/** The states that end a charge. */
export type ChargeOutcome = Exclude<Charge["state"], "open">

/** How a charge stands after a look. */
export interface ChargeStep {
  readonly charge: Charge
  /** The state that the look was judged by. */
  readonly was: Charge["state"]
  /** The outcome that this step brought; null for nothing new. */
  readonly outcome: ChargeOutcome | null
  readonly due_at: number | null
}

/** Returns whether a call now is the first: its refusal is then one of the charge. gaps-3 E "Purchase outcomes" */
export const isFirstCall = ({ answered_at, called_at }: Pick<Charge, "answered_at" | "called_at">): boolean =>
  called_at === null && answered_at === null

/** Returns whether the provider is asked to charge now: only where nothing of ours can be there, and in time. */
export const mayCall = ({ called_at, expires_at, provider_charge_id, state }: Charge, now: number): boolean =>
  state === "open" && called_at === null && provider_charge_id === null && now < expires_at

const leastPauseMs = 1000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A charge that may still be paid after it expired is looked at daily for so long; later a webhook tells of it. */
const lateMs = 7 * dayMs

/** How long after a look the next one comes: the longer after its call, the longer. gaps-3 C "Recovery schedule" */
const pauseAt = ({ called_at, created_at }: Charge, now: number): number => {
  const age = now - (called_at ?? created_at)
  return age > 7 * dayMs ? dayMs : Math.min(hourMs, Math.max(leastPauseMs, Math.floor(age / 2)))
}

/**
 * Judges a look at a charge. A charge that may have reached its provider stays open until the provider says otherwise, and
 * may be asked for again once its absence is proven. A final state still listens: a payment that is proven later counts, and
 * a paid charge may be given back. gaps-3 E "Purchase outcomes", "Top-up transitions"
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
    // It was paid and given back before the first look.
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
      // The repeat was refused, and nothing of either is there.
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

/** Judges a look at what has ended: money that came, or went back, since. gaps-3 E "Top-up transitions" */
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
 * Returns whether a provider shows money that an ended charge does not account for. A charge that it does not know any more
 * is not judged: providers forget. gaps-3 D "Invariants"
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

/** When a charge that nobody can judge yet is looked at next: at its deadline and as its call settles, at the latest. */
const nextLook = (charge: Charge, now: number): number => {
  const { called_at, expires_at, provider_charge_id } = charge
  const settles = called_at === null || provider_charge_id !== null ? undefined : settlesAt(called_at, now)
  const instants = [now + pauseAt(charge, now), settles, expires_at > now ? expires_at : undefined]
  return Math.min(...instants.filter((at) => at !== undefined))
}
