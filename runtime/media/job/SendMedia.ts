import { createHash } from "node:crypto"
import type { SpeechVendor } from "@carteiro/provider/SpeechProvider.ts"
import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import type { Channel } from "@carteiro/schema/messages/Vocabulary.ts"

/** Where the file of a message comes from; a provider's own handle needs nothing and is not here. */
export type SendSource =
  | { readonly asset_id: string }
  | { readonly link: string }
  | {
      readonly tts: {
        readonly provider: SpeechVendor
        readonly text: string
        readonly voice: string
        readonly language: string
      }
    }

/** What is to be made ready for a message to leave. */
export interface SendMedia {
  readonly source: SendSource
  readonly kind: MediaKind
  readonly voice: boolean
  readonly filename: string | null
  /** Whose provider account the file goes to. */
  readonly channel: Channel
  readonly business_id: string
  /** The content that acceptance was judged by; left out where it was judged by none. M-DLV-12 */
  readonly expected_sha256?: string | undefined
}

/** What came of it. */
export type PreparedMedia =
  | {
      readonly _tag: "Ready"
      /** The provider's handle; null where nothing leaves, and where nobody carries the sender's messages. */
      readonly provider_media_id: string | null
      readonly asset_id: string | null
      readonly mime_type: string | null
      readonly filename: string | null
      readonly sha256: string
      readonly byte_length: number | null
    }
  /** The delivery code of the message. M-DLV-07, M-DLV-08, M-DLV-11..13, M-DLV-24 */
  | { readonly _tag: "Failed"; readonly code: DeliveryCode }

/** Content that must be known before a marketing message is judged. gaps-2 C "Verified media hash" */
export type LookedAt =
  /** The kind bounds how much is read; a job of an earlier release has none. */
  { readonly link: string; readonly kind?: MediaKind } | { readonly id: string }

/** The id of the job that looks at it, one for all messages of the environment. */
export const lookId = (looked: LookedAt): string =>
  `look_${sha256Of("link" in looked ? `link ${looked.kind} ${looked.link}` : `id ${looked.id}`)}`

/** What stands for the content in a sandbox, where nothing is fetched. gaps-2 F "Link fetch safety" */
export const sandboxHash = (looked: LookedAt): string => sha256Of("link" in looked ? looked.link : looked.id)

const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex")

/** What a job that looks is about. */
export interface LookInput {
  readonly of: LookedAt
  readonly channel: Channel
  readonly business_id: string
}

/** What it found; null when it could not be had. */
export interface LookResult {
  readonly sha256: string | null
}
