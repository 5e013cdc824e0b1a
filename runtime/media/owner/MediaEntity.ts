import { defineWorker, queued } from "@carteiro/owners/Worker.ts"
import { Effect } from "effect"
import { mediaOwner } from "../job/MediaJob.ts"
import { makeMediaQueues } from "./MediaQueue.ts"

/** The media of one environment: whatever is fetched, made ready, rendered or written down. Architecture, section 2 */
export const MediaEntity = defineWorker(mediaOwner)

/** Hosts the workers of media. */
export const mediaOwners = MediaEntity.toLayer(Effect.map(makeMediaQueues, queued))
