import {
  type Admission,
  type AdmitPersonInput,
  type Admitted,
  nobody,
  type Person,
  type PresentedKey
} from "@carteiro/http-edge/Admission.ts"
import { hashKey } from "@carteiro/owners/Idempotency.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { OrganizationSuspended, ProjectNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Clock, Effect } from "effect"
import { emptyBucket } from "../../ratelimit/EmptyBucket.ts"
import { Rates } from "../../ratelimit/Rates.ts"
import { SourceBuckets } from "../../ratelimit/SourceBuckets.ts"
import { insufficientScope, missingScopes } from "../keys/KeyStanding.ts"
import { type AdmissionFacts, asRouteSays, callerOf, findRefusal } from "./Admit.ts"
import { EnvironmentEntity } from "./EnvironmentEntity.ts"
import { EnvironmentRepo, type StandingFacts } from "./EnvironmentRepo.ts"

const bucket = "person"

/**
 * Admits people who are signed in. The refusals are those of a key with the scopes of their role, but people of a suspended
 * organization may read; a member has one bucket at each node, and the idempotency keys of an environment's owner. Reads are
 * admitted without credit, and those of one page by one read of the environment's standing and for one token. gaps-1 A "Order
 * of checks in one request", gaps-1 C "Dashboard sessions and roles", decision 0151
 */
export const makePersonAdmission: Effect.Effect<
  Admission["Service"]["admitPerson"],
  never,
  EnvironmentRepo | Secrets | Rates | Effect.Services<typeof EnvironmentEntity.client>
> = Effect.gen(function* () {
  const environments = yield* EnvironmentEntity.client
  const repo = yield* EnvironmentRepo
  const secrets = yield* Secrets
  const limit = (yield* Rates).person.member
  const clock = yield* Clock.Clock
  const members = new SourceBuckets()

  const spend = ({ member }: Person): Effect.Effect<void, ApiError> =>
    Effect.suspend(() => {
      if (limit === undefined) return Effect.void
      const { retryAfterMs, taken } = members.take(bucket, member.id, limit, clock.currentTimeMillisUnsafe())
      return taken ? Effect.void : Effect.fail(emptyBucket(bucket, "member", retryAfterMs))
    })

  // A page makes one person for all that it reads, and is done with it when it is shown.
  const pages = new WeakMap<Person, PageReads>()
  const pageOf = (person: Person, environmentId: string): Effect.Effect<PageReads> =>
    Effect.suspend(() => {
      const known = pages.get(person)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(Effect.cached(repo.findStanding(person.organization_id, environmentId)), (standing) => {
        const page: PageReads = pages.get(person) ?? { standing, spent: false }
        pages.set(person, page)
        return page
      })
    })

  /** Holds the key of a call at its environment's owner; that of a call about the organization at an owner with its id. */
  const claim = ({ member }: Person, ownerId: string, { idempotency, operation, traits }: AdmitPersonInput) => {
    if (idempotency === undefined || traits.idempotencyInHandler === true) return Effect.succeed(unclaimed)
    const presented: PresentedKey = { ...idempotency, perKey: traits.perKey === true }
    const hashed = hashKey(secrets, [ownerId, operation, presented.perKey ? member.id : ""], presented)
    return environments.Claim(ownerId, hashed)
  }

  const admitToOrganization = Effect.fnUntraced(function* (person: Person, input: AdmitPersonInput) {
    const { isRead, rate, traits } = input
    if (person.organization_suspended && !isRead) return yield* new OrganizationSuspended()
    const missing = missingScopes(traits.scopes, person.scopes)
    if (missing.length > 0) return yield* insufficientScope(traits.scopes, missing)
    if (rate !== undefined) yield* spend(person)
    const { member, organization_id, scopes } = person
    // It acts on the organization's own account, as a production key does.
    const caller = { ...nobody, environment: "production", organization_id, scopes, member } as const
    const claimed: Pick<Admitted, "replay" | "claim"> = yield* claim(person, organization_id, input)
    const admitted: Admitted = { caller, ...claimed }
    return admitted
  })

  return Effect.fnUntraced(function* (person: Person, input: AdmitPersonInput) {
    const { environment_id } = person
    if (environment_id === undefined) return yield* admitToOrganization(person, input)
    const page = input.traits.rate === "read" ? yield* pageOf(person, environment_id) : undefined
    const standing = yield* page?.standing ?? repo.findStanding(person.organization_id, environment_id)
    if (standing === undefined) return yield* new ProjectNotFound()
    const facts = factsOf(standing, person, input.isRead)
    const now = clock.currentTimeMillisUnsafe()
    const traits = page ? { ...input.traits, restrictedWithoutCredit: false } : input.traits
    const refusal = (completed: boolean) => findRefusal(facts, { traits, operation: input.operation, now, completed })
    // A person whom these refuse takes no idempotency key.
    const first = refusal(true)
    if (first !== undefined) return yield* asRouteSays(first, input.traits)
    if (input.rate !== undefined && page?.spent !== true) yield* spend(person)
    if (page !== undefined) page.spent = true
    const claimed: Pick<Admitted, "replay" | "claim"> = yield* claim(person, environment_id, input)
    const blocked = refusal(claimed.replay !== undefined)
    if (blocked !== undefined) {
      if (claimed.claim !== undefined) yield* environments.Release(environment_id, claimed.claim)
      return yield* blocked
    }
    const caller = { ...callerOf(facts), member: person.member }
    const admitted: Admitted = { caller, clock: standing.clock, ...claimed }
    return admitted
  })
})

/** The facts and the token that all reads of one page share. */
interface PageReads {
  readonly standing: Effect.Effect<StandingFacts | undefined>
  /** Whether the page has taken its token. */
  spent: boolean
}

const unclaimed: Pick<Admitted, "replay" | "claim"> = {}

/** Returns the facts of a key that never ends and has the scopes of the person's role. */
const factsOf = (standing: StandingFacts, { scopes }: Person, isRead: boolean): AdmissionFacts => ({
  ...standing,
  organization_suspended: standing.organization_suspended && !isRead,
  api_key_id: "",
  key_prefix: "",
  scopes,
  status: "active",
  expires_at: null
})
