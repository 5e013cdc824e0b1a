import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { KnownCustomer } from "./CustomerIds.ts"

/** An id of the platform in an environment. */
export interface AskedId {
  readonly environment_id: string
  readonly user_id: string
}

/** Reads the keys of customers by the platform's ids of them. Concurrent reads of a node share one statement. */
export class CustomerIdRepo extends Context.Service<
  CustomerIdRepo,
  {
    find(id: AskedId): Effect.Effect<KnownCustomer | undefined>
    /** Returns the ids that lead to a key. */
    idsOf(environmentId: string, key: string): Effect.Effect<ReadonlyArray<string>>
    /** Returns every key under which rows of a person may be: theirs, their ids, and those that are being joined to it. */
    keysOf(environmentId: string, key: string): Effect.Effect<ReadonlyArray<string>>
  }
>()("@carteiro/runtime/customers/CustomerIdRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const find = yield* readTogether((ids: ReadonlyArray<AskedId>) =>
        Effect.map(
          many(
            sql.unsafe<KnownCustomer & { readonly ask: number }>(foundSql, [
              arrayParameter(
                "text",
                ids.map(({ environment_id }) => environment_id)
              ),
              arrayParameter(
                "text",
                ids.map(({ user_id }) => user_id)
              )
            ])
          ),
          (rows) => {
            const found = ids.map((): KnownCustomer | undefined => undefined)
            for (const { ask, key, phone } of rows) found[ask - 1] = { key, phone }
            return found
          }
        )
      )
      return CustomerIdRepo.of({
        find,
        idsOf: (environmentId, key) =>
          many(
            sql<{ readonly user_id: string }>`select user_id from customer_ids
              where customer_key = ${key} and environment_id = ${environmentId} order by user_id limit ${mostIds}`,
            ({ user_id }) => user_id
          ),
        keysOf: (environmentId, key) =>
          Effect.map(
            many(
              sql<{ readonly key: string }>`(select user_id as key from customer_ids
                  where customer_key = ${key} and environment_id = ${environmentId} limit ${mostIds})
                union (select from_key from customer_joins
                  where to_key = ${key} and environment_id = ${environmentId} limit ${mostIds})`
            ),
            (rows) => [...new Set([key, ...rows.map((row) => row.key)])]
          )
      })
    })
  )
}

/** The most ids of one person that are looked at; the platform gives a person one at a time. */
const mostIds = 100

// `lateral … limit 1` makes the planner look up each id by its index, whatever table size it estimates. The contact that
// shows an id tells its key where no row leads there: an erasure removed it, and the customer wrote again.
const foundSql = `select k.ask::int4 as ask, i.customer_key as key,
    coalesce(c.phone, case when i.customer_key = k.user_id then '' else '+' || i.customer_key end) as phone
  from unnest($1::text[], $2::text[]) with ordinality as k(environment_id, user_id, ask)
  cross join lateral (
    (select customer_key, 1 as rank from customer_ids
      where environment_id = k.environment_id and user_id = k.user_id limit 1)
    union all
    (select match_key, 2 as rank from contacts where user_id = k.user_id and environment_id = k.environment_id
      and customer_type = 'phone_e164' order by last_inbound_at desc nulls last limit 1)
    order by rank limit 1) i
  left join lateral (select phone from contacts where match_key = i.customer_key
    and environment_id = k.environment_id and customer_type = 'phone_e164' limit 1) c on true`
