import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { Effect, Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
import { AssetRepo } from "./asset/AssetRepo.ts"
import { Blobs } from "./blob/Blobs.ts"
import { erasers } from "./job/MediaErasureRepo.ts"
import { MediaHandleRepo } from "./job/MediaHandleRepo.ts"
import { jobsOfTenant, MediaJobRepo } from "./job/MediaJobRepo.ts"
import { jobs } from "./job/MediaUpkeepRepo.ts"
import { MediaWorker, mediaOwners } from "./owner/MediaWorker.ts"
import { SpeechCredentials } from "./speech/SpeechCredentials.ts"
import { TranscriptionRepo } from "./speech/TranscriptionRepo.ts"
import { Transcriptions } from "./speech/Transcriptions.ts"
import { MediaHttp } from "./upload/MediaHttp.ts"
import { MediaLookupsHttp } from "./upload/MediaLookupsHttp.ts"
import { MediaUploads } from "./upload/MediaUploads.ts"
import { FileDescriptors } from "./use/InboundFiles.ts"
import { inlineFilesLayer } from "./use/InlineFilesLayer.ts"
import { MediaHashes } from "./use/MediaHashes.ts"
import { SendFiles } from "./use/SendFiles.ts"

const repos = Layer.mergeAll(
  AssetRepo.layer,
  TranscriptionRepo.layer,
  SpeechCredentials.layer,
  MediaJobRepo.layer,
  MediaHandleRepo.layer,
  Blobs.layer
)

/** Lets this node wake media owners that run on other nodes. */
const waking = Layer.effectDiscard(MediaWorker.client)

/** Returns the environments whose media owners have due jobs. */
const dueEnvironments: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(MediaJobRepo, (repo) => repo.dueEnvironments(now, after, limit)),
    MediaJobRepo.layer
  )

const services = Layer.mergeAll(
  SendFiles.layer,
  MediaHashes.layer,
  FileDescriptors.layer,
  SpeechCredentials.layer
).pipe(Layer.provide(Layer.merge(AssetRepo.layer, MediaJobRepo.layer)))

/** The media room: files that an environment sends, and files that its customers send. */
export const room = defineRoom({
  name: "media",
  services,
  actions: inlineFilesLayer.pipe(Layer.provide(repos)),
  routes: Layer.mergeAll(MediaHttp, MediaLookupsHttp, waking).pipe(
    Layer.provide(Layer.mergeAll(MediaUploads.layer, Transcriptions.layer)),
    Layer.provide(repos)
  ),
  owners: mediaOwners.pipe(Layer.provide(repos)),
  due: [Effect.succeed({ type: MediaWorker.name, due: dueEnvironments, ofTenant: jobsOfTenant })],
  jobs,
  erasers
})

/** The application watches the store that it builds from its settings. */
export { watchedStore } from "./blob/WatchedStore.ts"
