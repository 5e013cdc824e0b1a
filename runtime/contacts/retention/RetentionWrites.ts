import { rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { defaultPolicy } from "./RetentionPolicyRepo.ts"

/** Writes the members of a PATCH; a null leaves a member unchanged. M-CON-10 */
export const changeRetention = defineWrite({
  name: "data_retention_policies.change",
  columns: {
    environment_id: "text",
    data_export_enabled: "bool",
    media_retention_days: "int4",
    payload_retention_days: "int4",
    updated_at: "timestamptz"
  },
  target: rowOf("data_retention_policies", "environment_id"),
  sql: (source) => `insert into data_retention_policies as p (environment_id, data_export_enabled,
      media_retention_days, payload_retention_days, updated_at)
    select r.environment_id, coalesce(r.data_export_enabled, ${defaultPolicy.data_export_enabled}),
      coalesce(r.media_retention_days, ${defaultPolicy.media_retention_days}),
      coalesce(r.payload_retention_days, ${defaultPolicy.payload_retention_days}), r.updated_at
    from ${source} r
    on conflict (environment_id) do update set
      data_export_enabled = coalesce((select s.data_export_enabled from ${source} s
        where s.environment_id = p.environment_id), p.data_export_enabled),
      media_retention_days = coalesce((select s.media_retention_days from ${source} s
        where s.environment_id = p.environment_id), p.media_retention_days),
      payload_retention_days = coalesce((select s.payload_retention_days from ${source} s
        where s.environment_id = p.environment_id), p.payload_retention_days),
      updated_at = excluded.updated_at`
})
