import { insertInto, rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { customerIdsTable, customerJoinsTable } from "./CustomerTables.ts"

/**
 * Records which key a customer's id of the platform leads to, before anything of the unit is written: a unit that was
 * decided on another key is skipped, so that nothing is written under a key that was joined to another meanwhile.
 * Decision 0135
 */
export const claimCustomerId = defineWrite({
  name: "customer_ids.claim",
  columns: { environment_id: "text", user_id: "text", customer_key: "text", claim: "text", at: "timestamptz" },
  target: rowOf("customer_ids", "environment_id", "user_id"),
  claims: "claim",
  sql: (source) => `insert into customer_ids as i (environment_id, user_id, customer_key, claim, updated_at)
    select r.environment_id, r.user_id, r.customer_key, r.claim, r.at from ${source} r order by r.environment_id, r.user_id
    on conflict (environment_id, user_id) do update set claim = excluded.claim
      where i.customer_key = excluded.customer_key
    returning i.claim as key`
})

/** Records that rows of one key move to another. */
export const noteJoin = insertInto(customerJoinsTable, {
  name: "customer_joins.note",
  columns: ["environment_id", "from_key", "to_key", "phone", "joined_at"],
  values: { due_at: "'-infinity'" },
  target: rowOf("customer_joins", "environment_id", "from_key"),
  conflict: { on: ["environment_id", "from_key"], update: ["to_key", "phone", "joined_at", "due_at"] }
})

/**
 * Leads every id that led to one key to another. It waits for the claims under way, so that afterwards nothing is
 * written under the first key on the strength of an id.
 */
export const leadIds = defineWrite({
  name: "customer_ids.lead",
  columns: { environment_id: "text", from_key: "text", to_key: "text", at: "timestamptz" },
  target: rowOf("customer_ids_of", "environment_id", "from_key"),
  sql: (source) => `update customer_ids i set customer_key = r.to_key, updated_at = r.at from ${source} r
    where i.environment_id = r.environment_id and i.customer_key = r.from_key`
})

/** Leads one id to a key, whatever it led to before. */
export const leadId = insertInto(customerIdsTable, {
  name: "customer_ids.lead_one",
  columns: ["environment_id", "user_id", "customer_key", "updated_at"],
  target: rowOf("customer_ids", "environment_id", "user_id"),
  conflict: { on: ["environment_id", "user_id"], update: ["customer_key", "updated_at"] }
})
