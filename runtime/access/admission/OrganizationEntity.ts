import { answer, batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { EnvironmentKind, RateClass } from "@carteiro/schema/conventions/Access.ts"
import { Effect, Schema } from "effect"
import { Rates } from "../../ratelimit/Rates.ts"
import { rateName } from "../../ratelimit/RateTable.ts"
import { type Bucket, take, takeUpTo } from "../../ratelimit/TokenBucket.ts"
import { readLevels, writeLevels } from "./AdmissionTokens.ts"

/** The tokens that one environment requests for one batch. */
const OrganizationDraw = Schema.Struct({ rate: RateClass, kind: EnvironmentKind, tokens: Schema.Int })

/** The number of granted tokens, and the wait of the first one that was not granted. */
const OrganizationGrant = Schema.Struct({ granted: Schema.Int, retry_after_ms: Schema.Number })

/**
 * Holds the buckets that an organization's environments share: one for each row of the rate table, so that only classes
 * with different numbers by kind have one bucket per kind. gaps-1 M
 */
export const OrganizationEntity = defineOwner("Organization", {
  Draw: batch(OrganizationDraw, OrganizationGrant)
})

interface OrganizationState {
  readonly buckets: Map<string, Bucket>
}

export const organizationOwners = OrganizationEntity.toLayer(
  Effect.map(Rates, (rates) => ({
    load: (_owner, saved) => Effect.succeed<OrganizationState>({ buckets: readLevels(saved) }),
    snapshot: (state: OrganizationState) => writeLevels(state.buckets),
    handlers: {
      Draw: {
        decide: (items, _facts, state: OrganizationState, owner, now) =>
          items.map(({ rate, kind, tokens }) => {
            const key = rateName(rate, kind)
            const limit = rates[key].organization
            if (limit === undefined) return answer({ granted: tokens, retry_after_ms: 0 })
            const { granted, bucket } = takeUpTo(state.buckets.get(key), limit, now, tokens)
            state.buckets.set(key, bucket)
            owner.touch()
            return answer({
              granted,
              retry_after_ms: granted === tokens ? 0 : take(bucket, limit, now).retryAfterMs
            })
          })
      }
    }
  })),
  // Buckets use real time.
  { realTime: true }
)
