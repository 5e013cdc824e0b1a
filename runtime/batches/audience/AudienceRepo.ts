import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { insertInto } from "@carteiro/tables/TableWrite.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AudienceRow } from "./AudienceRead.ts"
import { audienceColumns, audiencesTable } from "./AudienceTables.ts"
import { type FoundContact, filterParameters, type StoredFilter } from "./ContactFilter.ts"

const insertAudience = insertInto(audiencesTable, {
  columns: ["environment_id", "id", "name", "filter", "created_at"],
  values: { updated_at: "r.created_at" }
})

/** Deletes an audience; hands its id back when it was there. */
export const removeAudience = defineWrite({
  name: "audiences.remove",
  columns: { environment_id: "text", id: "text" },
  target: ({ id }) => `audiences/${id}`,
  returns: true,
  sql: (source) => `delete from audiences t using ${source} r
    where t.environment_id = r.environment_id and t.id = r.id returning t.id as key`
})

type StoredRow = SelectedRow<typeof audienceColumns>

/** Audiences and the contacts they name, always within one environment. */
export class AudienceRepo extends Context.Service<
  AudienceRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<AudienceRow | undefined>
    /** Newest first, after the one with that id. */
    list(environmentId: string, after: string | undefined, count: number): Effect.Effect<ReadonlyArray<AudienceRow>>
    countContacts(environmentId: string, filter: StoredFilter): Effect.Effect<number>
    /** Contacts behind the contact `after`, in the order of their ids. */
    findContacts(
      environmentId: string,
      filter: StoredFilter,
      after: string,
      limit: number
    ): Effect.Effect<ReadonlyArray<FoundContact>>
    /** Those of the ids that name a contact. */
    namedContacts(environmentId: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<FoundContact>>
    insert(environmentId: string, audience: Omit<AudienceRow, "updated_at">): Row
    remove(environmentId: string, id: string): Row
  }
>()("@carteiro/runtime/batches/audience/AudienceRepo") {
  static readonly layer = Layer.effect(
    AudienceRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = sql.literal(`select ${audienceColumns.list} from audiences`)
      // A customer without a phone is addressed by the platform's id.
      const address = sql.literal("coalesce(nullif(phone, ''), user_id, match_key)")
      const read = (row: StoredRow): AudienceRow => ({ ...row, filter: readJson(row.filter) })
      const matching = (environmentId: string, filter: StoredFilter) => {
        const { created_after, opt_in_status, source } = filterParameters(filter)
        const conditions = [sql`environment_id = ${environmentId}`, sql`customer_type = 'phone_e164'`]
        if (opt_in_status !== null) conditions.push(sql`opt_in_status = ${opt_in_status}`)
        if (source !== null) conditions.push(sql`source = ${source}`)
        if (created_after !== null) conditions.push(sql`created_at > ${instant(created_after)}`)
        return conditions
      }
      return AudienceRepo.of({
        find: (environmentId, id) =>
          one(sql<StoredRow>`${select} where environment_id = ${environmentId} and id = ${id}`, read),
        list: (environmentId, after, count) =>
          many(
            sql<StoredRow>`${select} where environment_id = ${environmentId}
              ${after === undefined ? sql.literal("") : sql`and id < ${after}`}
              order by id desc limit ${count}`,
            read
          ),
        countContacts: (environmentId, filter) =>
          Effect.map(
            one(sql<{ readonly count: number }>`select count(*)::int4 as count from contacts
              where ${sql.and(matching(environmentId, filter))}`),
            (row) => row?.count ?? 0
          ),
        findContacts: (environmentId, filter, after, limit) =>
          many(sql<FoundContact>`select id, ${address} as phone, match_key from contacts
            where ${sql.and([...matching(environmentId, filter), sql`id > ${after}`])}
            order by id limit ${limit}`),
        namedContacts: (environmentId, ids) =>
          many(sql<FoundContact>`select k.id, c.phone, c.match_key from unnest(${ids}::text[]) as k(id)
            cross join lateral (select ${address} as phone, match_key from contacts t
              where t.environment_id = ${environmentId} and t.id = coalesce((select a.contact_id from contact_aliases a
                where a.environment_id = ${environmentId} and a.id = k.id), k.id) and t.customer_type = 'phone_e164' limit 1) c`),
        insert: (environment_id, { created_at, filter, id, name }) =>
          insertAudience.row({ environment_id, id, name, filter: jsonText(filter), created_at }),
        remove: (environment_id, id) => removeAudience.row({ environment_id, id })
      })
    })
  )
}
