import type { Subject } from "@carteiro/owners/Subject.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { InlineMedia, MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import { Context, type Effect } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"

/** A stored file that came inline with a send; its bytes are an asset of the environment. */
export interface KeptInline {
  readonly asset_id: string
  readonly mime_type: string
  readonly filename: string | null
  readonly sha256: string
}

/** Stores files that come inline with a send, so that message rows never hold bytes. gaps-2 B "Media source shapes" */
export class InlineFiles extends Context.Service<
  InlineFiles,
  {
    /** Stores the bytes as a single_use asset that the message to a customer holds. gaps-2 C "Verified media hash" */
    keep(
      call: ApiCall<"environment_id" | "environment">,
      message_id: string,
      customer: Subject | null,
      kind: MediaKind,
      inline: InlineMedia
    ): Effect.Effect<KeptInline, ApiError>
    /** Removes the file of a refused send; an asset that cannot be removed now expires by itself. */
    drop(environmentId: string, assetId: string, now: number): Effect.Effect<void>
  }
>()("@carteiro/runtime/media/use/InlineFiles") {}
