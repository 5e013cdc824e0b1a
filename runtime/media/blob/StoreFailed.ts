import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"

/** Refuses a request whose store operation failed. The reason goes to the log, for operators. */
export const storeFailed = (): Effect.Effect<never, ServiceUnavailable> =>
  Effect.fail(
    new ServiceUnavailable({
      retry_after_ms: 30_000,
      message: "The file store cannot do this now; nothing was kept. Try again after the stated delay."
    })
  )
