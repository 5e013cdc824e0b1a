import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { type JsonText, jsonCodec, jsonText } from "@carteiro/tables/StoredJson.ts"

/** The members of an envelope besides its id; instants are epoch milliseconds. */
export interface EnvelopeFacts {
  readonly type: string
  readonly at: number
  readonly occurred_at?: number
  readonly environment: EnvironmentKind
  readonly trace_id: string
  readonly data: unknown
}

/**
 * Returns the envelope's text, serialized once and stored: every attempt, preview and resend sends its UTF-8 bytes. It
 * holds neither a NUL nor an unpaired surrogate, so a text column stores it unchanged. A-SIG-01..06, gaps-1 K "Raw body
 * and timestamp"
 */
export const envelopeText = (id: string, event: EnvelopeFacts): EnvelopeText =>
  jsonText<Envelope>({
    id,
    type: event.type,
    created_at: formatTimestamp(event.at),
    ...(event.occurred_at === undefined ? {} : { occurred_at: formatTimestamp(event.occurred_at) }),
    environment: event.environment,
    trace_id: event.trace_id,
    data: event.data
  })

/** A parsed envelope. */
export type Envelope = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly type: string
  readonly data: unknown
}

/** The text of an envelope, as its receiver gets it. */
export type EnvelopeText = JsonText<Envelope>

/**
 * The stored part of an event whose data is rendered at each attempt: its subject, and the envelope without the
 * rendered data.
 */
export interface Unrendered {
  readonly source_id: string
  /** Its `data` is the stored part by the declaration. */
  readonly envelope: Envelope
}

/**
 * Returns the stored text of an event that is rendered at each attempt; its beginning distinguishes it from an
 * envelope.
 */
export const unrenderedText = (source_id: string, envelope: EnvelopeText): string =>
  `[${JSON.stringify(source_id)},${envelope}]`

const unrenderedJson = jsonCodec<readonly [source_id: string, envelope: Envelope]>()

/** Reads that text; undefined for an envelope. */
export const readUnrendered = (text: string): Unrendered | undefined => {
  if (!text.startsWith("[")) return undefined
  const [source_id, envelope] = unrenderedJson.read(text)
  return { source_id, envelope }
}

const sealedPrefix = "sealed:"

/** Returns the stored text of an encrypted event. */
export const sealedText = (sealed: Uint8Array): string => sealedPrefix + Buffer.from(sealed).toString("base64url")

/** Returns the encrypted bytes; undefined for text that is not encrypted. */
export const readSealed = (text: string): Uint8Array | undefined =>
  text.startsWith(sealedPrefix) ? Buffer.from(text.slice(sealedPrefix.length), "base64url") : undefined

/** True for text that is sent as stored, as almost all events are. */
export const isEnvelope = (text: string): text is EnvelopeText => text.startsWith("{")
