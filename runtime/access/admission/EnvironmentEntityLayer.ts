import type { EnvironmentKind, RateClass } from "@carteiro/schema/conventions/Access.ts"
import { AuthenticationError, type RateLimited } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"
import { CompletedResponses } from "../../platform/idempotency/Completed.ts"
import { answer, type Decision, type OwnerHandle, refuse } from "../../platform/owner/Owner.ts"
import { emptyBucket } from "../../platform/ratelimit/EmptyBucket.ts"
import { Rates, rateRow } from "../../platform/ratelimit/RateTable.ts"
import { type Bucket, type Rate, take } from "../../platform/ratelimit/TokenBucket.ts"
import { keyWorks, refusalOf } from "./Admit.ts"
import { forgetFull, readLevels, writeLevels } from "./BucketLevels.ts"
import { type ClaimVerdict, claimLeaseMs, idempotencyWindowMs, judgeClaim, type OpenClaim } from "./Claims.ts"
import {
  type AdmitItem,
  type AdmitResult,
  type ClaimItem,
  type ClaimResult,
  EnvironmentEntity
} from "./EnvironmentEntity.ts"
import { type AdmissionRead, EnvironmentRepo, type KeyFacts } from "./EnvironmentRepo.ts"
import { OrganizationEntity } from "./OrganizationEntity.ts"

interface EnvironmentState {
  readonly organizationId: string
  readonly buckets: Map<string, Bucket>
  readonly claims: Map<string, OpenClaim>
  /** When each key's last-used instant was written last. */
  readonly touched: Map<string, number>
}

/** Tokens the organization granted to this batch, by class; undefined where it sets no limit. */
type Grants = Map<RateClass, { tokens: number; readonly retryAfterMs: number }>

interface AdmitFacts extends AdmissionRead {
  readonly grants: Grants
}

const touchEveryMs = 60_000
const forgetBucketsAfterMs = 2 * 3_600_000

