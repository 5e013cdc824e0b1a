import { type Walked, walk } from "@carteiro/tables/BoundedWalk.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { TemplateHead, TemplateState, TemplateVersion } from "./TemplateState.ts"
import { headColumns, namedColumns, versionColumns } from "./TemplateTables.ts"

/** The filters of a list; an absent one filters nothing. */
export interface TemplateFilters {
  readonly status?: string | undefined
  readonly category?: string | undefined
  readonly language?: string | undefined
  readonly name?: string | undefined
}

/** A template with the environment that it is in. */
type NamedTemplate = SelectedRow<typeof namedColumns>

/** Rows of `templates` and `template_versions`, always within environments that are named; deleted ones never. */
export class TemplateRepo extends Context.Service<
  TemplateRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<TemplateState | undefined>
    /** Returns templates newest first, after `before` when given, out of a bounded walk. */
    list(
      environmentId: string,
      filters: TemplateFilters,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<TemplateState>>
    /** Returns templates whose name begins like this in any of these environments, by name. */
    named(
      environmentIds: ReadonlyArray<string>,
      name: string,
      count: number
    ): Effect.Effect<ReadonlyArray<NamedTemplate>>
    /** Returns the template of a version. */
    ofVersion(environmentId: string, versionId: string): Effect.Effect<string | undefined>
    /** Returns the names in use, each as name, blank and language. */
    names(environmentId: string): Effect.Effect<ReadonlySet<string>>
    /** Returns every version of a template, newest first. */
    versions(environmentId: string, id: string): Effect.Effect<ReadonlyArray<TemplateVersion>>
    /** Returns the templates on which an environment's owner decides: also deleted ones that the provider still has. */
    load(environmentId: string): Effect.Effect<ReadonlyArray<TemplateState>>
    /**
     * Returns when the environment is compared with its provider next, epoch milliseconds; undefined when it is not.
     */
    syncDueAt(environmentId: string): Effect.Effect<number | undefined>
  }
>()("@carteiro/runtime/templates/template/TemplateRepo") {
  static readonly layer = Layer.effect(
    TemplateRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const heads = sql.literal(headColumns.list)
      const equal = (column: string, value: string | undefined) =>
        value === undefined ? [] : [sql`${sql.literal(column)} = ${value}`]

      /** Reads versions by their keys, so that every page costs two look-ups. */
      const whole = Effect.fnUntraced(function* (environmentId: string, found: ReadonlyArray<TemplateHead>) {
        if (found.length === 0) return []
        const ids = found.flatMap(({ latest_approved_version_id: approved, version_id }) =>
          approved === null || approved === version_id ? [version_id] : [version_id, approved]
        )
        const versions = yield* many(
          sql<StoredVersion>`select ${sql.literal(versionColumns.list)} from template_versions
            where environment_id = ${environmentId} and id = any(${arrayParameter("text", ids)})`,
          versionOf
        )
        const byId = new Map(versions.map((version) => [version.id, version]))
        return found.map((head) => stateOf(head, byId))
      })

      return TemplateRepo.of({
        find: (environmentId, id) =>
          many(
            sql<TemplateHead>`select ${heads} from templates
              where environment_id = ${environmentId} and id = ${id} and deleted_at is null`
          ).pipe(
            Effect.flatMap((found) => whole(environmentId, found)),
            Effect.map(([template]) => template)
          ),
        list: (environmentId, { category, language, name, status }, before, count) =>
          Effect.flatMap(
            walk<TemplateHead>(sql, {
              table: "templates",
              along: [sql`environment_id = ${environmentId}`, sql`id < ${before ?? "~"}`],
              narrowed: [
                sql`deleted_at is null`,
                ...equal("status", status),
                ...equal("category", category),
                ...equal("language", language),
                ...equal("name", name)
              ],
              page: (conditions) =>
                sql`select ${heads} from templates where ${sql.and(conditions)} order by id desc limit ${count}`
            }),
            ({ rows, walked_to }) => Effect.map(whole(environmentId, rows), (found) => ({ rows: found, walked_to }))
          ),
        named: (environmentIds, name, count) =>
          many(sql<NamedTemplate>`select ${sql.literal(namedColumns.list)} from templates
            where name >= ${name} and name < ${`${name}~`} and environment_id = any(${arrayParameter("text", environmentIds)})
              and deleted_at is null order by name, id desc limit ${count}`),
        ofVersion: (environmentId, versionId) =>
          Effect.map(
            many(sql<{ readonly template_id: string }>`select template_id from template_versions
              where environment_id = ${environmentId} and id = ${versionId}`),
            ([version]) => version?.template_id
          ),
        names: (environmentId) =>
          Effect.map(
            many(sql<{ readonly named: string }>`select name || ' ' || language as named from templates
              where environment_id = ${environmentId} and deleted_at is null`),
            (rows) => new Set(rows.map(({ named }) => named))
          ),
        versions: (environmentId, id) =>
          many(
            sql<StoredVersion>`select ${sql.literal(versionColumns.list)} from template_versions
              where template_id = ${id} and environment_id = ${environmentId} order by version desc`,
            versionOf
          ),
        load: (environmentId) =>
          Effect.flatMap(
            many(
              sql<TemplateHead>`select ${heads} from templates
                where environment_id = ${environmentId} and (deleted_at is null or due_at is not null)`
            ),
            (found) => whole(environmentId, found)
          ),
        syncDueAt: (environmentId) =>
          one(
            sql<{ readonly due_at: number }>`select due_at from template_syncs where environment_id = ${environmentId}`,
            ({ due_at }) => due_at
          )
      })
    })
  )
}

type StoredVersion = SelectedRow<typeof versionColumns>

const versionOf = (row: StoredVersion): TemplateVersion => ({ ...row, components: readJson(row.components) })

const stateOf = (head: TemplateHead, versions: ReadonlyMap<string, TemplateVersion>): TemplateState => {
  const { latest_approved_version_id, version_id, ...rest } = head
  const newest = versions.get(version_id)
  if (newest === undefined) throw new Error(`template ${head.id} has no version ${version_id}`)
  const approved = latest_approved_version_id === null ? undefined : versions.get(latest_approved_version_id)
  return { ...rest, newest, approved }
}
