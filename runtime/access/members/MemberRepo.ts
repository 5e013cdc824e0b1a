import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { memberColumns, membersTable } from "./MemberTables.ts"

/** A person of an organization; instants in milliseconds. */
export type Member = SelectedRow<typeof memberColumns>

/** A change of a member; a missing field stays unchanged. */
export type MemberChange = Partial<Pick<Member, "role" | "active">>

/**
 * Inserts a member, unless the organization is deleted or already has the address. Of two that come at once, the later
 * breaks the unique index, and is judged again by the guard.
 */
export const insertMember = defineWrite({
  name: "members.insert",
  columns: {
    organization_id: "text",
    id: "text",
    name: "text",
    email: "text",
    role: "text",
    language: "text",
    at: "timestamptz"
  },
  returns: true,
  target: (row) => `organizations/${row.organization_id}/members`,
  guard: (source) => `select r.unit from ${source} r
    join organizations o on o.id = r.organization_id and o.removed_at is null
    where not exists (select 1 from members m
      where m.organization_id = r.organization_id and lower(m.email) = lower(r.email))`,
  sql: (source) => `insert into members (organization_id, id, name, email, role, language, created_at)
    select r.organization_id, r.id, r.name, r.email, r.role, r.language, r.at from ${source} r
    returning id as key`
})

/** Writes the language that a member reads in; e-mails follow it. Decision 0188 */
export const setMemberLanguage = updateOf(membersTable, { name: "members.language", set: ["language"] })

/** Changes a member's role, activity, or both, while an active owner remains; null leaves a field unchanged. */
export const changeMember = defineWrite({
  name: "members.change",
  columns: { organization_id: "text", id: "text", role: "text", active: "bool", owners_too: "bool", at: "timestamptz" },
  returns: true,
  target: (row) => `organizations/${row.organization_id}/owners`,
  // The owners' rows are locked and read again, so that two owners cannot leave at once.
  guard: (source) => `with people as materialized (
      select m.organization_id, m.id, m.role, m.active from members m
      where (m.organization_id, m.id) in (select organization_id, id from ${source})
        or (m.role = 'owner' and m.active and m.organization_id in (select organization_id from ${source}))
      order by m.organization_id, m.id for update
    )
    select r.unit from ${source} r join people p on p.organization_id = r.organization_id and p.id = r.id
    where (r.owners_too or p.role <> 'owner') and (
      (coalesce(r.role, p.role) = 'owner' and coalesce(r.active, p.active))
      or exists (select 1 from people o
        where o.organization_id = r.organization_id and o.id <> r.id and o.role = 'owner' and o.active))`,
  sql: (source) => `update members m set role = coalesce(r.role, m.role), active = coalesce(r.active, m.active),
      signed_out_at = case when r.active = false then r.at else m.signed_out_at end
    from ${source} r where m.organization_id = r.organization_id and m.id = r.id
    returning m.id as key`
})

/** Rows of `members`, within one organization except for the search by address. */
export class MemberRepo extends Context.Service<
  MemberRepo,
  {
    find(organizationId: string, id: string): Effect.Effect<Member | undefined>
    list(organizationId: string): Effect.Effect<ReadonlyArray<Member>>
    findByEmail(email: string): Effect.Effect<ReadonlyArray<Member>>
    /** Returns the row of a new member; `members.insert` returns the id when the member was made. */
    insert(member: Omit<Member, "active" | "signed_out_at">): Row
    /** Returns the row of a change; `members.change` returns the id when the change was made. */
    change(organizationId: string, id: string, to: MemberChange, ownersToo: boolean, at: number): Row
  }
>()("@carteiro/runtime/access/members/MemberRepo") {
  static readonly layer = Layer.effect(
    MemberRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = sql.literal(`select ${memberColumns.list} from members`)
      return MemberRepo.of({
        find: (organizationId, id) =>
          one(sql<Member>`${select} where organization_id = ${organizationId} and id = ${id}`),
        list: (organizationId) =>
          many(sql<Member>`${select} where organization_id = ${organizationId} order by organization_id, id`),
        findByEmail: (email) =>
          many(sql<Member>`${select} where lower(email) = lower(${email}) order by organization_id, id`),
        insert: ({ created_at, ...member }) => insertMember.row({ ...member, at: created_at }),
        change: (organization_id, id, { role, active }, owners_too, at) =>
          changeMember.row({ organization_id, id, role: role ?? null, active: active ?? null, owners_too, at })
      })
    })
  )
}
