import type { Subject } from "@carteiro/owners/Subject.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { type ConsumedAsset, consumeAsset, holdAsset, releaseAsset } from "../asset/AssetHolds.ts"
import { standardRetentionDays } from "../asset/AssetState.ts"
import type { MediaJob } from "../job/MediaJob.ts"
import { beginJob, MediaJobRepo } from "../job/MediaJobRepo.ts"
import type { PreparedMedia, SendMedia } from "../job/SendMedia.ts"

/** The user of a file: a message, or a batch whose messages share one file. `at` in epoch milliseconds. */
export interface FileUse extends Pick<MediaJob, "environment_id" | "environment" | "trace_id"> {
  /** The id of the message or of the batch. */
  readonly holder: string
  /** The recipient; null for a batch. */
  readonly customer: Subject | null
  readonly at: number
}

/**
 * Returns the rows that are written with the acceptance of a message whose file must be prepared: the job, and the hold
 * on a single_use asset, which the first queued message gets. Wake the owner of the environment's media after the
 * commit. gaps-2 F "Asset states at send"
 */
export const useFile = (
  { at, customer, environment, environment_id, holder, trace_id }: FileUse,
  media: SendMedia
): ReadonlyArray<Row> => {
  const job = beginJob({
    environment_id,
    id: holder,
    kind: "send",
    environment,
    input: jsonText(media),
    due_at: at,
    trace_id,
    created_at: at,
    customer
  })
  const { source } = media
  return "asset_id" in source ? [job, holdAsset(environment_id, source.asset_id, holder, at)] : [job]
}

/**
 * Returns the row that is written with the first acceptance by a provider: it marks a single_use asset as consumed; a
 * library asset does not change. gaps-2 F "Media status transitions"
 */
export const consumeFile = (consumed: Omit<ConsumedAsset, "expires_at">): Row =>
  consumeAsset({ ...consumed, expires_at: consumed.consumed_at + standardRetentionDays * dayMs })

/** Returns the row that is written when a message ends unsent: another message may then use its asset. */
export const releaseFile = releaseAsset

/** The results of preparing the files of messages. */
export class SendFiles extends Context.Service<
  SendFiles,
  {
    /** Returns the results by holder; a holder whose file is not ready yet is left out. */
    prepared(environmentId: string, holders: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, PreparedMedia>>
  }
>()("@carteiro/runtime/media/use/SendFiles") {
  static readonly layer = Layer.effect(
    SendFiles,
    Effect.map(MediaJobRepo, (repo) =>
      SendFiles.of({
        prepared: (environmentId, holders) =>
          holders.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                repo.results<"send">(environmentId, [...new Set(holders)]),
                (found) =>
                  new Map(found.flatMap(({ id, result }) => (result === null ? [] : [[id, readJson(result)] as const])))
              )
      })
    )
  ).pipe(Layer.provide(MediaJobRepo.layer))
}
