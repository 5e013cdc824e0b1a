import type { Subject } from "@carteiro/owners/Subject.ts"
import type { EventData } from "@carteiro/schema/conventions/Event.ts"
import type { MessageReceived } from "@carteiro/schema/messages/MessageEvents.ts"
import type { Channel } from "@carteiro/schema/messages/Vocabulary.ts"

/** What a message.received tells, as far as it is known before the file is there. */
export type HeldEvent = Omit<EventData<typeof MessageReceived>, "content">

/** Where the bytes of an inbound file come from. */
export type CaptureFrom =
  /** The provider that brought the message. */
  | { readonly _tag: "Provider"; readonly provider_media_id: string }
  /** A simulation: bytes that this program has. */
  | { readonly _tag: "BuiltIn" }
  /** A simulation: the bytes of another asset of the environment. */
  | { readonly _tag: "Asset"; readonly asset_id: string }

/** What a capture is about. M-INB-19, M-MED-33..35 */
export interface CaptureMedia {
  readonly from: CaptureFrom
  readonly channel: Channel
  readonly business_id: string
  /** The event that waits for the file; null while nothing may be told of content. */
  readonly event: HeldEvent | null
  readonly subject: Subject | null
}
