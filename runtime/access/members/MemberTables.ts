import { bool, defaulted, defineTable, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { people } from "../../erasure/Standings.ts"

/** Members of an organization. */
export const membersTable = defineTable("members", {
  owner: "access",
  erasure: people,
  key: ["organization_id", "id"],
  columns: {
    organization_id: text,
    id: text,
    name: text,
    email: text,
    role: text,
    active: defaulted(bool),
    created_at: timestamptz,
    signed_out_at: nullable(timestamptz)
  }
})
