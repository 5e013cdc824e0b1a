import { defaulted, defineTable, int4, select, text, timestamptz } from "@carteiro/tables/Table.ts"

/** Erasures under way: the last row that knows the customer, removed when no other is left. */
export const contactErasuresTable = defineTable("contact_erasures", {
  owner: "contacts",
  erasure: "erased",
  key: ["environment_id", "id", "match_key"],
  columns: {
    environment_id: text,
    id: text,
    customer_type: text,
    match_key: text,
    erased_at: timestamptz,
    due_at: timestamptz,
    passes: defaulted(int4)
  }
})

/** Opt-outs of erased contacts by a keyed hash, so that the choice stays in force and nothing tells of the customer. */
export const contactSuppressionsTable = defineTable("contact_suppressions", {
  owner: "contacts",
  erasure: { holds: "a keyed hash of who opted out" },
  key: ["environment_id", "subject"],
  columns: {
    environment_id: text,
    subject: text,
    source: text,
    opted_out_at: timestamptz
  }
})

/** The columns of an erasure under way. */
export const erasureColumns = select(
  contactErasuresTable,
  "environment_id",
  "id",
  "customer_type",
  "match_key",
  "erased_at",
  "passes"
)
