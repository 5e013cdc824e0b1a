import type { Caller } from "@carteiro/http-edge/Admission.ts"
import type { Completion } from "@carteiro/owners/Idempotency.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { AgenticAuthorization } from "@carteiro/schema/payments/AgenticAuthorization.ts"
import type { AgenticPayment } from "@carteiro/schema/payments/AgenticPayment.ts"
import { Context, type Effect } from "effect"
import { readFees } from "../../billing/Billing.ts"
import { type AgenticPaymentRow, readPayment, standingOf } from "../agentic/AgenticPayment.ts"

type Place = Pick<Caller, "environment" | "environment_id">

/** Actions of keys and of people on authorizations. */
export class AgenticActions extends Context.Service<
  AgenticActions,
  {
    /**
     * Takes an authorization back and answers it; one that is over stays as it is. `completes` makes the response that the
     * commit keeps. gaps-3 C "Agentic authorizations"
     */
    revoke(
      place: Place,
      id: string,
      now: number,
      completes?: (after: AgenticAuthorization) => Completion
    ): Effect.Effect<AgenticAuthorization, ApiError>
  }
>()("@carteiro/runtime/payments/routes/AgenticActions") {}

/** A payment as it is shown, its fees as they stand. C-AGT-02 */
export const agenticPaymentView = (
  row: AgenticPaymentRow,
  environment: Place["environment"],
  now: number
): AgenticPayment => readPayment(row, environment, readFees(standingOf(row), environment, now))
