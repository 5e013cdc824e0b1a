import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { ChargeStep } from "./Charge.ts"
import { boundTo } from "./ChargeRepo.ts"
import { chargesTable } from "./ChargeTables.ts"

/** Inserts a charge, which is due at once. */
export const insertCharge = insertInto(chargesTable, {
  columns: [
    "account_id",
    "id",
    "purpose",
    "rail",
    "amount",
    "off_session",
    "payment_method_id",
    "customer",
    "card",
    "request_key",
    "request_fingerprint",
    "created_at",
    "expires_at",
    "due_at"
  ]
})

/**
 * Records that a charge is sent to its provider: from now on the provider may have it, and without an answer it is
 * looked up. gaps-3 E "Purchase outcomes"
 */
export const callCharge = updateOf(chargesTable, {
  name: "charges.call",
  beside: { at: "timestamptz" },
  set: ["due_at"],
  values: { called_at: "coalesce(t.called_at, r.at)" },
  where: "t.due_at is not null",
  returning: "t.id"
})

/** Makes a charge due after a notice of its provider; only a refunded charge is never looked up again. */
export const lookAtCharge = updateOf(chargesTable, {
  name: "charges.look",
  set: ["due_at"],
  values: { due_at: "least(t.due_at, r.due_at)" },
  where: "t.state <> 'refunded'",
  returning: "t.id"
})

const recordCharge = updateOf(chargesTable, {
  name: "charges.record",
  beside: { was: "text", at: "timestamptz" },
  set: [
    "state",
    "provider_charge_id",
    "client_secret",
    "pix_copy_paste",
    "pix_qr_code_base64",
    "pix_expires_at",
    "decline_code",
    "called_at",
    "absent_at",
    "answered_at",
    "due_at",
    "ended_at"
  ],
  // A notice that arrives while the provider is called makes the charge due earlier than its lease, and stays
  // effective.
  values: { due_at: "case when t.due_at <= r.at then t.due_at else r.due_at end" },
  guard: "t.state = r.was",
  returning: "case when t.due_at is not null then t.id end"
})

/** The write that returns the charges of a commit that are still polled. */
export const stillDue = recordCharge.name

/** Writes the state of a charge after a look-up, unless it changed meanwhile: then nothing of the unit is written. */
export const recordStep = (
  secrets: Secrets["Service"],
  account_id: string,
  { charge, due_at, was }: ChargeStep,
  at: number
): Row => {
  const { client_secret, id } = charge
  return recordCharge.row({
    account_id,
    id,
    was,
    at,
    state: charge.state,
    provider_charge_id: charge.provider_charge_id,
    client_secret:
      client_secret === null ? null : secrets.seal("client_secret", client_secret, boundTo(account_id, id)),
    pix_copy_paste: charge.pix_copy_paste,
    pix_qr_code_base64: charge.pix_qr_code_base64,
    pix_expires_at: charge.pix_expires_at,
    decline_code: charge.decline_code,
    called_at: charge.called_at,
    absent_at: charge.absent_at,
    answered_at: charge.answered_at,
    due_at,
    ended_at: charge.ended_at
  })
}
