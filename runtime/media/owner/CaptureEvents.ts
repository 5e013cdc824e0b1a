import { MessageMediaStored } from "@carteiro/schema/media/MediaEvents.ts"
import { MessageReceived } from "@carteiro/schema/messages/MessageEvents.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { Outbox } from "../../outbox/Outbox.ts"
import { describeAsset, withCaption } from "../asset/AssetRead.ts"
import type { StoredAsset } from "../asset/AssetState.ts"
import type { CaptureMedia } from "../job/CaptureMedia.ts"
import type { MediaJob } from "../job/MediaJob.ts"

const common = (job: MediaJob, { subject }: CaptureMedia, at: number) => ({
  environment_id: job.environment_id,
  environment: job.environment,
  subject,
  trace_id: job.trace_id,
  at
})

/** Returns the event that waited for the file, with the file's current state; none when it was raised or held back. */
export const receivedEvent = (
  outbox: Outbox["Service"],
  job: MediaJob,
  input: CaptureMedia,
  asset: StoredAsset,
  at: number
): ReadonlyArray<Row> => {
  const { caption, event } = input
  if (event === null) return []
  const data = { ...event, content: { type: "media" as const, media: withCaption(describeAsset(asset, at), caption) } }
  return [outbox.event(MessageReceived, { ...common(job, input, at), source_id: event.message_id, data })]
}

/** Returns the event of a file that came late; none when its message was held back. U-MED-02 */
export const storedEvent = (
  outbox: Outbox["Service"],
  job: MediaJob,
  input: CaptureMedia,
  asset: StoredAsset,
  at: number
): ReadonlyArray<Row> => {
  const { caption, message_id } = input
  if (message_id === undefined) return []
  const data = { message_id, media: withCaption(describeAsset(asset, at), caption) }
  return [outbox.event(MessageMediaStored, { ...common(job, input, at), source_id: message_id, data })]
}
