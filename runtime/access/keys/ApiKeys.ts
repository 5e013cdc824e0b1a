import { type OperationReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import type { Completion } from "@carteiro/owners/Idempotency.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import { ApiKeyLimitReached, ApiKeyNotActive, ApiKeyNotFound } from "@carteiro/schema/access/AccessErrors.ts"
import type { ApiKey, ApiKeyWithSecret, CreateApiKey } from "@carteiro/schema/access/ApiKey.ts"
import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ProjectNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { type ApiKeyRow, readApiKey } from "./ApiKeyRead.ts"
import { ApiKeyRepo } from "./ApiKeyRepo.ts"
import { isProjectId, type NewApiKey, planCreate, rotateRefusal, targetRefusal } from "./ApiKeyRules.ts"
import { insertKey, rotateKey } from "./ApiKeyWrites.ts"

/** The parts of the calling key that minting and rotating use. */
type KeyCall = ApiCall<"organization_id" | "project_id" | "environment_id" | "environment" | "scopes"> & {
  readonly realNow: RealInstant
}

/**
 * Actions on keys. Every limit is decided where the row is written, so that two concurrent callers cannot both pass it.
 * A response with a secret is made before its commit, so that its replay has identical bytes. A-KEY-07, A-IDEM-04
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Mints a key for a calling key, in its own project or a sibling. A-KEY-08..21 */
    create(call: KeyCall, body: CreateApiKey): OperationReply
    /**
     * Mints a key on the decision of a member (the dashboard, the seed); `complete` returns what its commit completes.
     * gaps-1 C "First administrative key and bootstrap"
     */
    mint(
      plan: NewApiKey,
      now: RealInstant,
      complete?: (key: ApiKeyWithSecret) => Completion
    ): Effect.Effect<ApiKeyWithSecret, ApiError>
    find(environmentId: string, id: string): Effect.Effect<ApiKey | undefined>
    /** Returns keys newest first, after the key with that id. */
    list(environmentId: string, after: string | undefined, count: number): Effect.Effect<ReadonlyArray<ApiKey>>
    rename(environmentId: string, id: string, name: string): Effect.Effect<ApiKeyRow, ApiError>
    rotate(call: KeyCall, id: string): OperationReply
    revoke(environmentId: string, id: string, now: RealInstant): Effect.Effect<ApiKeyRow, ApiError>
  }
>()("@carteiro/runtime/access/keys/ApiKeys") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ApiKeyRepo
      const commit = yield* Commit

      const requireKey = Effect.fnUntraced(function* (environmentId: string, id: string) {
        return (yield* repo.find(environmentId, id)) ?? (yield* new ApiKeyNotFound())
      })

      /** Returns why a key was not made: its project was deleted meanwhile, or the environment is full. */
      const notMade = (plan: NewApiKey): Effect.Effect<never, ApiError> =>
        Effect.flatMap(repo.findTarget(plan.organization_id, plan.project_id, plan.environment), (target) =>
          Effect.fail(targetRefusal(target, plan) ?? new ApiKeyLimitReached())
        )

      return ApiKeys.of({
        create: Effect.fnUntraced(function* (call, body) {
          const { caller, realNow: now } = call
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
          const written = yield* commit.write([row], { claim: call.claim, response: answer })
          return written(insertKey.name).has(key.id) ? answer : yield* notMade(asked)
        }),
        mint: Effect.fnUntraced(function* (plan, now, complete) {
          const { row, key } = repo.mint(plan, now)
          const written = yield* commit.write([row], complete?.(key))
          return written(insertKey.name).has(key.id) ? key : yield* notMade(plan)
        }),
        find: (environmentId, id) =>
          Effect.map(repo.find(environmentId, id), (row) => (row === undefined ? undefined : readApiKey(row))),
        list: (environmentId, after, count) =>
          Effect.map(repo.list(environmentId, after, count), (rows) => rows.map(readApiKey)),
        rename: Effect.fnUntraced(function* (environmentId, id, name) {
          yield* requireKey(environmentId, id)
          yield* commit.write([repo.rename(environmentId, id, clean(name))])
          return yield* requireKey(environmentId, id)
        }),
        rotate: Effect.fnUntraced(function* (call, id) {
          const { caller, realNow: now } = call
          const before = yield* requireKey(caller.environment_id, id)
          const refusal = rotateRefusal(
            {
              status: before.status,
              expires_at: before.expires_at,
              scopes: readJson(before.scopes)
            },
            caller.scopes,
            now
          )
          if (refusal !== undefined) return yield* refusal
          const { row, key } = repo.rotate(caller.environment_id, before, now)
          const answer = reply(call, 200, key)
          const written = yield* commit.write([row], { claim: call.claim, response: answer })
          return written(rotateKey.name).has(id) ? answer : yield* new ApiKeyNotActive()
        }),
        revoke: Effect.fnUntraced(function* (environmentId, id, now) {
          const before = yield* requireKey(environmentId, id)
          if (before.status === "revoked") return before
          yield* commit.write([repo.revoke(environmentId, id, now)])
          return yield* requireKey(environmentId, id)
        })
      })
    })
  )
}
