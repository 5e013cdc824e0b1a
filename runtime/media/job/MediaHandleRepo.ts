import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { one } from "@carteiro/tables/Read.ts"
import { insertInto, rowOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mediaHandlesTable } from "./MediaJobTables.ts"
import type { SendMedia } from "./SendMedia.ts"

/** How long a provider's file id is used again, in milliseconds: shorter than the provider keeps the file. */
export const handleMs = 25 * dayMs

/** A library file in the provider account of one sender. */
export interface MediaHandle extends Pick<SendMedia, "channel" | "business_id"> {
  readonly environment_id: string
  readonly asset_id: string
}

/** The ids that providers gave to uploaded files, by asset and sender. */
export class MediaHandleRepo extends Context.Service<
  MediaHandleRepo,
  {
    /**
     * Returns the provider's id from an upload less than `handleMs` before `now`; undefined when the file must be
     * uploaded again.
     */
    find(handle: MediaHandle, now: number): Effect.Effect<string | undefined>
  }
>()("@carteiro/runtime/media/job/MediaHandleRepo") {
  static readonly layer = Layer.effect(
    MediaHandleRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      MediaHandleRepo.of({
        find: ({ asset_id, business_id, channel, environment_id }, now) =>
          Effect.map(
            one(sql<{ readonly provider_media_id: string }>`select provider_media_id from media_handles
              where environment_id = ${environment_id} and asset_id = ${asset_id} and channel = ${channel}
                and business_id = ${business_id} and given_at > ${instant(now - handleMs)}`),
            (row) => row?.provider_media_id
          )
      })
    )
  )
}

const insertHandle = insertInto(mediaHandlesTable, {
  columns: ["environment_id", "asset_id", "channel", "business_id", "provider_media_id", "given_at"],
  conflict: {
    on: ["environment_id", "asset_id", "channel", "business_id"],
    update: ["provider_media_id", "given_at"]
  },
  target: rowOf("media_handles", "environment_id", "asset_id", "channel", "business_id")
})

/** Returns the row that records a file's id at the provider; `at` in epoch milliseconds. */
export const rememberHandle = (handle: MediaHandle, provider_media_id: string, at: number): Row =>
  insertHandle.row({
    environment_id: handle.environment_id,
    asset_id: handle.asset_id,
    channel: handle.channel,
    business_id: handle.business_id,
    provider_media_id,
    given_at: at
  })
