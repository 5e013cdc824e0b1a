import { EraCache } from "@carteiro/owners/BoundedMap.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { eraOf } from "@carteiro/owners/OwnerClocks.ts"
import { Effect, Layer } from "effect"
import { CustomerIdRepo } from "./CustomerIdRepo.ts"
import { CustomerIds, type KnownCustomer, type NamedCustomer } from "./CustomerIds.ts"
import { claimCustomerId } from "./CustomerIdWrites.ts"
import { CustomerJoins } from "./CustomerJoins.ts"

/** The most ids in a node's cache; some 150 bytes each. */
const mostIds = 50_000

/** Finds keys by a cache of the node and, behind it, one read for all that ask at the same time. */
export const customerIdsLayer = Layer.effect(
  CustomerIds,
  Effect.gen(function* () {
    const repo = yield* CustomerIdRepo
    const joins = yield* CustomerJoins
    const ids = yield* Ids
    const cache = new EraCache<KnownCustomer>(mostIds)
    /** The era at hand: a reset of the sandbox ended what was cached before. */
    const presentEra = Effect.clockWith((clock) => Effect.sync(() => eraOf(clock)))

    const claim = (environment_id: string, user_id: string, customer_key: string, at: number) =>
      claimCustomerId.row({ environment_id, user_id, customer_key, claim: ids.traceId(), at })

    const read = Effect.fnUntraced(function* (environment_id: string, user_id: string) {
      const era = yield* presentEra
      const found = yield* repo.find({ environment_id, user_id })
      const name = nameOf(environment_id, user_id)
      if (found === undefined) cache.delete(name)
      else cache.set(name, era, found)
      return found
    })

    const find = (environmentId: string, userId: string): Effect.Effect<KnownCustomer> =>
      Effect.map(read(environmentId, userId), (found) => found ?? { key: userId, phone: "" })
    /** Returns where a customer was kept until now, as the tables say. */
    const readNamed = ({ phone, user_id }: NamedCustomer, environmentId: string) =>
      phone !== undefined || user_id === undefined
        ? Effect.succeed(phone)
        : Effect.map(read(environmentId, user_id), (found) => found ?? { key: user_id, phone: "" })

    return CustomerIds.of({
      find,
      recall: (environmentId, userId) =>
        Effect.flatMap(presentEra, (era) => {
          const cached = cache.get(nameOf(environmentId, userId), era)
          return cached === undefined ? find(environmentId, userId) : Effect.succeed(cached)
        }),
      claim,
      forget: (environmentId, userId) => {
        cache.delete(nameOf(environmentId, userId))
      },
      follow: Effect.fnUntraced(function* (environmentId, { current, previous }, now) {
        const from = yield* readNamed(previous, environmentId)
        if (from === undefined) return undefined
        const present = yield* readNamed(current, environmentId)
        // A new id without a phone belongs to the phone that the old one led to.
        const to = current.phone ?? (isHidden(from.key) ? (present ?? from) : from)
        const user_ids = [previous.user_id, current.user_id].flatMap((id) => (id === undefined ? [] : [id]))
        yield* joins.lead({ environment_id: environmentId, from: from.key, to, user_ids: [...new Set(user_ids)] }, now)
        for (const id of user_ids) cache.delete(nameOf(environmentId, id))
        return to.key
      }),
      meet: Effect.fnUntraced(function* (environmentId, { phone, user_id }, now) {
        const era = yield* presentEra
        const cached = cache.get(nameOf(environmentId, user_id), era)
        if (phone !== undefined && cached?.key === phone.key) return { key: phone.key, claim: undefined }
        const stored = phone === undefined && cached !== undefined ? cached : yield* read(environmentId, user_id)
        if (phone === undefined) {
          const key = stored?.key ?? user_id
          return { key, claim: claim(environmentId, user_id, key, now) }
        }
        if (stored !== undefined && stored.key !== phone.key) {
          const isAlone = isHidden(stored.key) || (yield* repo.idsOf(environmentId, stored.key)).length === 1
          yield* joins.lead(
            { environment_id: environmentId, from: isAlone ? stored.key : undefined, to: phone, user_ids: [user_id] },
            now
          )
        }
        cache.set(nameOf(environmentId, user_id), era, phone)
        return { key: phone.key, claim: claim(environmentId, user_id, phone.key, now) }
      })
    })
  })
).pipe(Layer.provide([CustomerIdRepo.layer, CustomerJoins.layer]))

/** True for the key of a customer whose phone is hidden: it is an id, where others have digits. */
const isHidden = (key: string): boolean => !/^\d+$/.test(key)

const nameOf = (environmentId: string, userId: string): string => `${environmentId} ${userId}`
