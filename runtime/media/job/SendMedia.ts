import { createHash } from "node:crypto"
import type { ChatRefusal } from "@carteiro/provider/ChatProvider.ts"
import type { SpeechVendor } from "@carteiro/provider/SpeechProvider.ts"
import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import type { Channel } from "@carteiro/schema/messages/Vocabulary.ts"

/** The source of a message's file; a provider's own file id needs no preparation and is not included. */
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

/** The input of a job that prepares the file of a message. */
export interface SendMedia {
  readonly source: SendSource
  readonly kind: MediaKind
  readonly voice: boolean
  readonly filename: string | null
  /** The sender, whose provider account receives the file. */
  readonly channel: Channel
  readonly business_id: string
  /** The SHA-256 on which acceptance was decided; left out when acceptance did not depend on the content. M-DLV-12 */
  readonly expected_sha256?: string | undefined
}

/** The result of preparing a file. */
export type PreparedMedia =
  | {
      readonly _tag: "Ready"
      /** The provider's id of the file; null in a sandbox, and when no account connects the sender. */
      readonly provider_media_id: string | null
      readonly asset_id: string | null
      readonly mime_type: string | null
      readonly filename: string | null
      readonly sha256: string
      readonly byte_length: number | null
    }
  /** The delivery code of the message. M-DLV-07, M-DLV-08, M-DLV-11..13, M-DLV-24 */
  | {
      readonly _tag: "Failed"
      readonly code: DeliveryCode
      /** The platform's refusal of the file; a job of an earlier release has none. U-SND-10 */
      readonly provider_error?: ChatRefusal | undefined
    }

/** The content that must be known before the decision on a marketing message. gaps-2 C "Verified media hash" */
export type LookedAt =
  /** The kind limits how much is read; a job of an earlier release has none. */
  { readonly link: string; readonly kind?: MediaKind } | { readonly id: string }

/** Returns the id of the job that reads the content, one for all messages of the environment. */
export const lookId = (looked: LookedAt): string =>
  `look_${sha256Of("link" in looked ? `link ${looked.kind} ${looked.link}` : `id ${looked.id}`)}`

/** Returns the hash that represents the content in a sandbox, which fetches nothing. gaps-2 F "Link fetch safety" */
export const sandboxHash = (looked: LookedAt): string => sha256Of("link" in looked ? looked.link : looked.id)

const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The input of a job that reads the content. */
export interface LookInput {
  readonly of: LookedAt
  readonly channel: Channel
  readonly business_id: string
}

/** The content's hash; null when the content could not be read. */
export interface LookResult {
  readonly sha256: string | null
}
