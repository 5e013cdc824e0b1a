import { defaulted, defineTable, int4, nullable, select, text, timestamptz } from "@carteiro/tables/Table.ts"

/** The key of a customer for each id of the platform: the phone's once both are known, else the id. Decision 0135 */
export const customerIdsTable = defineTable("customer_ids", {
  owner: "customers",
  erasure: "erased",
  key: ["environment_id", "user_id"],
  columns: {
    environment_id: text,
    user_id: text,
    customer_key: text,
    claim: nullable(text),
    updated_at: timestamptz
  }
})

/** Two keys that are one customer: rows of the first move to the second. Decision 0135 */
export const customerJoinsTable = defineTable("customer_joins", {
  owner: "customers",
  erasure: "erased",
  key: ["environment_id", "from_key"],
  columns: {
    environment_id: text,
    from_key: text,
    to_key: text,
    /** `+digits`; empty when only the platform's id is known. */
    phone: text,
    joined_at: timestamptz,
    due_at: timestamptz,
    passes: defaulted(int4)
  }
})

/** The columns of a join whose rows may not all have moved. */
export const joinColumns = select(customerJoinsTable, "environment_id", "from_key", "to_key", "phone", "passes")
