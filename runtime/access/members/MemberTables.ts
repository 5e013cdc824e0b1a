import type { MemberRole } from "@carteiro/schema/conventions/Access.ts"
import type { Language } from "@carteiro/schema/conventions/Language.ts"
import { bool, defaulted, defineTable, nullable, select, text, textOf, timestamptz } from "@carteiro/tables/Table.ts"
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
    role: textOf<MemberRole>(),
    /** False for a member who may not sign in. */
    active: defaulted(bool),
    created_at: timestamptz,
    /** Links and sessions from before this instant have ended: the last time the member was deactivated. */
    signed_out_at: nullable(timestamptz),
    /** The language that the member last chose or signed in with; null before, and then English. */
    language: nullable(textOf<Language>())
  }
})

/** The columns of a member. */
export const memberColumns = select(
  membersTable,
  "organization_id",
  "id",
  "name",
  "email",
  "role",
  "active",
  "signed_out_at",
  "language",
  "created_at"
)
