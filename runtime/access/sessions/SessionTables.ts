import { bytes, defaulted, defineTable, int4, nullable, select, text, timestamptz } from "@carteiro/tables/Table.ts"
import { people } from "../../erasure/Standings.ts"

/** Sessions of members in the console, by the hash of their token. */
export const dashboardSessionsTable = defineTable("dashboard_sessions", {
  owner: "access",
  erasure: people,
  key: ["token_hash"],
  columns: {
    token_hash: bytes("hash of a token"),
    organization_id: text,
    member_id: text,
    created_at: timestamptz,
    expires_at: timestamptz,
    ended_at: nullable(timestamptz),
    wrong_codes: defaulted(int4),
    wrong_codes_since: nullable(timestamptz),
    locked_until: nullable(timestamptz)
  }
})

/** Links of e-mails that sign a member in, by the hash of their token. */
export const signInLinksTable = defineTable("sign_in_links", {
  owner: "access",
  erasure: people,
  key: ["token_hash"],
  columns: {
    token_hash: bytes("hash of a token"),
    organization_id: text,
    member_id: text,
    created_at: timestamptz,
    expires_at: timestamptz,
    used_at: nullable(timestamptz)
  }
})

/** The columns that tell whose a link is. */
export const linkColumns = select(signInLinksTable, "token_hash", "organization_id", "member_id", "created_at")

/** The columns that tell whose a session is, and how its lock stands. */
export const sessionColumns = select(
  dashboardSessionsTable,
  "token_hash",
  "organization_id",
  "member_id",
  "created_at",
  "wrong_codes",
  "wrong_codes_since",
  "locked_until"
)
