import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { UserCodeLock } from "../../access/Access.ts"
import { defineWrite, type Row } from "../../platform/commit/Write.ts"
import { arrayParameter, instant } from "../../platform/sql/Parameters.ts"
import { one } from "../../platform/sql/Read.ts"

const hex = (column: string) => `encode(${column}, 'hex') as key`
const person = { token_hash: "bytea", organization_id: "text", member_id: "text" } as const
const target = (row: { readonly token_hash: Uint8Array | null }) => `sign_in/${hexOf(row.token_hash)}`

const insertLink = defineWrite({
  name: "sign_in_links.insert",
  columns: { ...person, created_at: "timestamptz", expires_at: "timestamptz" },
  sql: (source) => `insert into sign_in_links (token_hash, organization_id, member_id, created_at, expires_at)
    select r.token_hash, r.organization_id, r.member_id, r.created_at, r.expires_at from ${source} r`
})

/** Single use: whoever takes the row first gets in, with the session of the same commit. */
export const useLink = defineWrite({
  name: "sign_in_links.use",
  columns: { token_hash: "bytea", at: "timestamptz" },
  returns: true,
  target,
  guard: (asked) => `select r.unit from ${asked} r join sign_in_links l on l.token_hash = r.token_hash
    where l.used_at is null and l.expires_at > r.at order by l.token_hash for update of l`,
  sql: (source) => `update sign_in_links l set used_at = r.at from ${source} r where l.token_hash = r.token_hash
    returning ${hex("l.token_hash")}`
})

const insertSession = defineWrite({
  name: "dashboard_sessions.insert",
  columns: { ...person, created_at: "timestamptz", expires_at: "timestamptz" },
  sql: (source) => `insert into dashboard_sessions (token_hash, organization_id, member_id, created_at, expires_at)
    select r.token_hash, r.organization_id, r.member_id, r.created_at, r.expires_at from ${source} r`
})

const endSession = defineWrite({
  name: "dashboard_sessions.end",
  columns: { token_hash: "bytea", at: "timestamptz" },
  target,
  sql: (source) => `update dashboard_sessions s set ended_at = r.at from ${source} r
    where s.token_hash = r.token_hash and s.ended_at is null`
})

/** The next state of the lock, if it is still what was seen. */
export const lockSession = defineWrite({
  name: "dashboard_sessions.lock",
  columns: {
    token_hash: "bytea",
    seen_codes: "int4",
    seen_since: "timestamptz",
    seen_until: "timestamptz",
    wrong_codes: "int4",
    wrong_codes_since: "timestamptz",
    locked_until: "timestamptz"
  },
  returns: true,
  target,
  guard: (asked) => `select r.unit from ${asked} r join dashboard_sessions s on s.token_hash = r.token_hash
    where s.wrong_codes = r.seen_codes and s.wrong_codes_since is not distinct from r.seen_since
      and s.locked_until is not distinct from r.seen_until
    order by s.token_hash for update of s`,
  sql: (source) => `update dashboard_sessions s set wrong_codes = r.wrong_codes,
      wrong_codes_since = r.wrong_codes_since, locked_until = r.locked_until
    from ${source} r where s.token_hash = r.token_hash
    returning ${hex("s.token_hash")}`
})

/** Whom a link or a session belongs to. */
export interface Holder {
  readonly token_hash: Uint8Array
  readonly organization_id: string
  readonly member_id: string
  /** Milliseconds. */
  readonly created_at: number
}

export interface SessionRow extends Holder {
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
    insertLink(link: Begin): Row
    /** `sign_in_links.use` hands the hash back in hex when the link still worked; behind its guard all or nothing. */
    useLink(hash: Uint8Array, at: number): Row
    insertSession(session: Begin): Row
    endSession(hash: Uint8Array, at: number): Row
    /** `dashboard_sessions.lock` hands the hash back in hex when nobody was faster. */
    lockSession(hash: Uint8Array, seen: UserCodeLock, next: UserCodeLock): Row
  }
>()("@carteiro/runtime/dashboard/sessions/SessionRepo") {
  static readonly layer = Layer.effect(
    SessionRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const any = (hashes: ReadonlyArray<Uint8Array>) => arrayParameter("bytea", hashes)
      return SessionRepo.of({
        findLink: (hashes, now) =>
          one(
            sql.unsafe<Holder>(
              `select token_hash, organization_id, member_id, created_at from sign_in_links
                where token_hash = any($1::bytea[]) and used_at is null and expires_at > $2`,
              [any(hashes), instant(now)]
            )
          ),
        findSession: (hashes, now) =>
          one(
            sql.unsafe<Stored>(
              `select token_hash, organization_id, member_id, created_at, wrong_codes, wrong_codes_since, locked_until
                from dashboard_sessions where token_hash = any($1::bytea[]) and ended_at is null and expires_at > $2`,
              [any(hashes), instant(now)]
            ),
            fromRow
          ),
        insertLink: (link) => insertLink.row({ ...link }),
        useLink: (token_hash, at) => useLink.row({ token_hash, at }),
        insertSession: (session) => insertSession.row({ ...session }),
        endSession: (token_hash, at) => endSession.row({ token_hash, at }),
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

interface Stored extends Holder, UserCodeLock {}

const fromRow = ({ wrong_codes, wrong_codes_since, locked_until, ...holder }: Stored): SessionRow => ({
  ...holder,
  lock: { wrong_codes, wrong_codes_since, locked_until }
})
