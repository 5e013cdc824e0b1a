import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import type { MediaJob, MediaJobKind } from "../job/MediaJob.ts"

/** What one run of a job comes to. */
export interface JobOutcome {
  /** Written together, the job's own row among them. */
  readonly rows: ReadonlyArray<Row>
  /** When the job is looked at again; undefined once it is done. */
  readonly due_at: number | undefined
  /** After they were written, and after they were not because something else happened meanwhile. */
  readonly written: Effect.Effect<void>
  readonly refused: Effect.Effect<void>
}

/** Does one job as far as it goes now; whatever goes wrong outside is an outcome. */
export type RunJob<K extends MediaJobKind> = (job: MediaJob<K>) => Effect.Effect<JobOutcome>

/** An outcome of rows alone. */
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
