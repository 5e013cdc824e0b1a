import { defineInsert, defineUpdate, rowOf } from "../../platform/commit/TableWrite.ts"
import type { Row } from "../../platform/commit/Write.ts"
import type { Secrets } from "../../platform/secrets/Secrets.ts"
import type { Charge, ChargeStep } from "./Charge.ts"
import { boundTo } from "./ChargeRepo.ts"

const key = { account_id: "text", id: "text" } as const
const target = rowOf("charges", "account_id", "id")

/** Something is to be paid; it is due at once. */
export const insertCharge = defineInsert({
  table: "charges",
  columns: {
    account_id: "text",
    id: "text",
    purpose: "text",
    rail: "text",
    amount: "int8",
    off_session: "bool",
    payment_method_id: "text",
    customer: "text",
    card: "text",
    request_key: "text",
    request_fingerprint: "text",
    created_at: "timestamptz",
    expires_at: "timestamptz",
    due_at: "timestamptz"
  }
})

/** A charge goes to its provider: from now on it may be there, and without an answer it is looked up. */
export const callCharge = defineUpdate({
  name: "charges.call",
  table: "charges",
  key,
  beside: { at: "timestamptz" },
  set: { due_at: "timestamptz" },
  values: { called_at: "coalesce(t.called_at, r.at)" },
  where: "t.due_at is not null",
  returning: "t.id",
  target
})

/** Somebody says that a charge has changed at its provider. */
export const lookAtCharge = defineUpdate({
  name: "charges.look",
  table: "charges",
  key,
  set: { due_at: "timestamptz" },
  values: { due_at: "least(t.due_at, r.due_at)" },
  where: "t.state in ('open', 'paid', 'expired')",
  returning: "t.id",
  target
})

const recordCharge = defineUpdate({
  name: "charges.record",
  table: "charges",
  key,
  beside: { was: "text" },
  set: {
    state: "text",
    provider_charge_id: "text",
    client_secret: "bytea",
    pix_copy_paste: "text",
    pix_qr_code_base64: "text",
    pix_expires_at: "timestamptz",
    decline_code: "text",
    answered_at: "timestamptz",
    due_at: "timestamptz",
    ended_at: "timestamptz"
  },
  guard: "t.state = r.was",
  target
})

/** How a charge stands after a look, unless it has moved on meanwhile: then nothing of the unit is written. */
export const recordStep = (
  secrets: Secrets["Service"],
  account_id: string,
  was: Charge["state"],
  { charge, due_at }: ChargeStep
): Row => {
  const { client_secret, id } = charge
  return recordCharge.row({
    account_id,
    id,
    was,
    state: charge.state,
    provider_charge_id: charge.provider_charge_id,
    client_secret:
      client_secret === null ? null : secrets.seal("client_secret", client_secret, boundTo(account_id, id)),
    pix_copy_paste: charge.pix_copy_paste,
    pix_qr_code_base64: charge.pix_qr_code_base64,
    pix_expires_at: charge.pix_expires_at,
    decline_code: charge.decline_code,
    answered_at: charge.answered_at,
    due_at,
    ended_at: charge.ended_at
  })
}
