import type { ChatRefusal } from "@carteiro/provider/ChatProvider.ts"
import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Data, Effect } from "effect"
import type { MediaJob, MediaJobKind, Retries } from "../job/MediaJob.ts"

/** The result of one run of a job. */
export interface JobOutcome {
  /** Rows that are written in one commit; the job's own row is among them. */
  readonly rows: ReadonlyArray<Row>
  /** When the job is due again, in epoch milliseconds; undefined once it is done. */
  readonly due_at: number | undefined
  /** Effects after the rows were written, and after a concurrent change kept them from being written. */
  readonly written: Effect.Effect<void>
  readonly refused: Effect.Effect<void>
}

/** Runs one job as far as it goes now; every external failure is part of the outcome. */
export type RunJob<K extends MediaJobKind> = (job: MediaJob<K>) => Effect.Effect<JobOutcome>

/** Returns an outcome that only writes rows. */
export const outcome = (
  rows: ReadonlyArray<Row>,
  due_at?: number,
  then: { readonly written?: Effect.Effect<void>; readonly refused?: Effect.Effect<void> } = {}
): JobOutcome => ({
  rows,
  due_at,
  written: then.written ?? Effect.void,
  refused: then.refused ?? Effect.void
})

/** A file cannot be sent; with `retries` the job is retried first, at least `afterMs` later. */
export class NotReady extends Data.TaggedError("NotReady")<{
  readonly code: DeliveryCode
  readonly retries: Retries | null
  readonly afterMs: number | null
  /** The platform's refusal, when it gave one. */
  readonly provider_error?: ChatRefusal | undefined
}> {}

/** Returns a failure that is not retried. */
export const notReady = (code: DeliveryCode, provider_error?: ChatRefusal) =>
  new NotReady({ code, retries: null, afterMs: null, provider_error })
