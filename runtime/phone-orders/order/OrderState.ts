import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { dayMs, formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import type {
  OrderFailureCode,
  OrderPreview,
  OrderStatus,
  PhoneNumberOrder
} from "@carteiro/schema/phone-orders/PhoneOrder.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { orderColumns } from "./OrderTables.ts"

/** The version of the terms for rentals. gaps-2 K "Orders: preview and decision channel" */
export const rentalTerms = "phone_rental_v1"

/** How long an order waits for a decision, in milliseconds. M-ORD-35 */
export const orderValidMs = dayMs

/** The charge of an approval. Money in 1/10,000 BRL, instants in epoch milliseconds. */
export type OrderTerms = Pick<
  OrderRow,
  "amount" | "monthly_fee" | "first_charge_at" | "next_charge_at" | "terms_version"
>

/** A row of `phone_number_orders` with the state of its number. Instants in epoch milliseconds. */
export interface OrderRow extends SelectedRow<typeof orderColumns> {
  readonly number_status: NumberStatus | null
  /** When its number first became active. */
  readonly activated_at: number | null
}

/** The parts of an order on which its status depends. */
export type OrderStanding = Pick<OrderRow, "decision" | "expires_at" | "number_status" | "activated_at">

/**
 * Returns the status of an order at an instant. An order whose number was delivered stays fulfilled, whatever happens
 * to the number later. M-ORD-15, M-ORD-17, M-ORD-18, M-ORD-23
 */
export const statusOf = (order: OrderStanding, now: number): OrderStatus => {
  switch (order.decision) {
    case "awaiting_approval":
      return now >= order.expires_at ? "expired" : "awaiting_approval"
    case "declined":
      return "declined"
    case "terms_changed":
      return "failed"
    case "approved":
      return order.activated_at === null ? onItsWay(order.number_status) : "fulfilled"
  }
}

const onItsWay = (status: NumberStatus | null): OrderStatus => {
  switch (status) {
    case "requested":
      return "approved"
    case "provisioning":
    case "provisioned":
    case "verifying":
      return "provisioning"
    case "active":
      return "fulfilled"
    default:
      return "failed"
  }
}

const messages: Readonly<Record<OrderFailureCode, string>> = {
  phone_number_order_declined: "The order was declined.",
  phone_number_order_expired: "Nobody decided within 24 hours.",
  phone_number_order_terms_changed: "Price, dates or terms changed before the approval; create the order again."
}

const failureOf = (order: OrderRow, status: OrderStatus): OrderFailureCode | undefined => {
  if (status === "declined") return "phone_number_order_declined"
  if (status === "expired") return "phone_number_order_expired"
  return order.decision === "terms_changed" ? "phone_number_order_terms_changed" : undefined
}

/** Returns the charge of an approval as reads show it. M-ORD-03 */
const previewOf = (order: OrderTerms): OrderPreview => ({
  amount_brl: formatBrl(order.amount),
  monthly_fee_brl: formatBrl(order.monthly_fee),
  currency: "brl",
  first_charge_at: formatTimestampOrNull(order.first_charge_at),
  next_charge_at: formatTimestampOrNull(order.next_charge_at),
  terms_version: order.terms_version,
  free: order.amount === 0 && order.monthly_fee === 0
})

/** Returns an order as reads show it at an instant; `approvalUrl` is the page on which people decide. M-ORD-01..08 */
export const orderBody = (order: OrderRow, approvalUrl: string, now: number): PhoneNumberOrder => {
  const status = statusOf(order, now)
  const code = failureOf(order, status)
  return {
    id: order.id,
    object: "phone_number_order",
    status,
    project_id: order.project_id,
    environment_id: order.environment_id,
    ddd: order.ddd,
    display_name: order.display_name,
    purpose: order.purpose,
    preview: previewOf(order),
    terms_version: order.terms_version,
    approval_url: status === "awaiting_approval" ? approvalUrl : null,
    expires_at: formatTimestamp(order.expires_at),
    phone_number_id: order.phone_number_id,
    failure: code === undefined ? null : { code, message: messages[code] },
    created_at: formatTimestamp(order.created_at),
    approved_at: formatTimestampOrNull(order.decision === "approved" ? order.decided_at : null),
    declined_at: formatTimestampOrNull(order.decision === "declined" ? order.decided_at : null)
  }
}

/** True when an approval would charge the amount at the time that the order states. M-ORD-13 */
export const sameTerms = (order: OrderTerms, now: OrderTerms): boolean =>
  order.amount === now.amount &&
  order.monthly_fee === now.monthly_fee &&
  order.next_charge_at === now.next_charge_at &&
  order.terms_version === now.terms_version
