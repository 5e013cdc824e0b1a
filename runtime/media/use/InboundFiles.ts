import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import type { MediaDescriptor } from "@carteiro/schema/messages/InboundContent.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { describeAsset } from "../asset/AssetRead.ts"
import { AssetRepo, insertOf } from "../asset/AssetRepo.ts"
import { captured } from "../asset/AssetState.ts"
import type { CaptureMedia } from "../job/CaptureMedia.ts"
import { beginJob } from "../job/MediaJobRepo.ts"

/** An inbound file as its message describes it. */
export interface InboundFile {
  readonly environment_id: string
  readonly environment: EnvironmentKind
  /** Stable from the capture on, also when the bytes cannot be fetched. M-INB-21 */
  readonly asset_id: string
  readonly message_id: string
  readonly provider: string
  readonly provider_media_id: string | null
  readonly kind: MediaKind
  /** Null when the provider does not tell. M-INB-05 */
  readonly voice: boolean | null
  readonly mime_type: string | null
  /** The announced length; null when the provider does not tell. */
  readonly byte_length: number | null
  readonly filename: string | null
  readonly sender_name: string | null
  readonly trace_id: string
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * Returns the rows that are written with the capture of a message that brings a file: the asset, and the job that
 * fetches it and then raises the message's event. Wake the owner of the environment's media after the commit. M-INB-19
 */
export const captureFile = (file: InboundFile, capture: CaptureMedia): ReadonlyArray<Row> => {
  const { asset_id, at, byte_length, mime_type, ...rest } = file
  const asset = captured(
    {
      ...rest,
      id: asset_id,
      mime_type: mime_type ?? "application/octet-stream",
      byte_length: byte_length ?? 0,
      customer_type: capture.subject?.type ?? null,
      customer_key: capture.subject?.key ?? null
    },
    at
  )
  const { environment, environment_id, trace_id } = file
  const job = beginJob({
    environment_id,
    id: asset_id,
    kind: "capture",
    environment,
    input: jsonText(capture),
    due_at: at,
    trace_id,
    created_at: at,
    customer: capture.subject
  })
  return [insertOf(asset), job]
}

/** Describes files in their current state, so retention and erasure show in every message. M-INB-08 */
export class FileDescriptors extends Context.Service<
  FileDescriptors,
  {
    /** Returns the descriptors by asset id. */
    describe(
      environmentId: string,
      assetIds: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, MediaDescriptor>>
  }
>()("@carteiro/runtime/media/use/FileDescriptors") {
  static readonly layer = Layer.effect(
    FileDescriptors,
    Effect.map(AssetRepo, (repo) =>
      FileDescriptors.of({
        describe: Effect.fnUntraced(function* (environmentId, assetIds) {
          if (assetIds.length === 0) return new Map()
          const now = yield* Clock.currentTimeMillis
          const assets = yield* repo.findAll(environmentId, assetIds)
          return new Map(assets.map((asset) => [asset.id, describeAsset(asset, now)]))
        })
      })
    )
  ).pipe(Layer.provide(AssetRepo.layer))
}
