import { Context, type Effect } from "effect"

/** The place of a request among the reads of its environment. */
export interface StatementSlot {
  /** Completes once the request may query the database; at once when it has done so before. */
  readonly enter: Effect.Effect<void>
}

/**
 * The slot of the request that a fiber works for; undefined for work without a share. A statement shared by many
 * requests has none either.
 */
export const CurrentSlot = Context.Reference<StatementSlot | undefined>("@carteiro/tables/CurrentSlot", {
  defaultValue: () => undefined
})
