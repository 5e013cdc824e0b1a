import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { defineWrite, type Row } from "../../platform/commit/Write.ts"
import { many, one } from "../../platform/sql/Read.ts"

/** An organization as its people and operators see it; instants in milliseconds. */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly suspended_at: number | null
  readonly credit_blocked: boolean
  readonly created_at: number
}

const target = (row: { readonly id: string | null }) => `organizations/${row.id}`

/** The first suspension stands; a null instant ends it. A-AUTH-11 */
const suspendOrganization = defineWrite({
  name: "organizations.suspend",
  columns: { id: "text", at: "timestamptz" },
  target,
  sql: (source) => `update organizations o
    set suspended_at = case when r.at is null then null else coalesce(o.suspended_at, r.at) end
    from ${source} r where o.id = r.id and o.removed_at is null`
})

/** A-AUTH-16 */
const blockCredit = defineWrite({
  name: "organizations.credit",
  columns: { id: "text", blocked: "bool" },
  target,
  sql: (source) => `update organizations o set credit_blocked = r.blocked from ${source} r
    where o.id = r.id and o.removed_at is null`
})

/** Rows of `organizations` that were not removed. */
export class OrganizationRepo extends Context.Service<
  OrganizationRepo,
  {
    find(id: string): Effect.Effect<Organization | undefined>
    list(after: string | undefined, count: number): Effect.Effect<ReadonlyArray<Organization>>
    /** A null instant resumes. */
    suspend(id: string, at: number | null): Row
    blockCredit(id: string, blocked: boolean): Row
  }
>()("@carteiro/runtime/access/tenancy/OrganizationRepo") {
  static readonly layer = Layer.effect(
    OrganizationRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = sql.literal("select id, name, suspended_at, credit_blocked, created_at from organizations")
      return OrganizationRepo.of({
        find: (id) => one(sql<Organization>`${select} where id = ${id} and removed_at is null`),
        list: (after, count) =>
          many(
            sql<Organization>`${select} where removed_at is null and id < ${after ?? "~"} order by id desc limit ${count}`
          ),
        suspend: (id, at) => suspendOrganization.row({ id, at }),
        blockCredit: (id, blocked) => blockCredit.row({ id, blocked })
      })
    })
  )
}
