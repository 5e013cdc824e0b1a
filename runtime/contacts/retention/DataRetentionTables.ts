import { bool, defaulted, defineTable, int4, text, timestamptz } from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** How long an environment keeps data of customers; one without a row has the default policy. */
export const dataRetentionPoliciesTable = defineTable("data_retention_policies", {
  owner: "contacts",
  erasure: tenant,
  key: ["environment_id"],
  columns: {
    environment_id: text,
    data_export_enabled: defaulted(bool),
    media_retention_days: defaulted(int4),
    payload_retention_days: defaulted(int4),
    updated_at: timestamptz
  }
})
