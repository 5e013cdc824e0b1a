import { instant } from "@carteiro/tables/Parameters.ts"
import { one } from "@carteiro/tables/Read.ts"
import { defineInsert, rowOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SendMedia } from "./SendMedia.ts"

/** How long a file that the provider has is sent again under its id, in milliseconds: less than the provider keeps it. */
export const handleMs = 25 * 24 * 60 * 60_000

/** A file of the library as one sender's account has it. */
export interface MediaHandle extends Pick<SendMedia, "channel" | "business_id"> {
  readonly environment_id: string
  readonly asset_id: string
}

/** Provider's ids of files that it was given, by asset and sender. */
export class MediaHandleRepo extends Context.Service<
  MediaHandleRepo,
  {
    /** The id it was given under since `handleMs` before `now`; undefined when it has to be given. */
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

const insertHandle = defineInsert({
  table: "media_handles",
  columns: {
    environment_id: "text",
    asset_id: "text",
    channel: "text",
    business_id: "text",
    provider_media_id: "text",
    given_at: "timestamptz"
  },
  conflict: {
    on: ["environment_id", "asset_id", "channel", "business_id"],
    update: ["provider_media_id", "given_at"]
  },
  target: rowOf("media_handles", "environment_id", "asset_id", "channel", "business_id")
})

/** The provider was given the file; `at` in epoch milliseconds. */
export const rememberHandle = (handle: MediaHandle, provider_media_id: string, at: number): Row =>
  insertHandle.row({
    environment_id: handle.environment_id,
    asset_id: handle.asset_id,
    channel: handle.channel,
    business_id: handle.business_id,
    provider_media_id,
    given_at: at
  })
