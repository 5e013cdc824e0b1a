import { many, one } from "@carteiro/tables/Read.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { MemberRole } from "./MemberRules.ts"

/** A person of an organization; instants in milliseconds. */
export interface Member {
  readonly organization_id: string
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: MemberRole
  /** One who is not active cannot sign in. */
  readonly active: boolean
  /** Links and sessions begun by then have ended: the last time the member was deactivated. */
  readonly signed_out_at: number | null
  readonly created_at: number
}

/** A change of a member; what it leaves out stays as it is. */
export type MemberChange = Partial<Pick<Member, "role" | "active">>

/** A new member, unless the organization is gone or holds the address. */
export const insertMember = defineWrite({
  name: "members.insert",
  columns: { organization_id: "text", id: "text", name: "text", email: "text", role: "text", at: "timestamptz" },
  returns: true,
  sql: (source) => `insert into members (organization_id, id, name, email, role, created_at)
    select r.organization_id, r.id, r.name, r.email, r.role, r.at from ${source} r
    join organizations o on o.id = r.organization_id and o.removed_at is null
    on conflict do nothing
    returning id as key`
})

/** Another role or standing, or both, while an active owner is left; null leaves what is there. */
export const changeMember = defineWrite({
  name: "members.change",
  columns: { organization_id: "text", id: "text", role: "text", active: "bool", owners_too: "bool", at: "timestamptz" },
  returns: true,
  target: (row) => `organizations/${row.organization_id}/owners`,
  // Owners are locked and looked at again, so that two of them cannot leave at the same moment.
  guard: (asked) => `with people as materialized (
      select m.organization_id, m.id, m.role, m.active from members m
      where (m.organization_id, m.id) in (select organization_id, id from ${asked})
        or (m.role = 'owner' and m.active and m.organization_id in (select organization_id from ${asked}))
      order by m.organization_id, m.id for update
    )
    select r.unit from ${asked} r join people p on p.organization_id = r.organization_id and p.id = r.id
    where (r.owners_too or p.role <> 'owner') and (
      (coalesce(r.role, p.role) = 'owner' and coalesce(r.active, p.active))
      or exists (select 1 from people o
        where o.organization_id = r.organization_id and o.id <> r.id and o.role = 'owner' and o.active))`,
  sql: (source) => `update members m set role = coalesce(r.role, m.role), active = coalesce(r.active, m.active),
      signed_out_at = case when r.active = false then r.at else m.signed_out_at end
    from ${source} r where m.organization_id = r.organization_id and m.id = r.id
    returning m.id as key`
})

/** Rows of `members`, within one organization but for the search by address. */
export class MemberRepo extends Context.Service<
  MemberRepo,
  {
    find(organizationId: string, id: string): Effect.Effect<Member | undefined>
    list(organizationId: string): Effect.Effect<ReadonlyArray<Member>>
    findByEmail(email: string): Effect.Effect<ReadonlyArray<Member>>
    /** `members.insert` hands the id back when the member was made. */
    insert(member: Omit<Member, "active" | "signed_out_at">): Row
    /** `members.change` hands the id back when the change was made. */
    change(organizationId: string, id: string, to: MemberChange, ownersToo: boolean, at: number): Row
  }
>()("@carteiro/runtime/access/members/MemberRepo") {
  static readonly layer = Layer.effect(
    MemberRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = sql.literal(`select organization_id, id, name, email, role, active, signed_out_at, created_at
        from members`)
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
