import { bool, defineTable, int8, nullable, select, text, textOf, timestamptz } from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** Automatic top-ups that failed: the owners are told of each once. */
export const autoTopupFailuresTable = defineTable("auto_topup_failures", {
  owner: "billing",
  erasure: money,
  key: ["account_id", "topup_id"],
  columns: {
    account_id: text,
    topup_id: text,
    amount: int8,
    last4: nullable(text),
    decline_code: nullable(text),
    failed_at: timestamptz
  }
})

/** The automatic top-up of an account, one row an account that ever set it. `cause` says who turned it off. */
export const autoTopupsTable = defineTable("auto_topups", {
  owner: "billing",
  erasure: money,
  key: ["account_id"],
  columns: {
    account_id: text,
    enabled: bool,
    threshold: int8,
    amount: int8,
    payment_method_id: nullable(text),
    /** The cause for which it is off: a new card turns it on again only after a failure. */
    cause: nullable(textOf<"failure" | "caller" | "card_deleted">()),
    /** True when the last movement left the balance above the threshold, so that it can cross it again. */
    is_above: bool,
    /** The run that has not ended; crossings meanwhile are ignored. */
    open_topup_id: nullable(text),
    last_triggered_at: nullable(timestamptz),
    updated_at: timestamptz
  }
})

/** Credit that was bought or given. `cash` and `package` are paid for through a provider, or given by an operator. */
export const creditTopupsTable = defineTable("credit_topups", {
  owner: "billing",
  erasure: money,
  key: ["account_id", "id"],
  columns: {
    account_id: text,
    id: text,
    kind: text,
    status: text,
    amount: int8,
    payment_method: text,
    provider: nullable(text),
    package_code: nullable(text),
    quota_messages: nullable(int8),
    quota_remaining: nullable(int8),
    unit_price: nullable(int8),
    created_at: timestamptz,
    completed_at: nullable(timestamptz)
  }
})

/** Packages on sale: credit, and the right to send a number of messages at a lower price. */
export const packageOfferingsTable = defineTable("package_offerings", {
  owner: "billing",
  erasure: money,
  key: ["code"],
  columns: {
    code: text,
    display_name: text,
    price: int8,
    quota_messages: int8,
    unit_price: int8
  }
})

/** The columns of an automatic top-up. */
export const autoTopupColumns = select(
  autoTopupsTable,
  "enabled",
  "threshold",
  "amount",
  "payment_method_id",
  "cause",
  "is_above",
  "open_topup_id",
  "last_triggered_at",
  "updated_at"
)

/** The columns of a package on offer. */
export const packageColumns = select(
  packageOfferingsTable,
  "code",
  "display_name",
  "price",
  "quota_messages",
  "unit_price"
)
