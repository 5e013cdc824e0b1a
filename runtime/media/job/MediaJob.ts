import type { Subject } from "@carteiro/owners/Subject.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import type { CaptureMedia } from "./CaptureMedia.ts"
import type { LookInput, LookResult, PreparedMedia, SendMedia } from "./SendMedia.ts"

/** The name of the owner type, whose id is the environment's. */
export const mediaOwner = "Media"

/**
 * The kinds of work that the `Media` owner of an environment does. `capture` fetches an inbound file, `send` prepares
 * the file of a message for the provider, `look` determines the content of a link or of a provider's file, `transcribe`
 * has speech transcribed, `discard` removes bytes that an asset no longer has, `sweep` removes bytes that no row names.
 */
export type MediaJobKind = "capture" | "send" | "look" | "transcribe" | "discard" | "sweep"

/** The input of a transcription job. */
export interface TranscriptionInput {
  readonly asset_id: string
  readonly language: string | null
  /** The vendor's id of the transcription, once the vendor has the recording. */
  readonly vendor_id: string | null
}

/** The input of a discard job. */
export interface DiscardInput {
  readonly blob_key: string
}

/** An input without fields; a job that is done keeps no input. */
export type Empty = Readonly<Record<string, never>>

/** The input of each kind of job. */
export interface JobInputs {
  readonly capture: CaptureMedia
  readonly send: SendMedia
  readonly look: LookInput
  readonly transcribe: TranscriptionInput
  readonly discard: DiscardInput
  readonly sweep: Empty
}

/** The results that other rooms look up; jobs of other kinds have none. */
export interface JobResults {
  readonly send: PreparedMedia
  readonly look: LookResult
}

/** A job as stored in its row; instants are epoch milliseconds. */
export interface MediaJob<K extends MediaJobKind = MediaJobKind> {
  readonly environment_id: string
  /** The id of its subject: a message, an asset, a transcription or a link. */
  readonly id: string
  readonly kind: K
  readonly environment: EnvironmentKind
  readonly input: JsonText<JobInputs[K]>
  readonly attempts: number
  readonly due_at: number
  readonly trace_id: string
  readonly created_at: number
  /** The customer whose file it is, for erasure; null when it belongs to no single customer. */
  readonly customer_type: string | null
  readonly customer_key: string | null
}

/** A job as a room requests it; without `customer` it belongs to no single customer. */
export type NewJob<K extends MediaJobKind = MediaJobKind> = Omit<
  MediaJob<K>,
  "attempts" | "customer_type" | "customer_key"
> & {
  readonly customer?: Subject | null
}

/** Delays before the attempts of a capture, in milliseconds. gaps-2 E "Inbound media retries" */
const captureDelays = [0, 5000, 15_000, 60_000, 300_000]
/** How long a file that could not be fetched at first is tried, from its message on, in milliseconds. U-MED-02 */
const lateMs = 7 * 24 * 3_600_000
const firstLateDelay = 600_000
const lastLateDelay = 3_600_000

/**
 * Returns when a file is tried again after the attempts of its capture: 10, 20 and 40 minutes later, then each hour;
 * undefined once seven days are over. U-MED-02
 */
export const lateRetryAt = ({ attempts, created_at }: Pick<MediaJob, "attempts" | "created_at">, now: number) => {
  const late = Math.min(4, Math.max(0, attempts + 1 - captureDelays.length))
  const at = now + Math.min(lastLateDelay, firstLateDelay * 2 ** late)
  return at <= created_at + lateMs ? at : undefined
}

/**
 * Delays before the attempts of each step of a send, in milliseconds: the first attempt and three retries. gaps-2 F
 * "Link fetch safety"
 */
const sendDelays = [0, 1000, 5000, 15_000]
/** Delays before the attempts of rendering speech. gaps-2 F "TTS" */
const speechDelays = [0, 2000, 10_000]

/** The schedule of retries. */
export type Retries = "capture" | "send" | "speech"

const delays: { readonly [R in Retries]: ReadonlyArray<number> } = {
  capture: captureDelays,
  send: sendDelays,
  speech: speechDelays
}

/**
 * Returns when a failed attempt is retried; undefined after the last one. `attempts` counts the attempts before the
 * failed one.
 */
export const retryAt = (
  retries: Retries,
  attempts: number,
  now: number,
  afterMs: number | null = null
): number | undefined => {
  const delay = delays[retries][attempts + 1]
  return delay === undefined ? undefined : now + Math.max(delay, Math.min(afterMs ?? 0, 300_000))
}
