import {
  bool,
  defaulted,
  defineTable,
  int8,
  nullable,
  sealed,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** Payments of the tenant at a provider, under the id of what they pay for (`ctu_…`, `inv_…`), which is the id at the provider too. */
export const chargesTable = defineTable("charges", {
  owner: "billing",
  erasure: money,
  key: ["account_id", "id"],
  columns: {
    account_id: text,
    /** The id of its top-up or invoice; the provider knows the charge by it. */
    id: text,
    purpose: textOf<"topup" | "invoice">(),
    rail: textOf<"card" | "pix">(),
    amount: int8,
    state: defaulted(textOf<"open" | "paid" | "failed" | "expired" | "refunded">()),
    off_session: bool,
    payment_method_id: nullable(text),
    /** The card processor's ids of customer and card. */
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
    /** When the charge was last sent to the provider; null while it may be sent, for the first time or again. */
    called_at: nullable(timestamptz),
    /** When the first answer was recorded. */
    answered_at: nullable(timestamptz),
    due_at: nullable(timestamptz),
    ended_at: nullable(timestamptz),
    /** When a look-up first found nothing after the call had had time to settle. */
    absent_at: nullable(timestamptz)
  }
})

/** The columns of a charge that reads and rules use. */
export const chargeColumns = select(
  chargesTable,
  "account_id",
  "id",
  "purpose",
  "rail",
  "amount",
  "state",
  "off_session",
  "payment_method_id",
  "customer",
  "card",
  "provider_charge_id",
  "client_secret",
  "pix_copy_paste",
  "pix_qr_code_base64",
  "pix_expires_at",
  "decline_code",
  "created_at",
  "expires_at",
  "called_at",
  "absent_at",
  "answered_at",
  "ended_at",
  "due_at"
)

/** The columns of a charge whose request may be repeated. */
export const requestedColumns = select(
  chargesTable,
  "id",
  "request_key",
  "request_fingerprint",
  "state",
  "decline_code"
)
