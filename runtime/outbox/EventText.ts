import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"

/** What an envelope says beside its id; instants are epoch milliseconds. */
export interface EnvelopeFacts {
  readonly type: string
  readonly at: number
  readonly occurred_at?: number
  readonly environment: EnvironmentKind
  readonly trace_id: string
  readonly data: unknown
}

/**
 * The envelope's text, serialized once and stored: its UTF-8 bytes are what every attempt, preview and resend sends. It
 * holds neither a NUL nor an unpaired surrogate, so a text column keeps it whole. A-SIG-01..06, gaps-1 K "Raw body and timestamp"
 */
export const envelopeText = (id: string, event: EnvelopeFacts): string =>
  JSON.stringify({
    id,
    type: event.type,
    created_at: formatTimestamp(event.at),
    ...(event.occurred_at === undefined ? {} : { occurred_at: formatTimestamp(event.occurred_at) }),
    environment: event.environment,
    trace_id: event.trace_id,
    data: event.data
  })

/** An envelope as it was parsed. */
export type Envelope = Readonly<Record<string, unknown>> & { readonly type: string; readonly data: unknown }

/** What is kept of an event whose data is rendered at each attempt: what it is about, and the envelope as far as it goes. */
export interface Unrendered {
  readonly source_id: string
  /** Its `data` is what the declaration keeps. */
  readonly envelope: Envelope
}

/** Text of an event rendered at each attempt, told apart from an envelope by how it begins. */
export const unrenderedText = (source_id: string, envelope: string): string =>
  `[${JSON.stringify(source_id)},${envelope}]`

/** Reads that text; undefined for an envelope. */
export const readUnrendered = (text: string): Unrendered | undefined => {
  if (!text.startsWith("[")) return undefined
  const [source_id, envelope] = JSON.parse(text) as [string, Envelope]
  return { source_id, envelope }
}

const sealedPrefix = "sealed:"

/** Text of a sealed event. */
export const sealedText = (sealed: Uint8Array): string => sealedPrefix + Buffer.from(sealed).toString("base64url")

/** The sealed bytes; undefined for text that is not sealed. */
export const readSealed = (text: string): Uint8Array | undefined =>
  text.startsWith(sealedPrefix) ? Buffer.from(text.slice(sealedPrefix.length), "base64url") : undefined

/** Whether text is sent as it is stored, as almost all of it is. */
export const isEnvelope = (text: string): boolean => text.startsWith("{")
