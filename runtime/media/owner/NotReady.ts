import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { Data } from "effect"
import type { Retries } from "../job/MediaJob.ts"

/** A file cannot leave; with `retries` it is tried again first, at least `afterMs` later. */
export class NotReady extends Data.TaggedError("NotReady")<{
  readonly code: DeliveryCode
  readonly retries: Retries | null
  readonly afterMs: number | null
}> {}

/** It cannot leave, and trying again changes nothing. */
export const notReady = (code: DeliveryCode) => new NotReady({ code, retries: null, afterMs: null })
