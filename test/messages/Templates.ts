import type { AcceptItem } from "@carteiro/runtime/messages/accept/AcceptItem.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { TestNumber } from "../support/Numbers.ts"
import { seedTemplates } from "./TypedSending.ts"

/** The members of a send of the seeded utility template. */
export const welcome = (customer_key: string): Partial<AcceptItem> => ({
  type: "template",
  customer_key,
  content: jsonText({
    type: "template",
    template: { name: "welcome", language: "pt_BR", variables: { 1: "Maria" } }
  }),
  names: { _tag: "Template", name: "welcome", language: "pt_BR" }
})

/** The members of a send of the seeded marketing template. */
export const promo = (customer_key: string, first_name = "Ana"): Partial<AcceptItem> => ({
  type: "template",
  customer_key,
  content: jsonText({
    type: "template",
    template: { name: "promo", language: "pt_BR", variables: { first_name } }
  }),
  names: { _tag: "Template", name: "promo", language: "pt_BR" }
})

/** Gives a number's environment its templates, and the number this tier and quality. */
export const prepare = Effect.fnUntraced(function* (number: TestNumber, tier: string, quality = "green") {
  const sql = yield* SqlClient.SqlClient
  yield* seedTemplates({ id: number.environment_id, kind: number.kind })
  yield* sql`update phone_numbers set messaging_tier = ${tier}, quality_rating = ${quality} where id = ${number.id}`
}, Effect.orDie)

/** Connects a production number, so that the guards have a policy. */
export const coverNumber = Effect.fnUntraced(function* (number: TestNumber) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update phone_numbers set biz_account_id = ${`waba-${number.id}`} where id = ${number.id}`
  yield* sql`insert into provider_connections (environment_id, id, environment, provider, channel, status, display_name,
      biz_account_id, created_at, updated_at)
    values (${number.environment_id}, ${`pcn_${number.id}`}, 'production', 'upstream', 'chatapp', 'connected', 'Demo',
      ${`waba-${number.id}`}, now(), now())`
}, Effect.orDie)
