import type { MediaLifecycle, MediaSource, MediaStatus } from "@carteiro/schema/media/MediaAsset.ts"
import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import { type Walked, walk } from "@carteiro/tables/BoundedWalk.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type StoredAsset, standardLimit } from "./AssetState.ts"
import { assetColumns, assetLineColumns, mediaAssetsTable } from "./AssetTables.ts"

/** The filters of a list of assets. */
export interface AssetFilters {
  readonly lifecycle?: MediaLifecycle
  readonly status?: MediaStatus
  readonly kind?: MediaKind
  readonly source?: MediaSource
}

/** A file as a line of a list. */
export type AssetLineRow = Pick<StoredAsset, (typeof assetLineColumns.names)[number]>

/** The storage that the files of an environment use, in bytes. */
export interface StorageUsage {
  readonly used_bytes: number
  /** Null means the standard limit of the environment's kind. */
  readonly limit_bytes: number | null
}

/** Rows of `media_assets` and `media_usage`; every tenant read stays within one environment. */
export class AssetRepo extends Context.Service<
  AssetRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<StoredAsset | undefined>
    /** Returns the asset that a transcription is of. */
    ofTranscription(environmentId: string, id: string): Effect.Effect<string | undefined>
    findAll(environmentId: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<StoredAsset>>
    /**
     * Returns assets newest first, after `before` when given; `status` is the status at `now`. Deleted assets only with
     * that status.
     */
    list(
      environmentId: string,
      filters: AssetFilters,
      now: number,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<StoredAsset>>
    /** Returns such assets with the columns of a line. */
    lines(
      environmentId: string,
      filters: AssetFilters,
      now: number,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<AssetLineRow>>
    /** Returns those of the given keys that an asset names. */
    named(blobKeys: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>>
    usage(environmentId: string): Effect.Effect<StorageUsage>
    /**
     * Inserts an asset, if the environment has room for the bytes that it counts; the write then returns its id.
     */
    insert(asset: StoredAsset): ReadonlyArray<Row>
    /**
     * Writes a changed asset and returns its id. Writes nothing when the asset has changed since it was read, or when
     * the environment has no room for the additional bytes.
     */
    save(before: StoredAsset, after: StoredAsset): ReadonlyArray<Row>
  }
>()("@carteiro/runtime/media/asset/AssetRepo") {
  static readonly layer = Layer.effect(
    AssetRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const walkOf = <Row extends { readonly id: string }>(
        columns: string,
        environmentId: string,
        { kind, lifecycle, source, status }: AssetFilters,
        now: number,
        before: string | undefined,
        count: number
      ) => {
        const stands = sql`(case when ends_at <= ${instant(now)} and not (status = 'ready' and held_by is not null)
          then 'expired' else status end)`
        const along = [sql`environment_id = ${environmentId}`, sql`id < ${before ?? "~"}`]
        const isDefault = status === undefined && lifecycle === undefined && kind === undefined && source === undefined
        const standing = status === undefined ? sql`status <> 'deleted'` : sql`${stands} = ${status}`
        const narrowed = isDefault ? [] : [standing]
        if (isDefault) along.push(standing)
        if (lifecycle !== undefined) narrowed.push(sql`lifecycle = ${lifecycle}`)
        if (kind !== undefined) narrowed.push(sql`kind = ${kind}`)
        if (source !== undefined) narrowed.push(sql`source = ${source}`)
        return walk<Row>(sql, {
          table: "media_assets",
          along,
          narrowed,
          page: (conditions) =>
            sql`select ${sql.literal(columns)} from media_assets where ${sql.and(conditions)}
              order by id desc limit ${count}`
        })
      }
      return AssetRepo.of({
        find: (environmentId, id) =>
          one(
            sql<StoredAsset>`select ${sql.literal(assetColumns.list)} from media_assets
              where environment_id = ${environmentId} and id = ${id}`
          ),
        ofTranscription: (environmentId, id) =>
          Effect.map(
            one(sql<{ readonly asset_id: string }>`select asset_id from media_transcriptions
              where environment_id = ${environmentId} and id = ${id}`),
            (found) => found?.asset_id
          ),
        findAll: (environmentId, ids) =>
          many(
            sql.unsafe<StoredAsset>(
              `select ${assetColumns.of("m")} from unnest($2::text[]) as k(id) cross join lateral (
                select * from media_assets m where m.environment_id = $1 and m.id = k.id limit 1) m`,
              [environmentId, arrayParameter("text", ids)]
            )
          ),
        list: (environmentId, filters, now, before, count) =>
          walkOf<StoredAsset>(assetColumns.list, environmentId, filters, now, before, count),
        lines: (environmentId, filters, now, before, count) =>
          walkOf<AssetLineRow>(assetLineColumns.list, environmentId, filters, now, before, count),
        named: (blobKeys) =>
          many(
            sql.unsafe<{ readonly blob_key: string }>(
              `select k.key as blob_key from unnest($1::text[]) as k(key)
                where exists (select 1 from media_assets m where m.blob_key = k.key)`,
              [arrayParameter("text", blobKeys)]
            ),
            ({ blob_key }) => blob_key
          ),
        usage: (environmentId) =>
          Effect.map(
            one(sql<StorageUsage>`select used_bytes, limit_bytes from media_usage
              where environment_id = ${environmentId}`),
            (usage) => usage ?? { used_bytes: 0, limit_bytes: null }
          ),
        insert: (asset) => [insertAsset.row(asset), countBytes.row(countOf(asset, asset.counted_bytes))],
        save: (before, after) => {
          const row = saveAsset.row({ ...after, from_revision: before.revision })
          const more = after.counted_bytes - before.counted_bytes
          return more === 0 ? [row] : [row, countBytes.row(countOf(after, more))]
        }
      })
    })
  )
}

const moved = [
  "provider_media_id",
  "mime_type",
  "byte_length",
  "status",
  "sha256",
  "contradicted",
  "blob_key",
  "counted_bytes",
  "body_until",
  "held_by",
  "sender_name",
  "customer_type",
  "customer_key",
  "expires_at",
  "completed_at",
  "consumed_at",
  "consumed_by_message_id",
  "deleted_at",
  "failure_code",
  "failure_message",
  "ends_at",
  "revision",
  "updated_at"
] as const
const assetTarget = rowOf("media_assets", "id")

const insertAsset = insertInto(mediaAssetsTable, {
  columns: [
    "environment_id",
    "id",
    ...moved,
    "environment",
    "source",
    "provider",
    "kind",
    "lifecycle",
    "filename",
    "message_id",
    "voice",
    "upload_expires_at",
    "trace_id",
    "created_at"
  ],
  conflict: { on: ["environment_id", "id"] },
  returning: "id",
  target: assetTarget
})

const saveAsset = updateOf(mediaAssetsTable, {
  name: "media_assets.save",
  set: moved,
  beside: { from_revision: "int4" },
  guard: "t.revision = r.from_revision",
  returning: "t.id",
  target: assetTarget
})

const countOf = ({ environment, environment_id }: StoredAsset, more: number) => ({
  environment_id,
  environment,
  more,
  standard_limit: standardLimit[environment]
})

/** Changes the storage that an environment uses; an increase needs free room. */
const countBytes = defineWrite({
  name: "media_usage.count",
  columns: { environment_id: "text", environment: "text", more: "int8", standard_limit: "int8" },
  target: rowOf("media_usage", "environment_id"),
  guard: (asked) => `select a.unit from ${asked} a
    left join lateral (select u.used_bytes, u.limit_bytes from media_usage u
      where u.environment_id = a.environment_id order by u.environment_id for update of u) u on true
    where a.more <= 0 or coalesce(u.used_bytes, 0) + a.more <= coalesce(u.limit_bytes, a.standard_limit)`,
  sql: (source) => `insert into media_usage as u (environment_id, environment, used_bytes)
    select r.environment_id, r.environment, greatest(r.more, 0) from ${source} r order by r.environment_id
    on conflict (environment_id) do update set used_bytes = greatest(0, u.used_bytes + (
      select r.more from ${source} r where r.environment_id = excluded.environment_id))`
})

/** Returns the row of a new asset that counts no bytes yet. */
export const insertOf = (asset: StoredAsset): Row => insertAsset.row(asset)
