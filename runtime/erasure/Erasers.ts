import type { Subject } from "@carteiro/owners/Subject.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, type Effect } from "effect"

/** The person whose data is erased from one environment. */
export interface ErasedSubject {
  readonly environment_id: string
  readonly subject: Subject
  /** The id of the record that was erased. */
  readonly id: string
  /** The hashes in rows about the subject, under every master key; never empty. */
  readonly hashes: readonly [string, ...ReadonlyArray<string>]
  /** Epoch milliseconds: data about the subject from after this instant is not erased. */
  readonly erased_at: number
}

/** One person's rows, which move from one key of a customer on the chat app to another. Decision 0135 */
export interface MovedCustomer {
  readonly environment_id: string
  readonly from: string
  readonly to: string
  /** `+digits` of the customer; empty while only the platform's id is known. */
  readonly phone: string
}

/**
 * A room's erasure of one subject from its tables. Every room that stores data of customers declares one in its record.
 * gaps-2 I "Erasure"
 */
export interface Eraser {
  /** Returns rows for the commit of the erasure: they cancel everything that was about to be sent. */
  readonly rows?: (erased: ErasedSubject) => Effect.Effect<ReadonlyArray<Row>>
  /**
   * Erases everything else, in small transactions, within the hour. Called at least twice, minutes apart, so that the
   * second call erases rows that were in use during the first; each call handles the rows that remain.
   */
  readonly clear?: (erased: ErasedSubject) => Effect.Effect<void>
  /**
   * Returns a stored, parsed response with the subject's members null; the same value when it shows nothing of the
   * subject.
   */
  readonly redact?: (body: unknown, erased: ErasedSubject) => unknown
  /**
   * Moves everything that is kept under one key to another, in small transactions; where both have a row, one row says
   * what both said. Called twice, as `clear` is.
   */
  readonly move?: (customer: MovedCustomer) => Effect.Effect<void>
}

/** The erasers of all rooms, and the platform's own. */
export const Erasers = Context.Reference<ReadonlyArray<Eraser>>("@carteiro/runtime/erasure/Erasers", {
  defaultValue: () => []
})
