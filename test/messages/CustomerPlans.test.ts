import { dueJoins } from "@carteiro/runtime/messages/facts/DueRepo.ts"
import { insertOutbound, isOptedOut, withCustomerType } from "@carteiro/runtime/messages/message/MessageWrites.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../support/TestDatabase.ts"

const outbound = `(select 1 as unit, ''::text as business_id, ''::text as number_version, ''::text as environment_id,
  k.channel, k.key as customer_key, null::text as subjects from unnest(array['chatapp'], array['1']) k(channel, key))`
const asked = withCustomerType("(select * from unnest(array['chatapp'], array['1']) k(channel, key))")

/** Statements that look a customer up for each of their rows. */
const statements = {
  "the guard of a send": insertOutbound.guard?.(outbound) ?? "",
  "the read of consents": `select k.key from ${asked} k
    where ${isOptedOut({ environment_id: "k.channel", type: "k.customer_type", key: "k.key", subjects: "k.key" })}`,
  "the read of due messages": `select c.opt_in_status from messages m ${dueJoins}`
}

const plansOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(Object.entries(statements), ([name, text]) =>
    Effect.map(sql.unsafe<{ readonly "QUERY PLAN": string }>(`explain (costs off) ${text}`), (rows) => {
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
      return { name, plan, index: plan.match(/using (\S+) on contacts\b/)?.[1] }
    })
  )
})

it.layer(TestDatabase.layer, { excludeTestServices: true })("A customer is looked up by their key", (it) => {
  it.effect(
    "although the plan was made while contacts were none, few, or analyzed as few, or one in each environment",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const assertByKey = Effect.map(plansOf, (plans) => {
          const others = plans.filter(({ index }) => index !== "contacts_match")
          assert.deepStrictEqual(others, [])
        })
        const add = (count: number) => sql`insert into contacts
        (environment_id, id, customer_type, match_key, phone, opt_in_status, source, created_at, updated_at)
        select 'env_1', 'con_' || i, 'phone_e164', i::text, '+' || i, 'none', 'api', now(), now()
        from generate_series((select count(*) + 1 from contacts), ${count}::int4) i`
        yield* assertByKey
        for (const count of [1, 20, 400]) {
          yield* add(count)
          yield* assertByKey
          yield* sql`analyze contacts`.unprepared
          yield* assertByKey
        }
        yield* sql`update contacts set environment_id = 'env_' || match_key`
        yield* sql`analyze contacts`.unprepared
        yield* assertByKey
      })
  )
})
