import { Admission, type AdmitInput, type PresentedKey } from "@carteiro/http-edge/Admission.ts"
import { BoundedMap } from "@carteiro/owners/BoundedMap.ts"
import { hashKey, readClaim } from "@carteiro/owners/Idempotency.ts"
import type { RateClass } from "@carteiro/schema/conventions/Access.ts"
import { AuthenticationError, keyRefusals, type RateLimited } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Clock, Effect, Layer } from "effect"
import { emptyBucket } from "../../ratelimit/EmptyBucket.ts"
import { Rates } from "../../ratelimit/Rates.ts"
import { rateRow } from "../../ratelimit/RateTable.ts"
import { SourceBuckets } from "../../ratelimit/SourceBuckets.ts"
import { presentedSecret, unreadableKey } from "../keys/ApiKeySecret.ts"
import { asRouteSays } from "./Admit.ts"
import { EnvironmentEntity } from "./EnvironmentEntity.ts"
import { EnvironmentRepo, type SecretOwner } from "./EnvironmentRepo.ts"
import { makePersonAdmission } from "./PersonAdmission.ts"

const remembered = 10_000
const failuresBucket = "failed_authentication"

/**
 * The edge's part of admission: it checks the key's shape and checksum without a read, finds the key's environment
 * (which never changes, so it is cached), then asks the environment's owner. Failed authentication is throttled per
 * source IP and node, before any look-up. gaps-1 C
 */
export const edgeAdmission = Layer.effect(
  Admission,
  Effect.gen(function* () {
    const environments = yield* EnvironmentEntity.client
    const repo = yield* EnvironmentRepo
    const secrets = yield* Secrets
    const rates = yield* Rates
    const clock = yield* Clock.Clock
    const admitPerson = yield* makePersonAdmission
    // The environment of a presented key never changes, so it is cached by the header that carried it.
    const recognized = new BoundedMap<string, SecretOwner>(remembered)
    const failures = new SourceBuckets()
    const sources = new SourceBuckets()
    const failureLimit = rates.failed_authentication.ip

    /**
     * Refuses a key; every 401 costs a token. Of failed requests that passed `throttled` concurrently, those beyond the
     * limit get 429 too.
     */
    const refuseKey = (ip: string, message: string): AuthenticationError | RateLimited => {
      const refusal = new AuthenticationError({ message })
      if (failureLimit === undefined) return refusal
      const { retryAfterMs, taken } = failures.take(failuresBucket, ip, failureLimit, clock.currentTimeMillisUnsafe())
      return taken ? refusal : emptyBucket(failuresBucket, "source address", retryAfterMs)
    }
    const failed = (ip: string, message: string) => Effect.suspend(() => Effect.fail(refuseKey(ip, message)))
    const unknownKey = (headers: ReadonlyArray<string>): string =>
      presentedSecret(headers) === undefined ? keyRefusals[unreadableKey(headers)] : keyRefusals.unknown

    const throttled = (ip: string): RateLimited | undefined => {
      if (failureLimit === undefined) return undefined
      const wait = failures.waitOf(failuresBucket, ip, failureLimit, clock.currentTimeMillisUnsafe())
      return wait === undefined ? undefined : emptyBucket(failuresBucket, "source address", wait)
    }

    /** Finds the environment of a header from the cache. The key's state is read for every request. */
    const recognize = (headers: ReadonlyArray<string>): Effect.Effect<SecretOwner | undefined> => {
      const header = headers.length === 1 ? (headers[0] as string) : ""
      const known = recognized.get(header)
      if (known !== undefined) return Effect.succeed(known)
      const presented = presentedSecret(headers)
      if (presented === undefined) return Effect.succeed(undefined)
      return Effect.map(repo.findSecret(secrets.macs("api_key", presented.secret)), (found) => {
        if (found === undefined) return undefined
        recognized.set(header, found)
        return found
      })
    }

    const hashedKeys = (
      owner: Pick<SecretOwner, "environment_id" | "api_key_id">,
      operation: string,
      presented: PresentedKey
    ) => hashKey(secrets, [owner.environment_id, operation, presented.perKey ? owner.api_key_id : ""], presented)

    const itemOf = (input: AdmitInput, owner: SecretOwner) => ({
      secret_hash: owner.secret_hash,
      operation: input.operation,
      scopes: input.traits.scopes,
      sandboxOnly: input.traits.sandboxOnly === true,
      restrictedWithoutCredit: input.traits.restrictedWithoutCredit === true,
      rate: input.rate,
      rateAfterIdempotency: input.rateAfterIdempotency,
      claimInHandler: input.traits.idempotencyInHandler === true,
      idempotency:
        input.idempotency === undefined
          ? undefined
          : hashedKeys(owner, input.operation, { ...input.idempotency, perKey: input.traits.perKey === true })
    })

    const drawnBySource = (ip: string, rate: RateClass): RateLimited | undefined => {
      const limit = rateRow(rates, rate, "production").ip
      if (limit === undefined) return undefined
      const { retryAfterMs, taken } = sources.take(rate, ip, limit, clock.currentTimeMillisUnsafe())
      return taken ? undefined : emptyBucket(rate, "source address", retryAfterMs)
    }

    return Admission.of({
      refuseUnread: (headers, ip, ceiling) => {
        const limited = (ceiling === undefined ? undefined : drawnBySource(ip, ceiling)) ?? throttled(ip)
        if (limited !== undefined) return limited
        const known = headers.length === 1 && recognized.get(headers[0] as string) !== undefined
        if (known || presentedSecret(headers) !== undefined) return undefined
        return refuseKey(ip, keyRefusals[unreadableKey(headers)])
      },
      admit: (input) =>
        Effect.suspend(() => {
          const limited = throttled(input.ip)
          if (limited !== undefined) return Effect.fail(limited)
          return Effect.flatMap(recognize(input.authorization), (key) => {
            if (key === undefined) return failed(input.ip, unknownKey(input.authorization))
            input.onOwner?.(key)
            return Effect.catch(environments.Admit(key.environment_id, itemOf(input, key)), (error) => {
              if (error._tag === "authentication_error") return failed(input.ip, error.message)
              return Effect.fail(asRouteSays(error, input.traits))
            })
          })
        }),
      admitPerson,
      ownerOf: (authorization, ip) =>
        Effect.suspend(() => {
          if (throttled(ip) !== undefined || presentedSecret(authorization) === undefined) return Effect.undefined
          return Effect.tap(recognize(authorization), (key) =>
            Effect.sync(() => void (key === undefined && refuseKey(ip, keyRefusals.unknown)))
          )
        }),
      claim: (caller, operation, presented) =>
        environments.Claim(caller.environment_id, hashedKeys(caller, operation, presented)),
      source: (ip, rate) =>
        Effect.suspend(() => {
          const limited = drawnBySource(ip, rate)
          return limited === undefined ? Effect.void : Effect.fail(limited)
        }),
      release: (claim) => Effect.ignoreCause(environments.Release(readClaim(claim).environment_id, claim))
    })
  })
)
