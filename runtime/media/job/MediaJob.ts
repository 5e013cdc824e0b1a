import type { Subject } from "@carteiro/owners/Subject.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import type { CaptureMedia } from "./CaptureMedia.ts"
import type { LookInput, LookResult, PreparedMedia, SendMedia } from "./SendMedia.ts"

/** The name of the owner type, whose id is the environment's. Architecture, section 2 */
export const mediaOwner = "Media"

/**
 * What the Media owner of an environment does. `capture` fetches an inbound file, `send` makes the file of a message ready
 * to leave, `look` finds out what a link or a provider's file holds, `transcribe` has speech written down, `discard`
 * removes bytes that an asset no longer has, `sweep` those that nothing names.
 */
export type MediaJobKind = "capture" | "send" | "look" | "transcribe" | "discard" | "sweep"

/** What a job of a transcription is about. */
export interface TranscriptionInput {
  readonly asset_id: string
  readonly language: string | null
  /** The vendor's id of it, once it has the recording. */
  readonly vendor_id: string | null
}

/** What a job that discards is about. */
export interface DiscardInput {
  readonly blob_key: string
}

/** Nothing is known of it, or nothing is left of it. */
export type Empty = Readonly<Record<string, never>>

/** What a job of each kind is about. */
export interface JobInputs {
  readonly capture: CaptureMedia
  readonly send: SendMedia
  readonly look: LookInput
  readonly transcribe: TranscriptionInput
  readonly discard: DiscardInput
  readonly sweep: Empty
}

/** The results that others look up; a job of another kind has none. */
export interface JobResults {
  readonly send: PreparedMedia
  readonly look: LookResult
}

/** A job as its row holds it; instants are epoch milliseconds. */
export interface MediaJob<K extends MediaJobKind = MediaJobKind> {
  readonly environment_id: string
  /** Of what it is about: message, asset, transcription or link. */
  readonly id: string
  readonly kind: K
  readonly environment: EnvironmentKind
  readonly input: JsonText<JobInputs[K]>
  readonly attempts: number
  readonly due_at: number
  readonly trace_id: string
  readonly created_at: number
  /** The customer whose file it is, by whom erasure finds it; null for nobody in particular. */
  readonly customer_type: string | null
  readonly customer_key: string | null
}

/** A job as whoever needs it asks for it; about nobody in particular when no customer is named. */
export type NewJob<K extends MediaJobKind = MediaJobKind> = Omit<
  MediaJob<K>,
  "attempts" | "customer_type" | "customer_key"
> & {
  readonly customer?: Subject | null
}

/** Delays before the attempts of a capture, in milliseconds. gaps-2 E "Inbound media retries" */
const captureDelays = [0, 5000, 15_000, 60_000, 300_000]
/** Delays before the attempts of whatever a send needs: the first and three more. gaps-2 F "Link fetch safety" */
const sendDelays = [0, 1000, 5000, 15_000]
/** Delays before the attempts of rendering speech. gaps-2 F "TTS" */
const speechDelays = [0, 2000, 10_000]

/** What is tried again, by how often. */
export type Retries = "capture" | "send" | "speech"

const delays: { readonly [R in Retries]: ReadonlyArray<number> } = {
  capture: captureDelays,
  send: sendDelays,
  speech: speechDelays
}

/** When an attempt that failed is made again; undefined when it was the last. `attempts` counts those before this one. */
export const retryAt = (
  retries: Retries,
  attempts: number,
  now: number,
  afterMs: number | null = null
): number | undefined => {
  const delay = delays[retries][attempts + 1]
  return delay === undefined ? undefined : now + Math.max(delay, Math.min(afterMs ?? 0, 300_000))
}
