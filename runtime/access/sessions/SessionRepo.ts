import type { Session } from "@carteiro/console/Ports.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { UserCodeLock } from "../devices/UserCodeLock.ts"
import { dashboardSessionsTable, linkColumns, sessionColumns, signInLinksTable } from "./SessionTables.ts"

const hex = "encode(t.token_hash, 'hex')"
const begun = ["token_hash", "organization_id", "member_id", "created_at", "expires_at"] as const
const target = (row: { readonly token_hash: Uint8Array | null }) => `sign_in/${hexOf(row.token_hash)}`

const insertLink = insertInto(signInLinksTable, { columns: begun })

/** Takes a link, which works once: the first request that takes the row gets the session of the same commit. */
export const useLink = updateOf(signInLinksTable, {
  name: "sign_in_links.use",
  set: ["used_at"],
  guard: "t.used_at is null and t.expires_at > r.used_at",
  returning: hex,
  target
})

const insertSession = insertInto(dashboardSessionsTable, { columns: begun })

const endSession = updateOf(dashboardSessionsTable, {
  name: "dashboard_sessions.end",
  set: ["ended_at"],
  where: "t.ended_at is null",
  target
})

/** The next state of the lock, if it is still what was seen. */
export const lockSession = updateOf(dashboardSessionsTable, {
  name: "dashboard_sessions.lock",
  set: ["wrong_codes", "wrong_codes_since", "locked_until"],
  beside: { seen_codes: "int4", seen_since: "timestamptz", seen_until: "timestamptz" },
  guard: `t.wrong_codes = r.seen_codes and t.wrong_codes_since is not distinct from r.seen_since
    and t.locked_until is not distinct from r.seen_until`,
  returning: hex,
  target
})

/** Whom a link or a session belongs to. */
export type Holder = SelectedRow<typeof linkColumns>

export interface SessionRow extends Holder {
  readonly lock: UserCodeLock
}

/** A session, and whom it signs in. */
interface SignedInRow extends Pick<Session, "organization" | "member"> {
  readonly lock: UserCodeLock
}

interface Begin extends Holder {
  /** Milliseconds. */
  readonly expires_at: number
}

/** Links and sessions, found by the hash of a token alone; several hashes while a key is being replaced. */
export class SessionRepo extends Context.Service<
  SessionRepo,
  {
    findLink(hashes: ReadonlyArray<Uint8Array>, now: number): Effect.Effect<Holder | undefined>
    findSession(hashes: ReadonlyArray<Uint8Array>, now: number): Effect.Effect<SessionRow | undefined>
    /**
     * Returns a session with its member and organization; undefined once the member was deactivated or signed out after it
     * began, and once the organization was removed.
     */
    findSignedIn(hashes: ReadonlyArray<Uint8Array>, now: number): Effect.Effect<SignedInRow | undefined>
    insertLink(link: Begin): Row
    /** `sign_in_links.use` hands the hash back in hex when the link still worked; behind its guard all or nothing. */
    useLink(hash: Uint8Array, at: number): Row
    insertSession(session: Begin): Row
    endSession(hash: Uint8Array, at: number): Row
    /** The write `dashboard_sessions.lock` returns the hash in hex, unless another request was faster. */
    lockSession(hash: Uint8Array, seen: UserCodeLock, next: UserCodeLock): Row
  }
>()("@carteiro/runtime/access/sessions/SessionRepo") {
  static readonly layer = Layer.effect(
    SessionRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const any = (hashes: ReadonlyArray<Uint8Array>) => arrayParameter("bytea", hashes)
      return SessionRepo.of({
        findLink: (hashes, now) =>
          one(
            sql.unsafe<Holder>(
              `select ${linkColumns.list} from sign_in_links
                where token_hash = any($1::bytea[]) and used_at is null and expires_at > $2`,
              [any(hashes), instant(now)]
            )
          ),
        findSession: (hashes, now) =>
          one(
            sql.unsafe<SelectedRow<typeof sessionColumns>>(
              `select ${sessionColumns.list} from dashboard_sessions where token_hash = any($1::bytea[]) and ended_at is null and expires_at > $2`,
              [any(hashes), instant(now)]
            ),
            fromRow
          ),
        findSignedIn: (hashes, now) =>
          one(sql.unsafe<SignedInColumns>(signedInSql, [any(hashes), instant(now)]), readSignedIn),
        insertLink: (link) => insertLink.row({ ...link }),
        useLink: (token_hash, at) => useLink.row({ token_hash, used_at: at }),
        insertSession: (session) => insertSession.row({ ...session }),
        endSession: (token_hash, at) => endSession.row({ token_hash, ended_at: at }),
        lockSession: (token_hash, seen, next) =>
          lockSession.row({
            token_hash,
            seen_codes: seen.wrong_codes,
            seen_since: seen.wrong_codes_since,
            seen_until: seen.locked_until,
            ...next
          })
      })
    })
  )
}

/** A hash as the writes hand it back. */
export const hexOf = (hash: Uint8Array | null): string => Buffer.from(hash ?? []).toString("hex")

const fromRow = ({
  wrong_codes,
  wrong_codes_since,
  locked_until,
  ...holder
}: SelectedRow<typeof sessionColumns>): SessionRow => ({
  ...holder,
  lock: { wrong_codes, wrong_codes_since, locked_until }
})

type SignedInColumns = SelectedRow<typeof sessionColumns> &
  Pick<Session["organization"], "suspended_at" | "credit_blocked"> &
  Omit<Session["member"], "id"> & { readonly organization_name: string }

/** Every page reads whom it is for: session, member and organization in one statement. */
const signedInSql = `select ${sessionColumns.of("s")}, o.name as organization_name, o.suspended_at, o.credit_blocked,
    m.name, m.email, m.role, m.language
  from dashboard_sessions s
  join organizations o on o.id = s.organization_id and o.removed_at is null
  join members m on m.organization_id = s.organization_id and m.id = s.member_id
  where s.token_hash = any($1::bytea[]) and s.ended_at is null and s.expires_at > $2 and m.active
    and (m.signed_out_at is null or s.created_at > m.signed_out_at)`

const readSignedIn = ({
  credit_blocked,
  email,
  language,
  locked_until,
  member_id,
  name,
  organization_id,
  organization_name,
  role,
  suspended_at,
  wrong_codes,
  wrong_codes_since
}: SignedInColumns): SignedInRow => ({
  organization: { id: organization_id, name: organization_name, suspended_at, credit_blocked },
  member: { id: member_id, name, email, role, language },
  lock: { wrong_codes, wrong_codes_since, locked_until }
})
