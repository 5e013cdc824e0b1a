import { Commit } from "@carteiro/owners/Commit.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Channel } from "@carteiro/schema/messages/Vocabulary.ts"
import { jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { AssetRepo } from "../asset/AssetRepo.ts"
import type { StoredAsset } from "../asset/AssetState.ts"
import { MediaJobRepo, repeatJob } from "../job/MediaJobRepo.ts"
import { type LookedAt, lookId, sandboxHash } from "../job/SendMedia.ts"

/** The file whose content hash is requested. */
export type HashedFile = LookedAt | { readonly asset_id: string }

/**
 * How long the content of a link or of a provider's file counts as known, in milliseconds. gaps-2 C "Verified media
 * hash"
 */
const knownMs = dayMs

/** Returns verified content hashes of files. M-GRD-23, gaps-2 C "Verified media hash" */
export class MediaHashes extends Context.Service<
  MediaHashes,
  {
    /**
     * Returns the SHA-256 of the bytes in hex, in the order of the files; undefined for a file that was not read in the
     * last day. A worker then reads it, so that a later call finds the hash.
     */
    verified(
      sender: {
        readonly environment_id: string
        readonly environment: EnvironmentKind
        readonly channel: Channel
        readonly business_id: string
        readonly trace_id: string
      },
      files: ReadonlyArray<HashedFile>
    ): Effect.Effect<ReadonlyArray<string | undefined>>
  }
>()("@carteiro/runtime/media/use/MediaHashes") {
  static readonly layer = Layer.effect(
    MediaHashes,
    Effect.gen(function* () {
      const assets = yield* AssetRepo
      const jobs = yield* MediaJobRepo
      const commit = yield* Commit

      return MediaHashes.of({
        verified: Effect.fnUntraced(function* (sender, files) {
          const { business_id, channel, environment, environment_id, trace_id } = sender
          const now = yield* Clock.currentTimeMillis
          const assetIds = files.flatMap((file) => ("asset_id" in file ? [file.asset_id] : []))
          const found = assetIds.length === 0 ? [] : yield* assets.findAll(environment_id, assetIds)
          const hashes = new Map(found.map((asset) => [asset.id, verifiedHash(asset)]))
          const looked = files.flatMap((file) => ("asset_id" in file ? [] : [file]))
          if (environment === "production" && looked.length > 0) {
            const known = new Map(
              (yield* jobs.results<"look">(environment_id, looked.map(lookId))).map((job) => [job.id, job] as const)
            )
            const due = looked.filter((file) => {
              const job = known.get(lookId(file))
              return job === undefined || (job.done_at !== null && job.done_at <= now - knownMs)
            })
            for (const [id, { result }] of known) {
              if (result !== null) hashes.set(id, readJson(result).sha256 ?? undefined)
            }
            for (const file of due) hashes.delete(lookId(file))
            const rows = [...new Map(due.map((file) => [lookId(file), file] as const))].map(([id, of]) =>
              repeatJob({
                environment_id,
                id,
                kind: "look",
                environment,
                input: jsonText({ of, channel, business_id }),
                due_at: now,
                trace_id,
                created_at: now
              })
            )
            // The sweeper wakes their owner; the caller asks again later anyway.
            if (rows.length > 0) yield* Effect.ignore(commit.write(rows))
          }
          return files.map((file) => {
            if ("asset_id" in file) return hashes.get(file.asset_id)
            return environment === "sandbox" ? sandboxHash(file) : hashes.get(lookId(file))
          })
        })
      })
    })
  ).pipe(Layer.provide([AssetRepo.layer, MediaJobRepo.layer]))
}

// Bytes can be replaced until their upload is complete, and refused bytes are deleted.
const verifiedHash = ({ sha256, status }: StoredAsset): string | undefined =>
  status === "pending" || status === "failed" ? undefined : (sha256 ?? undefined)
