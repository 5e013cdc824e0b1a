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
  /** When it first went to the provider. */
  readonly called_at: number | null
  /** When the first answer was recorded. */
  readonly answered_at: number | null
  readonly ended_at: number | null
}

/** What of a charge only its provider knows. */
export type ProviderFacts = Pick<
  Charge,
  "provider_charge_id" | "client_secret" | "pix_copy_paste" | "pix_qr_code_base64" | "pix_expires_at"
>

/** What a look at the provider shows. */
export type ChargeSeen =
  /** `again_at` says when to look next, where that is known. */
  | { readonly _tag: "Waiting"; readonly facts: Partial<ProviderFacts>; readonly again_at?: number }
  | { readonly _tag: "Paid"; readonly facts: Partial<ProviderFacts> }
  | { readonly _tag: "Failed"; readonly facts: Partial<ProviderFacts>; readonly decline_code: string | null }
  | { readonly _tag: "Expired"; readonly facts: Partial<ProviderFacts> }
  | { readonly _tag: "Refunded"; readonly facts: Partial<ProviderFacts> }
  /** The provider has none of our id, and none was asked for now. */
  | { readonly _tag: "Absent" }
  /** Of our id, and of another amount or customer: nothing of it counts. gaps-3 G "Trust in webhook content" */
  | { readonly _tag: "Foreign" }
  /** No usable answer. */
  | { readonly _tag: "Unknown" }

/** What a charge may come to. */
export type ChargeOutcome = Exclude<Charge["state"], "open">

/** How a charge stands after a look. */
export interface ChargeStep {
  readonly charge: Charge
  /** What it has come to just now; null for nothing new. */
  readonly outcome: ChargeOutcome | null
  readonly due_at: number | null
}

const leastPauseMs = 1000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long after a look the next one comes: the older a charge, the longer. gaps-3 C "Recovery schedule" */
const pauseAt = ({ created_at }: Charge, now: number): number => {
  const age = now - created_at
  return age > 7 * dayMs ? dayMs : Math.min(hourMs, Math.max(leastPauseMs, Math.floor(age / 2)))
}

/**
 * What a look makes of a charge. Whatever nobody knows stays open; a paid one that had expired counts all the same, and a
 * failed one is done with. gaps-3 E "Top-up transitions"
 */
export const judgeCharge = (charge: Charge, seen: ChargeSeen, now: number): ChargeStep => {
  const told = { ...charge, ...("facts" in seen ? seen.facts : undefined), answered_at: charge.answered_at ?? now }
  const wait = (again_at?: number): ChargeStep => ({
    charge: told,
    outcome: null,
    due_at: again_at ?? Math.min(now + pauseAt(charge, now), Math.max(charge.expires_at, now + leastPauseMs))
  })
  const end = (state: ChargeOutcome, decline_code: string | null = null): ChargeStep => ({
    charge: { ...told, state, decline_code, client_secret: null, ended_at: now },
    outcome: state,
    due_at: null
  })
  const settled: ChargeStep = { charge: { ...told, client_secret: null }, outcome: null, due_at: null }
  if (charge.state === "paid") return seen._tag === "Refunded" ? end("refunded") : lookAgainIf(seen, wait, settled)
  if (charge.state === "expired") return seen._tag === "Paid" ? end("paid") : lookAgainIf(seen, wait, settled)
  if (charge.state !== "open") return settled
  const isLate = now >= charge.expires_at
  switch (seen._tag) {
    case "Paid":
      return end("paid")
    case "Failed":
      return end("failed", seen.decline_code)
    case "Expired":
      return end("expired")
    // Paid and given back before anybody looked.
    case "Refunded":
      return end("failed", "refunded")
    case "Absent":
      return isLate ? end("expired") : wait()
    case "Waiting":
      return isLate ? end("expired") : wait(seen.again_at)
    case "Foreign":
    case "Unknown":
      return wait()
  }
}

/** What had ended is looked at until an answer comes. */
const lookAgainIf = (seen: ChargeSeen, wait: () => ChargeStep, settled: ChargeStep): ChargeStep =>
  seen._tag === "Unknown" ? wait() : settled
