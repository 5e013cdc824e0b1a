import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { Context, type Effect } from "effect"

/** The parts of a payment that its page shows to a payer; amount in 1/10,000 BRL. */
export interface PayerView {
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly status: PaymentStatus
  readonly amount: number
  readonly description: string | null
  readonly pix_copy_paste: string | null
  readonly pix_qr_code_base64: string | null
  readonly token: string
  /** The project whose payment it is, by its name; undefined once it is deleted. */
  readonly merchant: string | undefined
  /** When it can no longer be paid, on the clock of its environment; epoch milliseconds. */
  readonly expires_at: number
  readonly isOver: boolean
}

/**
 * The pages that payers open, by the token of their address. A payer has no account here and is nobody's member, so no
 * operation is called for one. Decisions 0176, 0158
 */
export class PaymentPages extends Context.Service<
  PaymentPages,
  {
    find(token: string): Effect.Effect<PayerView | undefined>
    /** Ends a sandbox payment as its payer would; refuses when it has another outcome. */
    end(token: string, outcome: "paid" | "failed", now: number): Effect.Effect<void, ApiError>
  }
>()("@carteiro/console/ports/PaymentPages") {}
