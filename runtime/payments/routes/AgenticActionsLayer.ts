import { Commit } from "@carteiro/owners/Commit.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { AgenticAuthorizationNotFound } from "@carteiro/schema/payments/PaymentErrors.ts"
import { Effect, Layer } from "effect"
import { AgenticRepo } from "../agentic/AgenticRepo.ts"
import { revokeAuthorization } from "../agentic/AgenticWrites.ts"
import { type AuthorizationRow, readAuthorization } from "../agentic/Authorization.ts"
import { AgenticWorker } from "../worker/AgenticWorker.ts"
import { AgenticActions } from "./AgenticActions.ts"

export const agenticActionsLayer = Layer.effect(
  AgenticActions,
  Effect.gen(function* () {
    const repo = yield* AgenticRepo
    const workers = yield* AgenticWorker.client
    const commit = yield* Commit

    const found = Effect.fnUntraced(function* (environmentId: string, id: string) {
      const row = parseId("aga", id) ? yield* repo.authorization(environmentId, id) : undefined
      return row ?? (yield* new AgenticAuthorizationNotFound())
    })

    return AgenticActions.of({
      revoke: Effect.fnUntraced(function* ({ environment, environment_id }, authorizationId, now, completes) {
        const before = yield* found(environment_id, authorizationId)
        const { id, status } = before
        const unchanged = Effect.fnUntraced(function* (now: AuthorizationRow) {
          const after = readAuthorization(now, environment)
          const completion = completes?.(after)
          if (completion !== undefined) yield* commit.complete(completion.claim, completion.response)
          return after
        })
        if (status !== "pending" && status !== "authorized") return yield* unchanged(before)
        const row: AuthorizationRow = { ...before, status: "revoked", revoked_at: now, updated_at: now }
        const after = readAuthorization(row, environment)
        const write = revokeAuthorization.row({ environment_id, id, revoked_at: now })
        const written = yield* commit.write([write], completes?.(after))
        if (!written(revokeAuthorization.name).has(id)) {
          return yield* unchanged(yield* found(environment_id, id))
        }
        workers.wake(environment_id)
        return after
      })
    })
  })
)
