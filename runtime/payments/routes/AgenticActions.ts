import type { Caller } from "@carteiro/http-edge/Admission.ts"
import type { Completion } from "@carteiro/owners/Idempotency.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { AgenticAuthorization } from "@carteiro/schema/payments/AgenticAuthorization.ts"
import type { AgenticPayment } from "@carteiro/schema/payments/AgenticPayment.ts"
import { Context, type Effect } from "effect"
import { readFees } from "../../billing/Billing.ts"
import { type AgenticPaymentRow, readPayment, standingOf } from "../agentic/AgenticPayment.ts"

type CallerEnvironment = Pick<Caller, "environment" | "environment_id">

/** Actions of API keys and of the dashboard on authorizations. */
export class AgenticActions extends Context.Service<
  AgenticActions,
  {
    /**
     * Revokes an authorization and returns it; one that is over does not change. `completes` makes the response that
     * the commit stores. gaps-3 C "Agentic authorizations"
     */
    revoke(
      environment: CallerEnvironment,
      id: string,
      now: number,
      completes?: (after: AgenticAuthorization) => Completion
    ): Effect.Effect<AgenticAuthorization, ApiError>
  }
>()("@carteiro/runtime/payments/routes/AgenticActions") {}

/** Returns a payment as reads show it, with its present fees. C-AGT-02 */
export const agenticPaymentView = (
  row: AgenticPaymentRow,
  environment: CallerEnvironment["environment"],
  now: number
): AgenticPayment => readPayment(row, environment, readFees(standingOf(row), environment, now))
