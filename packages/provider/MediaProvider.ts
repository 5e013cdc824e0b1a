import { Context, Effect, type Scope, type Stream } from "effect"
import type { ChatFile } from "./ChatContent.ts"
import type { ChatCall, ChatSender } from "./ChatProvider.ts"

/** A file as the provider describes it before its bytes are fetched. */
export interface ProviderFile {
  readonly mime_type: string
  /** Lower-case hex, if the provider returns it. */
  readonly sha256: string | null
  readonly byte_length: number
  /** Opens the bytes; the stream fails when the connection is lost or more bytes come than announced. */
  readonly open: Effect.Effect<ChatCall<Stream.Stream<Uint8Array, unknown>>, never, Scope.Scope>
}

/** Port to the files of one sender's account. */
export interface MediaProvider {
  readonly find: (provider_media_id: string) => Effect.Effect<ChatCall<ProviderFile>>
  /** Uploads a file; its id can be used in sends of this sender. */
  readonly upload: (
    file: Extract<ChatFile, { readonly _tag: "Bytes" }>
  ) => Effect.Effect<ChatCall<{ readonly provider_media_id: string }>>
}

/**
 * Returns the provider of a sender's files; undefined when the sender is not connected. gaps-2 E "Choice of connection"
 */
export const ConnectedMedia = Context.Reference<(sender: ChatSender) => Effect.Effect<MediaProvider | undefined>>(
  "@carteiro/provider/ConnectedMedia",
  { defaultValue: () => () => Effect.succeed(undefined) }
)
