import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { Data } from "effect"
import type { Retries } from "../job/MediaJob.ts"

/** A file cannot be sent; with `retries` the job is retried first, at least `afterMs` later. */
export class NotReady extends Data.TaggedError("NotReady")<{
  readonly code: DeliveryCode
  readonly retries: Retries | null
  readonly afterMs: number | null
}> {}

/** Returns a failure that is not retried. */
export const notReady = (code: DeliveryCode) => new NotReady({ code, retries: null, afterMs: null })
