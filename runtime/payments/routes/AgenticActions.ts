import type { Caller } from "@carteiro/http-edge/Admission.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import type { Completion } from "@carteiro/owners/Idempotency.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { AgenticAuthorization } from "@carteiro/schema/payments/AgenticAuthorization.ts"
import type { AgenticPayment } from "@carteiro/schema/payments/AgenticPayment.ts"
import { AgenticAuthorizationNotFound } from "@carteiro/schema/payments/PaymentErrors.ts"
import { Context, Effect, Layer } from "effect"
import { readFees } from "../../billing/Billing.ts"
import { type AgenticPaymentRow, readPayment, standingOf } from "../agentic/AgenticPayment.ts"
import { AgenticRepo } from "../agentic/AgenticRepo.ts"
import { revokeAuthorization } from "../agentic/AgenticWrites.ts"
import { type AuthorizationRow, readAuthorization } from "../agentic/Authorization.ts"
import { AgenticWorkerEntity } from "../worker/AgenticWorkerEntity.ts"

type Place = Pick<Caller, "environment" | "environment_id">

/** What keys, and people of the dashboard, do with authorizations alike. */
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
>()("@carteiro/runtime/payments/routes/AgenticActions") {
  static readonly layer = Layer.effect(
    AgenticActions,
    Effect.gen(function* () {
      const repo = yield* AgenticRepo
      const workers = yield* AgenticWorkerEntity.client
      const commit = yield* Commit

      const found = Effect.fnUntraced(function* (environmentId: string, id: string) {
        const row = parseId("aga", id) ? yield* repo.authorization(environmentId, id) : undefined
        return row ?? (yield* new AgenticAuthorizationNotFound())
      })

      return AgenticActions.of({
        revoke: Effect.fnUntraced(function* ({ environment, environment_id }, authorizationId, now, completes) {
          const before = yield* found(environment_id, authorizationId)
          const { id, status } = before
          if (status !== "pending" && status !== "authorized") return readAuthorization(before, environment)
          const row: AuthorizationRow = { ...before, status: "revoked", revoked_at: now, updated_at: now }
          const after = readAuthorization(row, environment)
          const write = revokeAuthorization.row({ environment_id, id, revoked_at: now })
          const written = yield* commit.write([write], completes?.(after))
          if (!written(revokeAuthorization.name).has(id)) {
            return readAuthorization(yield* found(environment_id, id), environment)
          }
          workers.wake(environment_id)
          return after
        })
      })
    })
  )
}

/** A payment as it is shown, its fees as they stand. C-AGT-02 */
export const agenticPaymentView = (
  row: AgenticPaymentRow,
  environment: Place["environment"],
  now: number
): AgenticPayment => readPayment(row, environment, readFees(standingOf(row), environment, now))
