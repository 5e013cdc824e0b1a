import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"

/** Stores a vendor's call as received. A call that the vendor names like an earlier one is not stored again. */
export const insertWebhook = defineInsert({
  table: "vendor_webhooks",
  columns: { id: "text", vendor: "text", unique_key: "text", body: "bytea", received_at: "timestamptz" },
  conflict: "ignore"
})

/** Stores the owners that have to process a call. A call that existed before gets no further work. */
export const insertWork = defineWrite({
  name: "vendor_webhook_work.insert",
  columns: {
    owner_type: "text",
    owner_id: "text",
    webhook_id: "text",
    vendor: "text",
    unique_key: "text",
    reported_messages: "text",
    due_at: "timestamptz"
  },
  sql: (source) => `insert into vendor_webhook_work (owner_type, owner_id, webhook_id, reported_messages, due_at)
    select r.owner_type, r.owner_id, r.webhook_id, r.reported_messages, r.due_at from ${source} r
    where not exists (select 1 from vendor_webhooks w where w.vendor = r.vendor and w.unique_key = r.unique_key)
    order by r.owner_type, r.owner_id, r.webhook_id
    on conflict do nothing`
})

const work = { owner_type: "text", owner_id: "text", webhook_id: "text" } as const
const workTarget = rowOf("vendor_webhook_work", "owner_type", "owner_id", "webhook_id")

/** Removes a call from an owner's work once it is processed. */
export const finishWork = defineWrite({
  name: "vendor_webhook_work.finish",
  columns: work,
  target: workTarget,
  sql: (source) => `delete from vendor_webhook_work t using ${source} r
    where t.owner_type = r.owner_type and t.owner_id = r.owner_id and t.webhook_id = r.webhook_id`
})

/** Delays or ends an owner's work with a call, and clears the messages it reports: the owner has applied their statuses. */
export const deferWork = defineUpdate({
  name: "vendor_webhook_work.defer",
  table: "vendor_webhook_work",
  key: work,
  set: { attempts: "int4", due_at: "timestamptz" },
  values: { reported_messages: "null" },
  target: workTarget
})
