import type { BlobStoreFailed } from "@carteiro/provider/BlobStore.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"

/** The refusal of what the store did not do; its reason is for operators. */
export const storeFailed = ({ reason }: BlobStoreFailed): Effect.Effect<never, ServiceUnavailable> =>
  Effect.andThen(
    Effect.logError("the blob store failed", { reason }),
    Effect.fail(
      new ServiceUnavailable({
        retry_after_ms: 30_000,
        message: "The file store cannot do this now; nothing was kept. Try again after the stated delay."
      })
    )
  )
