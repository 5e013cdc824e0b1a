import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { updateOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { organizationColumns, organizationsTable } from "./TenancyTables.ts"

/** An organization as its members and operators see it; instants in milliseconds. */
export type Organization = SelectedRow<typeof organizationColumns>

/** Suspends an organization; a suspension keeps its first instant, and a null instant ends it. */
const suspendOrganization = updateOf(organizationsTable, {
  name: "organizations.suspend",
  set: ["suspended_at"],
  values: {
    suspended_at: "case when r.suspended_at is null then null else coalesce(t.suspended_at, r.suspended_at) end"
  },
  where: "t.removed_at is null"
})

/** Sets or lifts the credit block. */
const blockCredit = updateOf(organizationsTable, {
  name: "organizations.credit",
  set: ["credit_blocked"],
  where: "t.removed_at is null"
})

/** Rows of `organizations` that were not removed. */
export class OrganizationRepo extends Context.Service<
  OrganizationRepo,
  {
    find(id: string): Effect.Effect<Organization | undefined>
    list(after: string | undefined, count: number): Effect.Effect<ReadonlyArray<Organization>>
    /** Returns the row of a suspension; a null instant resumes the organization. */
    suspend(id: string, at: number | null): Row
    blockCredit(id: string, blocked: boolean): Row
  }
>()("@carteiro/runtime/access/tenancy/OrganizationRepo") {
  static readonly layer = Layer.effect(
    OrganizationRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = sql.literal(`select ${organizationColumns.list} from organizations`)
      return OrganizationRepo.of({
        find: (id) => one(sql<Organization>`${select} where id = ${id} and removed_at is null`),
        list: (after, count) =>
          many(
            sql<Organization>`${select} where removed_at is null and id < ${after ?? "~"} order by id desc limit ${count}`
          ),
        suspend: (id, at) => suspendOrganization.row({ id, suspended_at: at }),
        blockCredit: (id, blocked) => blockCredit.row({ id, credit_blocked: blocked })
      })
    })
  )
}
