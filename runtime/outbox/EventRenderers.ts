import type { AnyEvent, EventData, KeptData } from "@carteiro/schema/conventions/Event.ts"
import { Context, type Effect } from "effect"

/** One event to render: its subject, and the data that were stored with the change. */
export interface RenderedEvent<Kept> {
  readonly environment_id: string
  readonly source_id: string
  readonly kept: Kept
}

/** Makes the present data of events of one type, in their order; undefined for an event without content left. */
export interface EventRenderer {
  readonly type: string
  readonly render: (events: ReadonlyArray<RenderedEvent<unknown>>) => Effect.Effect<ReadonlyArray<unknown>>
}

/**
 * Returns a room's renderer of an event that it declared to be rendered at each attempt. gaps-1 K "Raw body and
 * timestamp"
 */
export const defineRenderer = <E extends AnyEvent>(
  declared: E,
  render: (events: ReadonlyArray<RenderedEvent<KeptData<E>>>) => Effect.Effect<ReadonlyArray<EventData<E> | undefined>>
): EventRenderer => ({
  type: declared.type,
  // The outbox accepts only the data that this declaration stores.
  render: (events) => render(events as ReadonlyArray<RenderedEvent<KeptData<E>>>)
})

/** The renderers of all rooms. */
export const EventRenderers = Context.Reference<ReadonlyArray<EventRenderer>>(
  "@carteiro/runtime/outbox/EventRenderers",
  { defaultValue: () => [] }
)
