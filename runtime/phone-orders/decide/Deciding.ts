import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { OrderRow } from "../order/OrderState.ts"

/** The order to decide, and the authorised member of its organization who decides. */
export interface Decision {
  readonly organization_id: string
  readonly member_id: string
  readonly order_id: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** Decisions of owners and admins about orders, made in the dashboard only. M-ORD-12..16, M-ORD-20, M-ORD-34 */
export class Deciding extends Context.Service<
  Deciding,
  {
    /**
     * Approves an order and holds the first month. It repeats all checks of the creation; a refusal leaves the order
     * unchanged, changed terms end it. M-ORD-12, M-ORD-13, M-ORD-16
     */
    approve(decision: Decision): Effect.Effect<OrderRow, ApiError>
    /** Declines an order; nothing is charged. M-ORD-14 */
    decline(decision: Decision): Effect.Effect<OrderRow, ApiError>
  }
>()("@carteiro/runtime/phone-orders/decide/Deciding") {}
