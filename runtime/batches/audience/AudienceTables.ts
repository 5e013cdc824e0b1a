import { defineTable, jsonOf, select, text, timestamptz } from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"
import type { StoredFilter } from "./ContactFilter.ts"

/** Filters over contacts that batches are sent to. */
export const audiencesTable = defineTable("audiences", {
  owner: "batches",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    name: text,
    filter: jsonOf<StoredFilter>(),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** The columns of an audience that reads show. */
export const audienceColumns = select(audiencesTable, "id", "name", "filter", "created_at", "updated_at")