export const EnvironmentEntityLayer = EnvironmentEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* EnvironmentRepo
    const rates = yield* Rates
    const responses = yield* CompletedResponses
    const organizations = yield* OrganizationEntity.client

    const bucketKey = (apiKeyId: string, rate: RateClass) => `${apiKeyId}/${rate}`

    /** The organization is asked for as many tokens as the batch could spend at most. */
    const drawGrants = Effect.fnUntraced(function* (
      items: ReadonlyArray<AdmitItem>,
      read: AdmissionRead,
      state: EnvironmentState,
      now: number
    ) {
      const grants: Grants = new Map()
      const wanted = new Map<RateClass, number>()
      let kind: EnvironmentKind | undefined
      const spent = new Map<string, Bucket | undefined>()
      for (const item of items) {
        const facts = read.keys.get(item.secret_hash)
        if (facts === undefined || item.rate === undefined || needsNoToken(item, facts, read, state, now)) continue
        const row = rateRow(rates, item.rate, facts.environment)
        if (row.organization === undefined) continue
        kind = facts.environment
        if (row.key !== undefined) {
          const key = bucketKey(facts.api_key_id, item.rate)
          const taken = take(spent.has(key) ? spent.get(key) : state.buckets.get(key), row.key, now)
          spent.set(key, taken.bucket)
          if (!taken.taken) continue
        }
        wanted.set(item.rate, (wanted.get(item.rate) ?? 0) + 1)
      }
      for (const [rate, tokens] of wanted) {
        const grant = yield* Effect.orDie(
          organizations.Draw(state.organizationId, { rate, kind: kind ?? "sandbox", tokens })
        )
        grants.set(rate, { tokens: grant.granted, retryAfterMs: grant.retry_after_ms })
      }
      return grants
    })

    const verdictOf = (
      item: { readonly idempotency: ClaimItem | undefined },
      read: Pick<AdmissionRead, "records">,
      state: EnvironmentState,
      now: number
    ): ClaimVerdict =>
      item.idempotency === undefined ? { _tag: "Run" } : judgeClaim(item.idempotency, state.claims, read.records, now)

    const refusalBefore = (item: AdmitItem, facts: KeyFacts | undefined, verdict: ClaimVerdict, now: number) =>
      refusalOf(facts, {
        traits: item,
        operation: item.operation,
        now,
        completed: verdict._tag === "Replay" || (verdict._tag === "Refuse" && verdict.completed)
      })

    const needsNoToken = (
      item: AdmitItem,
      facts: KeyFacts,
      read: AdmissionRead,
      state: EnvironmentState,
      now: number
    ): boolean => {
      const verdict = verdictOf(item, read, state, now)
      return (
        refusalBefore(item, facts, verdict, now) !== undefined || (item.rateAfterIdempotency && verdict._tag !== "Run")
      )
    }

    /**
     * Key bucket, environment bucket, then the organization's. A refusal by any of them draws from none, so that whoever
     * waits as long as it says finds the other tokens still there. gaps-1 M "Algorithm"
     */
    const spend = (
      facts: { readonly api_key_id: string; readonly environment: EnvironmentKind },
      rate: RateClass,
      state: EnvironmentState,
      grants: Grants,
      owner: OwnerHandle,
      now: number
    ): RateLimited | undefined => {
      const row = rateRow(rates, rate, facts.environment)
      const own = draw(bucketKey(facts.api_key_id, rate), row.key, state, now)
      const shared = draw(`environment/${rate}`, row.environment, state, now)
      if (own?.taken === false) return emptyBucket(rate, "API key", own.retryAfterMs)
      if (shared?.taken === false) return emptyBucket(rate, "environment", shared.retryAfterMs)
      const grant = row.organization === undefined ? undefined : grants.get(rate)
      if (grant !== undefined) {
        if (grant.tokens <= 0) return emptyBucket(rate, "organization", Math.max(1, grant.retryAfterMs))
        grant.tokens--
      }
      for (const drawn of [own, shared]) {
        if (drawn === undefined) continue
        state.buckets.set(drawn.key, drawn.bucket)
        owner.touch()
      }
      return undefined
    }

    const admitOne = (
      item: AdmitItem,
      read: AdmitFacts,
      state: EnvironmentState,
      owner: OwnerHandle,
      now: number
    ): Decision<AdmitResult> => {
      const facts = read.keys.get(item.secret_hash)
      const verdict = verdictOf(item, read, state, now)
      const refusal = refusalBefore(item, facts, verdict, now)
      // Whatever else is refused, the key was used; only a key that is refused itself was not. gaps-1 C "last_used_at"
      if (facts !== undefined && keyWorks(facts, now)) touch(facts, state, owner, now)
      if (refusal !== undefined || facts === undefined) return refuse(refusal ?? new AuthenticationError())
      if (item.rate !== undefined && !(item.rateAfterIdempotency && verdict._tag !== "Run")) {
        const limited = spend(facts, item.rate, state, read.grants, owner, now)
        if (limited !== undefined) return refuse(limited)
      }
      const caller = callerOf(facts)
      if (item.idempotency === undefined || item.claimInHandler) {
        return answer({ caller, replay: undefined, claim: undefined })
      }
      if (verdict._tag === "Refuse") return refuse(verdict.error)
      return answer({ caller, ...settleClaim(item.idempotency, verdict, state, owner, now) })
    }

    /** What is stored, or the key held open for this request. */
    const settleClaim = (
      item: ClaimItem,
      verdict: Exclude<ClaimVerdict, { readonly _tag: "Refuse" }>,
      state: EnvironmentState,
      owner: OwnerHandle,
      now: number
    ): ClaimResult => {
      if (verdict._tag === "Replay") {
        const { record } = verdict
        const stored = responses.open(
          { environment_id: owner.id, key_hash: record.key_hash },
          record.response_status ?? 200,
          record.response_body ?? new Uint8Array()
        )
        if (stored === undefined) throw new Error(`stored response of ${owner.id} does not open`)
        return { replay: stored, claim: undefined }
      }
      const { fingerprint, key_hash } = item
      state.claims.set(key_hash, { fingerprint, until: now + claimLeaseMs })
      return {
        replay: undefined,
        claim: { environment_id: owner.id, key_hash, fingerprint, expires_at: now + idempotencyWindowMs }
      }
    }

    const touch = (facts: KeyFacts, state: EnvironmentState, owner: OwnerHandle, now: number) => {
      const last = Math.max(facts.last_used_at ?? 0, state.touched.get(facts.api_key_id) ?? 0)
      if (now - last < touchEveryMs) return
      state.touched.set(facts.api_key_id, now)
      owner.enqueue([repo.keyUsed(owner.id, facts.api_key_id, now)])
    }

    return {
      load: (owner, saved) =>
        Effect.map(
          repo.findOrganization(owner.id),
          (organizationId): EnvironmentState => ({
            organizationId: organizationId ?? "",
            buckets: readLevels(saved),
            claims: new Map(),
            touched: new Map()
          })
        ),
      snapshot: (state: EnvironmentState, now) => {
        forgetFull(state.buckets, now, forgetBucketsAfterMs)
        for (const [key, claim] of state.claims) if (claim.until <= now) state.claims.delete(key)
        return writeLevels(state.buckets)
      },
      handlers: {
        Admit: {
          read: Effect.fnUntraced(function* (items, state: EnvironmentState, owner) {
            const secrets = new Set(items.map((item) => item.secret_hash))
            const keys = new Set<string>()
            for (const { idempotency } of items) if (idempotency !== undefined) addHashes(idempotency, keys)
            const read = yield* repo.readAdmission({
              environmentId: owner.id,
              secretHashes: [...secrets],
              keyHashes: [...keys]
            })
            return { ...read, grants: yield* drawGrants(items, read, state, owner.now()) }
          }),
          decide: (items, facts: AdmitFacts, state: EnvironmentState, owner, now) =>
            items.map((item) => admitOne(item, facts, state, owner, now))
        },
        Claim: {
          read: (items, _state: EnvironmentState, owner) => {
            const keys = new Set<string>()
            for (const item of items) addHashes(item, keys)
            return repo.readRecords(owner.id, [...keys])
          },
          decide: (items, records: AdmissionRead["records"], state: EnvironmentState, owner, now) =>
            items.map((item) => {
              const verdict = verdictOf({ idempotency: item }, { records }, state, now)
              return verdict._tag === "Refuse"
                ? refuse(verdict.error)
                : answer(settleClaim(item, verdict, state, owner, now))
            })
        },
        Release: {
          decide: (items, _facts, state: EnvironmentState) =>
            items.map(({ key_hash }) => {
              state.claims.delete(key_hash)
              return answer(undefined)
            })
        }
      }
    }
  })
)

/** Every hash a key's record may be stored under. */
const addHashes = ({ key_hash, older }: ClaimItem, to: Set<string>): void => {
  to.add(key_hash)
  for (const one of older ?? []) to.add(one.key_hash)
}

/** A token of one bucket, not yet gone from it; undefined where no limit is set. */
const draw = (key: string, limit: Rate | undefined, state: EnvironmentState, now: number) =>
  limit === undefined ? undefined : { key, ...take(state.buckets.get(key), limit, now) }

const callerOf = (facts: KeyFacts): AdmitResult["caller"] => ({
  organization_id: facts.organization_id,
  project_id: facts.project_id,
  environment_id: facts.environment_id,
  environment: facts.environment,
  api_key_id: facts.api_key_id,
  key_prefix: facts.key_prefix,
  scopes: facts.scopes,
  capabilities_off: facts.capabilities_off
})
