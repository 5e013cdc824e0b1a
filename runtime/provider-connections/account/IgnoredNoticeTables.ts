import { date, defineTable, int4, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** Notices of the chat platform that have no meaning here: one row for each account, field and UTC day. Decision 0153 */
export const ignoredNoticesTable = defineTable("ignored_notices", {
  owner: "provider-connections",
  erasure: tenant,
  key: ["biz_account_id", "field", "day"],
  columns: {
    biz_account_id: text,
    field: text,
    day: date,
    count: int4,
    last_at: timestamptz,
    last_call: text,
    content: nullable(text)
  }
})
