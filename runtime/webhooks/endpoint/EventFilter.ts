import { webhookTestEvent } from "@carteiro/schema/webhooks/EventCatalog.ts"

/** The members of a query that name event types. */
export interface TypeQuery {
  readonly event_type?: string | undefined
  readonly event_types?: ReadonlyArray<string> | undefined
}

/**
 * Returns the union of both members; `undefined` when none is given and all types are requested. gaps-1 K "event_type
 * and event_types together"
 */
export const wantedTypes = (query: TypeQuery): ReadonlyArray<string> | undefined => {
  const given = [...(query.event_type === undefined ? [] : [query.event_type]), ...(query.event_types ?? [])]
  return given.length === 0 ? undefined : [...new Set(given)]
}

/** Returns the events without duplicates, in their first order. gaps-1 J "subscribed_events values" */
export const collapse = <T extends string>(events: ReadonlyArray<T>): ReadonlyArray<T> => [...new Set(events)]

/**
 * Returns the types that a listen read shows: the requested ones and, with an endpoint, only subscribed ones.
 * `undefined` means every type except the probe's, which no stream shows. A-WHT-05, A-LSN-09, A-LSN-11
 */
export const listenTypes = (
  wanted: ReadonlyArray<string> | undefined,
  subscribed: ReadonlyArray<string> | undefined
): ReadonlyArray<string> | undefined => {
  const types = wanted === undefined ? subscribed : wanted.filter((type) => subscribed?.includes(type) ?? true)
  return types?.filter((type) => type !== webhookTestEvent)
}

/** True when an event of this type passes such a filter. */
export const shows = (types: ReadonlyArray<string> | undefined, type: string): boolean =>
  type !== webhookTestEvent && (types === undefined || types.includes(type))
