import { defineTable, int4, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"

/** The two latest marketing attempts of a sender to a recipient, with what the platform said of each. */
export const marketingAttemptsTable = defineTable("marketing_attempts", {
  owner: "messages",
  erasure: "erased",
  key: ["environment_id", "business_id", "customer_key"],
  columns: {
    environment_id: text,
    business_id: text,
    customer_key: text,
    latest_message_id: text,
    latest_at: timestamptz,
    latest_code: nullable(int4),
    previous_message_id: nullable(text),
    previous_at: nullable(timestamptz),
    previous_code: nullable(int4)
  }
})

/** Identical marketing content to one recipient of an environment: one row, whichever number sends it. */
export const marketingClaimsTable = defineTable("marketing_claims", {
  owner: "messages",
  erasure: "erased",
  key: ["environment_id", "customer_key", "content_hash"],
  columns: {
    environment_id: text,
    customer_key: text,
    content_hash: text,
    business_id: text,
    message_id: text,
    replaced_message_id: nullable(text),
    attempted_at: nullable(timestamptz),
    claimed_at: timestamptz
  }
})

/** Recipients who stopped marketing of a business account at the platform; only the platform takes that back. Decision 0040 */
export const marketingStopsTable = defineTable("marketing_stops", {
  owner: "messages",
  erasure: { keeps: "a stop at the provider holds until the customer lifts it there: decision 0040" },
  key: ["environment_id", "account_id", "customer_key"],
  columns: {
    environment_id: text,
    account_id: text,
    customer_key: text,
    stopped_at: timestamptz
  }
})
