import type { Subject } from "@carteiro/owners/Subject.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, type Effect } from "effect"

/** Somebody whose data is erased from one environment. */
export interface ErasedSubject {
  readonly environment_id: string
  readonly subject: Subject
  /** The id of the record that was erased. */
  readonly id: string
  /** What rows about the subject carry, under every master key; never empty. */
  readonly hashes: readonly [string, ...ReadonlyArray<string>]
  /** Epoch milliseconds: what the subject did or was sent since is not erased. */
  readonly erased_at: number
}

/**
 * How a room erases what its tables hold of one subject. Every room that keeps anything of customers declares one in its
 * record. gaps-2 I "Erasure"
 */
export interface Eraser {
  /** Rows that stand or fall with the erasure: of what was to go out, nothing does any more. */
  readonly rows?: (erased: ErasedSubject) => Effect.Effect<ReadonlyArray<Row>>
  /**
   * Clears everything else, in small transactions, within the hour. Called at least twice, minutes apart, so that what was
   * under way at the first call is met by the second: it finds what is left, whatever it did before.
   */
  readonly clear?: (erased: ErasedSubject) => Effect.Effect<void>
  /** A stored response, parsed, with what it shows of the subject null; the same value when it shows nothing. */
  readonly redact?: (body: unknown, erased: ErasedSubject) => unknown
}

/** The erasers of all rooms, and the platform's own. */
export const Erasers = Context.Reference<ReadonlyArray<Eraser>>("@carteiro/runtime/erasure/Erasers", {
  defaultValue: () => []
})
