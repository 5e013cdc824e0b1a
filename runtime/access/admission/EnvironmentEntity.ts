import { Claim, type ClaimVerdict, HashedKeys, hashesOf, openResponse } from "@carteiro/owners/Idempotency.ts"
import { answer, batch, type Decision, defineOwner, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import { KeyScope, RateClass } from "@carteiro/schema/conventions/Access.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import {
  AuthenticationError,
  IdempotencyKeyConflict,
  IdempotencyKeyInProgress,
  keyRefusals
} from "@carteiro/schema/conventions/SharedErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { standardRegion } from "@carteiro/spellings/Phone.ts"
import { Effect, Schema } from "effect"
import { Rates } from "../../ratelimit/Rates.ts"
import { keyWorks } from "../keys/KeyStanding.ts"
import { type AdmissionMemory, enterResets, makeMemory, prune, touchEveryMs } from "./AdmissionMemory.ts"
import { countWanted, type Grants, type Payment, readLevels, spendToken, writeLevels } from "./AdmissionTokens.ts"
import { callerOf, findRefusal } from "./Admit.ts"
import { type AdmissionRead, EnvironmentRepo, type KeyFacts } from "./EnvironmentRepo.ts"
import { OrganizationEntity } from "./OrganizationEntity.ts"

/** One request for admission, as the edge sends it to the environment's owner. */
const AdmitItem = Schema.Struct({
  /** HMAC of the presented secret, base64. */
  secret_hash: Schema.String,
  operation: Schema.String,
  scopes: Schema.Array(KeyScope),
  sandboxOnly: Schema.Boolean,
  restrictedWithoutCredit: Schema.Boolean,
  rate: Schema.UndefinedOr(RateClass),
  rateAfterIdempotency: Schema.Boolean,
  /** True when the key only counts for the credit block: the handler later claims it by `Claim`. */
  claimInHandler: Schema.Boolean,
  idempotency: Schema.UndefinedOr(HashedKeys)
})
type AdmitItem = typeof AdmitItem.Type

const claimed = {
  replay: Schema.UndefinedOr(Schema.Struct({ status: Schema.Int, body: Schema.String })),
  claim: Schema.UndefinedOr(Claim)
}

/** An admitted request. */
const AdmitResult = Schema.Struct({
  caller: Schema.Struct({
    organization_id: Schema.String,
    project_id: Schema.String,
    environment_id: Schema.String,
    environment: Schema.Literals(["sandbox", "production"]),
    api_key_id: Schema.String,
    key_prefix: Schema.String,
    scopes: Schema.Array(KeyScope),
    capabilities_off: Schema.Array(Schema.Literals(["messaging", "groups", "payments", "phone_provisioning"])),
    over_spend_cap: Schema.Boolean,
    // Shards of release 0.1.0 leave it out; its projects have no other region.
    default_region: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed(standardRegion)))
  }),
  // Shards of release 0.1.0 leave it out; they serve beside this release during an update.
  clock: Schema.optional(
    Schema.Struct({
      leadMs: Schema.Number,
      standsAt: Schema.UndefinedOr(Schema.Number),
      // A shard of the release before leaves these two out.
      resets: Schema.optional(Schema.Number),
      resetting: Schema.optional(Schema.Boolean)
    })
  ),
  ...claimed
})
type AdmitResult = typeof AdmitResult.Type

const ClaimResult = Schema.Struct(claimed)
type ClaimResult = typeof ClaimResult.Type

/**
 * Admits requests of one environment: keys, tenancy, buckets and open idempotency keys. Concurrent requests travel as
 * one message and cost one read.
 */
export const EnvironmentEntity = defineOwner("Environment", {
  Admit: batch(AdmitItem, AdmitResult),
  /** Claims a key for a handler that does so after checks of its own. */
  Claim: batch(HashedKeys, ClaimResult),
  /** Releases open idempotency keys after refusals without effect, or after their record was written. */
  Release: batch(Claim, Schema.Void)
})

interface AdmitFacts extends AdmissionRead {
  readonly grants: Grants
}

