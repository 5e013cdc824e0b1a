import type { Effect, Scope, Stream } from "effect"

/** A file of a message: known to the provider already, or bytes that are uploaded first. */
export type ChatFile =
  | { readonly _tag: "Handle"; readonly id: string; readonly filename: string | null }
  | {
      readonly _tag: "Bytes"
      readonly mime_type: string
      readonly filename: string | null
      readonly byte_length: number
      /**
       * Opened when an upload begins, and again when the platform refused the proof of its secret. A failing stream ends
       * the attempt before the message is posted.
       */
      readonly open: Effect.Effect<Stream.Stream<Uint8Array, unknown>, never, Scope.Scope>
    }

export type ChatMediaKind = "image" | "document" | "audio" | "video" | "sticker"

/** One value of a template; `name` is null for POSITIONAL values, which keep their order. */
export interface ChatTemplateValue {
  readonly name: string | null
  readonly text: string
}

/** A file above a text, with the name that a document shows. */
export interface ChatHeaderFile {
  readonly kind: "image" | "video" | "document"
  readonly file: ChatFile
  readonly filename: string | null
}

/** The value of a template's button, by its index from 0. U-SND-04 */
export type ChatTemplateButton = { readonly index: number } & (
  | { readonly type: "url"; readonly text: string }
  | { readonly type: "quick_reply"; readonly payload: string }
  | { readonly type: "copy_code"; readonly coupon_code: string }
  | { readonly type: "flow"; readonly flow_token: string }
)

/** A template with its values, as its approved version takes them. */
export interface ChatTemplate {
  readonly name: string
  readonly language: string
  readonly header:
    | { readonly type: "text"; readonly values: ReadonlyArray<ChatTemplateValue> }
    | ({ readonly type: "media" } & ChatHeaderFile)
    | null
  readonly body: ReadonlyArray<ChatTemplateValue>
  readonly buttons: ReadonlyArray<ChatTemplateButton>
}

/** A location to show on a map. U-SND-06 */
interface ChatLocation {
  readonly latitude: number
  readonly longitude: number
  readonly name?: string
  readonly address?: string
}

/** A card of an address book. U-SND-06 */
export interface ChatCard {
  readonly name: string
  readonly phones?: ReadonlyArray<string>
  readonly emails?: ReadonlyArray<string>
  readonly organization?: string
}

/** The content of a message, ready for a provider: the product's references are resolved. M-MSG-18 */
export type ChatContent =
  | { readonly type: "text"; readonly body: string; readonly preview_url: boolean }
  | { readonly type: "template"; readonly template: ChatTemplate }
  | {
      readonly type: "media"
      readonly kind: ChatMediaKind
      readonly file: ChatFile
      readonly caption: string | null
      readonly filename: string | null
      /** True for a voice note. */
      readonly voice: boolean
    }
  /** Content to tap, in the contract's spelling; `header` is the file that its header names. U-SND-06 */
  | {
      readonly type: "interactive"
      readonly interactive: Readonly<Record<string, unknown>>
      readonly header?: ChatHeaderFile
    }
  /** In the contract's spelling. U-SND-06 */
  | { readonly type: "location"; readonly location: ChatLocation }
  | { readonly type: "contacts"; readonly contacts: ReadonlyArray<ChatCard> }
  /** `action` in the contract's spelling; `flow_id` is the provider's. */
  | {
      readonly type: "flow"
      readonly body: string
      readonly parameters: Readonly<Record<string, unknown>>
    }
  /** `provider_message_id` names the target of the reaction; an empty emoji removes the reaction. */
  | { readonly type: "reaction"; readonly provider_message_id: string; readonly emoji: string }
