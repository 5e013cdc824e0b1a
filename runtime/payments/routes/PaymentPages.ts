import type { Ids } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { PaymentRow } from "../payment/Payment.ts"

/** The parts of a payment that its page shows to a payer; amount in 1/10,000 BRL. */
export interface PayerView
  extends Pick<
    PaymentRow,
    "environment_id" | "environment" | "status" | "amount" | "description" | "pix_copy_paste" | "pix_qr_code_base64"
  > {
  readonly token: string
  /** The project whose payment it is, by its name; undefined once it is deleted. */
  readonly merchant: string | undefined
  /** When it can no longer be paid, on the clock of its environment; epoch milliseconds. */
  readonly expires_at: number
  readonly isOver: boolean
}

/** The pages that payers open without a key, by the token of their address. */
export class PaymentPages extends Context.Service<
  PaymentPages,
  {
    find(token: string): Effect.Effect<PayerView | undefined>
    /** Ends a sandbox payment as its payer would; refuses when it has another outcome. gaps-3 C "Sandbox pay page" */
    end(token: string, outcome: "paid" | "failed", now: number): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/payments/routes/PaymentPages") {}

/** Returns an id for an outcome without one. gaps-3 C "Sandbox status on a terminal payment" */
export const sandboxEventId = (ids: Ids["Service"], now: number): string =>
  ids.mint("evt", now).replace("evt_", "sbevt_")
