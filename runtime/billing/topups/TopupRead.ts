import type { ListedTopup, PackageOffering } from "@carteiro/schema/billing/CreditTopup.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { Charge } from "../charges/Charge.ts"
import type { packageColumns } from "./TopupTables.ts"

/** A package on offer; amounts in 1/10,000 BRL. */
export type OfferedPackage = SelectedRow<typeof packageColumns>

/** A top-up with the facts of its charge; amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export interface TopupView
  extends Pick<
    ListedTopup,
    "kind" | "status" | "payment_method" | "package_code" | "quota_messages" | "quota_remaining"
  > {
  readonly id: string
  readonly amount: number
  readonly provider: NonNullable<ListedTopup["provider"]> | null
  readonly created_at: number
  readonly completed_at: number | null
  /** Null for credit that an operator or a promotion gave. */
  readonly rail: Charge["rail"] | null
  readonly provider_charge_id: string | null
  readonly client_secret: string | null
  readonly pix_copy_paste: string | null
  readonly pix_qr_code_base64: string | null
  readonly pix_expires_at: number | null
  readonly decline_code: string | null
}

/** Returns a top-up as reads show it. C-PKG-01..08 */
export const readTopup = (view: TopupView): ListedTopup => {
  const { amount, completed_at, created_at, id, provider, provider_charge_id, rail } = view
  return {
    id,
    object: "credit_topup",
    kind: view.kind,
    status: view.status,
    amount_brl: formatBrl(amount),
    payment_method: view.payment_method,
    package_code: view.package_code,
    quota_messages: view.quota_messages,
    quota_remaining: view.quota_remaining,
    cardproc_payment_intent_id: rail === "card" ? provider_charge_id : null,
    cardproc_client_secret: view.client_secret,
    ...(provider === null ? undefined : { provider }),
    ...(rail === "pix"
      ? {
          pixprov2_charge_id: provider_charge_id,
          pix_copy_paste: view.pix_copy_paste,
          pix_qr_code_base64: view.pix_qr_code_base64,
          pix_expires_at: formatTimestampOrNull(view.pix_expires_at)
        }
      : undefined),
    created_at: formatTimestamp(created_at),
    completed_at: formatTimestampOrNull(completed_at)
  }
}

/** Returns a package as the catalog shows it. gaps-3 E "Package catalog" */
export const readOffering = ({
  code,
  display_name,
  price,
  quota_messages,
  unit_price
}: OfferedPackage): PackageOffering => ({
  id: code,
  object: "package_offering",
  code,
  display_name,
  price_brl: formatBrl(price),
  quota_messages,
  unit_price_brl: formatBrl(unit_price),
  currency: "brl"
})
