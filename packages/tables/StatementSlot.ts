import { Context, type Effect } from "effect"

/** The place that a request has among the reads of its environment. */
export interface StatementSlot {
  /** Completes once the request may ask the database; at once when it has done so before. */
  readonly enter: Effect.Effect<void>
}

/**
 * The slot of the request that a fiber works for; undefined for everything that no share is counted for. A statement that
 * the requests of many share has none either.
 */
export const CurrentSlot = Context.Reference<StatementSlot | undefined>("@carteiro/tables/CurrentSlot", {
  defaultValue: () => undefined
})
