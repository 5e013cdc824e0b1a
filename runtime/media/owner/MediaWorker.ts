import { defineWorker, queued } from "@carteiro/owners/Worker.ts"
import { Effect } from "effect"
import { mediaOwner } from "../job/MediaJob.ts"
import { makeMediaQueues } from "./MediaQueue.ts"

/** The owner of one environment's media jobs: it fetches, prepares, renders and transcribes files. */
export const MediaWorker = defineWorker(mediaOwner)

/** Hosts the workers of media. */
export const mediaOwners = MediaWorker.toLayer(Effect.map(makeMediaQueues, queued))
