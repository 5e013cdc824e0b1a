import { ApiKeyLimitReached, ApiKeyNotActive, ApiKeyNotFound } from "@carteiro/schema/access/AccessErrors.ts"
import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ProjectNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { Effect, Layer } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import { reply } from "../../platform/http/contract/Reply.ts"
import { CompletedResponses } from "../../platform/idempotency/Completed.ts"
import { readApiKey, readScopes } from "./ApiKeyRead.ts"
import { ApiKeyRepo } from "./ApiKeyRepo.ts"
import { isProjectId, type NewApiKey, planCreate, rotateRefusal, targetRefusal } from "./ApiKeyRules.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { insertKey, rotateKey } from "./ApiKeyWrites.ts"

export const ApiKeysLayer = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const repo = yield* ApiKeyRepo
    const commit = yield* Commit
    const responses = yield* CompletedResponses

    const found = Effect.fnUntraced(function* (environmentId: string, id: string) {
      return (yield* repo.find(environmentId, id)) ?? (yield* new ApiKeyNotFound())
    })

    /** Why a key was not made: its project went away meanwhile, or the environment is full. */
    const notMade = (plan: NewApiKey): Effect.Effect<never, ApiError> =>
      Effect.flatMap(repo.findTarget(plan.organization_id, plan.project_id, plan.environment), (target) =>
        Effect.fail(targetRefusal(target, plan) ?? new ApiKeyLimitReached())
      )

    return ApiKeys.of({
      create: Effect.fnUntraced(function* (call, body) {
        const { caller, now } = call
        const plan = planCreate(body, caller, now)
        if (isApiError(plan)) return yield* plan
        if (!isProjectId(plan.project_id)) return yield* new ProjectNotFound()
        const target = yield* repo.findTarget(caller.organization_id, plan.project_id, caller.environment)
        const refusal = targetRefusal(target, caller)
        if (refusal !== undefined || target === undefined) return yield* refusal ?? new ProjectNotFound()
        const asked: NewApiKey = {
          ...plan,
          organization_id: caller.organization_id,
          environment_id: target.environment_id,
          environment: caller.environment,
          kind: "standard"
        }
        const { row, key } = repo.mint(asked, now)
        const answer = reply(call, 201, key)
        const written = yield* commit.write([row], responses.record(call.idempotency, answer, now))
        return written(insertKey.name).has(key.id) ? answer : yield* notMade(asked)
      }),
      mint: Effect.fnUntraced(function* (plan, now) {
        const { row, key } = repo.mint(plan, now)
        const written = yield* commit.write([row])
        return written(insertKey.name).has(key.id) ? key : yield* notMade(plan)
      }),
      find: (environmentId, id) =>
        Effect.map(repo.find(environmentId, id), (row) => (row === undefined ? undefined : readApiKey(row))),
      list: (environmentId, after, count) =>
        Effect.map(repo.list(environmentId, after, count), (rows) => rows.map(readApiKey)),
      rename: Effect.fnUntraced(function* (environmentId, id, name) {
        yield* found(environmentId, id)
        yield* commit.write([repo.rename(environmentId, id, clean(name))])
        return yield* found(environmentId, id)
      }),
      rotate: Effect.fnUntraced(function* (call, id) {
        const { caller, now } = call
        const before = yield* found(caller.environment_id, id)
        const refusal = rotateRefusal(
          {
            status: before.status,
            expires_at: before.expires_at,
            scopes: readScopes(before.scopes)
          },
          caller.scopes,
          now
        )
        if (refusal !== undefined) return yield* refusal
        const { row, key } = repo.rotate(caller.environment_id, before, now)
        const answer = reply(call, 200, key)
        const written = yield* commit.write([row], responses.record(call.idempotency, answer, now))
        return written(rotateKey.name).has(id) ? answer : yield* new ApiKeyNotActive()
      }),
      revoke: Effect.fnUntraced(function* (environmentId, id, now) {
        const before = yield* found(environmentId, id)
        if (before.status === "revoked") return before
        yield* commit.write([repo.revoke(environmentId, id, now)])
        return yield* found(environmentId, id)
      })
    })
  })
)