export const environmentOwners = EnvironmentEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* EnvironmentRepo
    const rates = yield* Rates
    const secrets = yield* Secrets
    const organizations = yield* OrganizationEntity.client

    /** Asks the organization for the most tokens that the batch could spend. */
    const drawGrants = Effect.fnUntraced(function* (
      items: ReadonlyArray<AdmitItem>,
      read: AdmissionRead,
      state: AdmissionMemory,
      now: number
    ) {
      const grants: Grants = new Map()
      const payments = items.flatMap((item) => paymentOf(item, read, state, now) ?? [])
      const kind = payments[0]?.key.environment
      if (kind === undefined) return grants
      for (const [rate, tokens] of countWanted(rates, payments, state.buckets, now)) {
        const grant = yield* Effect.orDie(organizations.Draw(state.organizationId, { rate, kind, tokens }))
        grants.set(rate, { tokens: grant.granted, retryAfterMs: grant.retry_after_ms })
      }
      return grants
    })

    const admitOne = (
      item: AdmitItem,
      read: AdmitFacts,
      state: AdmissionMemory,
      owner: OwnerHandle,
      now: number
    ): Decision<AdmitResult> => {
      const facts = read.keys.get(item.secret_hash)
      const verdict = state.claims.judge(item.idempotency, read.records, now)
      const refusal = refuseBefore(item, facts, verdict, now)
      // The key counts as used also when the request is refused, unless the key itself is refused. gaps-1 C
      // "last_used_at"
      if (facts !== undefined && keyWorks(facts, now)) touch(facts, state, owner, now)
      if (refusal !== undefined || facts === undefined)
        return refuse(refusal ?? new AuthenticationError({ message: keyRefusals.unknown }))
      if (item.rate !== undefined && !(item.rateAfterIdempotency && verdict._tag !== "Run")) {
        const spending = spendToken(rates, { key: facts, rate: item.rate }, state.buckets, read.grants, now)
        if (isApiError(spending)) return refuse(spending)
        if (spending === "spent") owner.touch()
      }
      const caller = callerOf(facts)
      if (item.idempotency === undefined || item.claimInHandler) {
        return answer({ caller, clock: facts.clock, replay: undefined, claim: undefined })
      }
      if (verdict._tag === "Refuse") return refuse(claimRefusal(verdict.reason))
      return answer({ caller, clock: facts.clock, ...openClaim(item.idempotency, verdict, state, owner, now) })
    }

    /** Returns the stored response, or holds the key open for this request. */
    const openClaim = (
      key: HashedKeys,
      verdict: Exclude<ClaimVerdict, { readonly _tag: "Refuse" }>,
      state: AdmissionMemory,
      owner: OwnerHandle,
      now: number
    ): ClaimResult => {
      if (verdict._tag === "Replay") {
        const stored = openResponse(secrets, owner.id, verdict.record)
        if (stored === undefined) throw new Error(`stored response of ${owner.id} does not open`)
        return { replay: stored, claim: undefined }
      }
      return { replay: undefined, claim: state.claims.hold(owner.id, key, now) }
    }

    const touch = (facts: KeyFacts, state: AdmissionMemory, owner: OwnerHandle, now: number) => {
      const last = Math.max(facts.last_used_at ?? 0, state.touched.get(facts.api_key_id) ?? 0)
      if (now - last < touchEveryMs) return
      state.touched.set(facts.api_key_id, now)
      owner.enqueue([repo.keyUsed(owner.id, facts.api_key_id, now)])
    }

    return {
      load: (owner, saved) =>
        Effect.map(repo.findOrganization(owner.id), (organizationId) =>
          makeMemory(organizationId ?? "", readLevels(saved))
        ),
      snapshot: (state: AdmissionMemory, now) => {
        prune(state, now)
        return writeLevels(state.buckets)
      },
      handlers: {
        Admit: {
          read: Effect.fnUntraced(function* (items, state: AdmissionMemory, owner) {
            const read = yield* repo.readAdmission({
              environmentId: owner.id,
              secretHashes: [...new Set(items.map((item) => item.secret_hash))],
              keyHashes: hashesOf(items.map(({ idempotency }) => idempotency))
            })
            for (const { clock } of read.keys.values()) enterResets(state, clock?.resets ?? 0)
            return { ...read, grants: yield* drawGrants(items, read, state, owner.now()) }
          }),
          decide: (items, facts: AdmitFacts, state: AdmissionMemory, owner, now) => {
            prune(state, now)
            return items.map((item) => admitOne(item, facts, state, owner, now))
          }
        },
        Claim: {
          read: (items, _state: AdmissionMemory, owner) => repo.readRecords(owner.id, hashesOf(items)),
          decide: (items, records: AdmissionRead["records"], state: AdmissionMemory, owner, now) =>
            items.map((item) => {
              const verdict = state.claims.judge(item, records, now)
              return verdict._tag === "Refuse"
                ? refuse(claimRefusal(verdict.reason))
                : answer(openClaim(item, verdict, state, owner, now))
            })
        },
        Release: {
          decide: (items, _facts, state: AdmissionMemory) =>
            items.map((claim) => {
              state.claims.release(claim)
              return answer(undefined)
            })
        }
      }
    }
  }),
  // Keys, buckets and idempotency windows use real time.
  { realTime: true }
)

/** Returns the refusal of a request whose idempotency key is taken. A-IDEM-06, A-IDEM-07 */
const claimRefusal = (reason: Extract<ClaimVerdict, { readonly _tag: "Refuse" }>["reason"]) =>
  reason === "conflict" ? new IdempotencyKeyConflict() : new IdempotencyKeyInProgress()

const refuseBefore = (item: AdmitItem, facts: KeyFacts | undefined, verdict: ClaimVerdict, now: number) =>
  findRefusal(facts, {
    traits: item,
    operation: item.operation,
    now,
    completed: verdict._tag === "Replay" || (verdict._tag === "Refuse" && verdict.completed)
  })

/**
 * Returns the tokens that a request spends when it is admitted; undefined for a request that is refused before, or
 * replayed free of charge.
 */
const paymentOf = (item: AdmitItem, read: AdmissionRead, state: AdmissionMemory, now: number): Payment | undefined => {
  const key = read.keys.get(item.secret_hash)
  if (key === undefined || item.rate === undefined) return undefined
  const verdict = state.claims.judge(item.idempotency, read.records, now)
  if (refuseBefore(item, key, verdict, now) !== undefined) return undefined
  return item.rateAfterIdempotency && verdict._tag !== "Run" ? undefined : { key, rate: item.rate }
}
