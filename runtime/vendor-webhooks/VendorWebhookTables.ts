import { defaulted, defineTable, int4, nullable, sealed, text, timestamptz } from "@carteiro/tables/Table.ts"

/** The work of vendors' webhooks, by the owner that does it. */
export const vendorWebhookWorkTable = defineTable("vendor_webhook_work", {
  owner: "vendor-webhooks",
  erasure: { holds: "ids, instants and counts" },
  key: ["owner_type", "owner_id", "webhook_id"],
  columns: {
    owner_type: text,
    owner_id: text,
    webhook_id: text,
    attempts: defaulted(int4),
    due_at: nullable(timestamptz),
    reported_messages: nullable(text)
  }
})

/** Calls of vendors as they came, each committed before it was answered. */
export const vendorWebhooksTable = defineTable("vendor_webhooks", {
  owner: "vendor-webhooks",
  erasure: "erased",
  key: ["id"],
  columns: {
    id: text,
    vendor: text,
    unique_key: nullable(text),
    body: sealed(text),
    received_at: timestamptz
  }
})
