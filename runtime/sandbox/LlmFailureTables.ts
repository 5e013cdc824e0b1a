import { defineTable, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids } from "../erasure/Standings.ts"

/** The failure that a sandbox plays for the next call of a language model. */
export const sandboxLlmFailuresTable = defineTable("sandbox_llm_failures", {
  owner: "sandbox",
  erasure: ids,
  key: ["environment_id"],
  columns: {
    environment_id: text,
    failure: text,
    expires_at: nullable(timestamptz),
    armed_at: timestamptz
  }
})
