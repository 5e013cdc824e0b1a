import type { Subject } from "@carteiro/owners/Subject.ts"
import type { EventData } from "@carteiro/schema/conventions/Event.ts"
import type { MessageReceived } from "@carteiro/schema/messages/MessageEvents.ts"
import type { Channel } from "@carteiro/schema/messages/Vocabulary.ts"

/** The data of a `message.received` event that are known before the file is stored. */
export type HeldEvent = Omit<EventData<typeof MessageReceived>, "content">

/** The origin of an inbound file's bytes. */
export type CaptureFrom =
  /** The provider that delivered the message. */
  | { readonly _tag: "Provider"; readonly provider_media_id: string }
  /** A simulation: bytes that are part of this program. */
  | { readonly _tag: "BuiltIn" }
  /** A simulation: the bytes of another asset of the environment. */
  | { readonly _tag: "Asset"; readonly asset_id: string }

/** The input of a capture. M-INB-19, M-MED-33..35 */
export interface CaptureMedia {
  /** The message that brought the file, once its event is raised; none when it was held back. U-MED-02 */
  readonly message_id?: string | undefined
  /** True once the asset is failed and its event is raised, while the file may still come. U-MED-02 */
  readonly isLate?: boolean
  readonly from: CaptureFrom
  readonly channel: Channel
  readonly business_id: string
  /** The event that waits for the file; null when no event may carry the content. */
  readonly event: HeldEvent | null
  /** The text under the file; absent for kinds that have none, and in jobs of older releases. U-MED-01 */
  readonly caption?: string | null | undefined
  readonly subject: Subject | null
}
