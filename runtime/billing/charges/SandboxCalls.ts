import type { Charge, ChargeSeen } from "./Charge.ts"

/** Cards that sandbox environments may save. gaps-3 A "Sandbox card fixtures" */
export const sandboxCards = ["sbpm_ok", "sbpm_declined", "sbpm_authentication"] as const

/**
 * The time after which a simulated cardholder has authenticated, and a simulated Pix is paid, in milliseconds. gaps-3
 * A, E "Subscribe details"
 */
const paidAfterMs = 1000

/**
 * Returns the simulated state of a sandbox charge, from its fields and the time since its beginning, without any call.
 */
export const lookAtSandbox = (charge: Charge, now: number): ChargeSeen => {
  const { card, client_secret, created_at, id, off_session, rail } = charge
  const paidAt = created_at + paidAfterMs
  const provider_charge_id = `sb${id}`
  if (card === "sbpm_declined") {
    return { _tag: "Failed", facts: { provider_charge_id }, decline_code: "insufficient_funds" }
  }
  if (card === "sbpm_authentication" && off_session) {
    return { _tag: "Failed", facts: { provider_charge_id }, decline_code: "authentication_required" }
  }
  if (card === "sbpm_ok" || now >= paidAt) return { _tag: "Paid", facts: { provider_charge_id } }
  return rail === "card"
    ? {
        _tag: "Waiting",
        facts: { provider_charge_id, client_secret: client_secret ?? `${provider_charge_id}_secret_sandbox` },
        again_at: paidAt
      }
    : { _tag: "Waiting", facts: { provider_charge_id, ...pixOf(charge) }, again_at: paidAt }
}

/** Returns a Pix code with the correct form that cannot be paid. */
const pixOf = ({ expires_at, id }: Charge) => ({
  pix_copy_paste: `00020126580014br.gov.bcb.pix0136sandbox-${id}5204000053039865802BR6304SBOX`,
  pix_qr_code_base64: null,
  pix_expires_at: expires_at
})
