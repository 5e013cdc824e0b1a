import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { OrderRow } from "../order/OrderState.ts"

/** Who decides of which order: somebody of its organization who may. */
export interface Decision {
  readonly organization_id: string
  readonly member_id: string
  readonly order_id: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** Decisions of owners and admins about orders, in the dashboard alone. M-ORD-12..16, M-ORD-20, M-ORD-34 */
export class Deciding extends Context.Service<
  Deciding,
  {
    /**
     * Everything that creation required is looked at again; a refusal leaves the order as it is, other terms end it. The first
     * month is set aside. M-ORD-12, M-ORD-13, M-ORD-16
     */
    approve(decision: Decision): Effect.Effect<OrderRow, ApiError>
    /** Nothing is charged. M-ORD-14 */
    decline(decision: Decision): Effect.Effect<OrderRow, ApiError>
  }
>()("@carteiro/runtime/phone-orders/decide/Deciding") {}
