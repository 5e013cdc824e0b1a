import { bool, defaulted, defineTable, int8, nullable, sealed, text, timestamptz } from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** Payments of the tenant at a provider, under the id of what they pay for (`ctu_…`, `inv_…`), which is the id at the provider too. */
export const chargesTable = defineTable("charges", {
  owner: "billing",
  erasure: money,
  key: ["account_id", "id"],
  columns: {
    account_id: text,
    id: text,
    purpose: text,
    rail: text,
    amount: int8,
    state: defaulted(text),
    off_session: bool,
    payment_method_id: nullable(text),
    customer: nullable(text),
    card: nullable(text),
    provider_charge_id: nullable(text),
    client_secret: nullable(sealed(text, "secret of a payment of the tenant")),
    pix_copy_paste: nullable(text),
    pix_qr_code_base64: nullable(text),
    pix_expires_at: nullable(timestamptz),
    decline_code: nullable(text),
    request_key: nullable(text),
    request_fingerprint: nullable(text),
    created_at: timestamptz,
    expires_at: timestamptz,
    called_at: nullable(timestamptz),
    answered_at: nullable(timestamptz),
    due_at: nullable(timestamptz),
    ended_at: nullable(timestamptz),
    absent_at: nullable(timestamptz)
  }
})
