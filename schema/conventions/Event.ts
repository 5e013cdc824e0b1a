import { Schema } from "effect"
import { EnvironmentKind } from "./Access.ts"
import { id, TraceId } from "./Ids.ts"
import type { SecretMember } from "./SecretMembers.ts"
import { Timestamp } from "./Timestamp.ts"

/** The kinds of resource that an event may be about. gaps-1 K "source_type values" */
export type EventSource =
  | "message"
  | "flow"
  | "payment_request"
  | "group"
  | "template"
  | "upstream_signup_session"
  | "webhook_test"

/** A declared event, which outbox, catalog, API description and tests all use. Events, "Envelope" */
export interface EventDefinition<
  Type extends string,
  Data extends Schema.Top,
  Kept extends Schema.Top = Data,
  Timed extends boolean = false
> {
  readonly type: Type
  readonly source_type: EventSource
  /** One sentence for readers of the API description. */
  readonly description: string
  /** The `data` of a delivery. */
  readonly data: Data
  /** The part that the outbox stores with the change; equal to `data` unless the event is rendered at each attempt. */
  readonly kept: Kept
  /**
   * `with change`: the bytes are made once, with the change. `at attempt`: the room that declared the event renders its
   * `data` for each attempt or read. gaps-1 K "Raw body and timestamp"
   */
  readonly rendered: "with change" | "at attempt"
  /** True when the envelope carries `occurred_at`, the business time. A-SIG-04 */
  readonly timed: Timed
  /**
   * Members of `data` that only the receiver may see: the event is stored encrypted, and pages and logs show a mask.
   * gaps-3 B "Invite link secrecy"
   */
  readonly secrets: ReadonlyArray<SecretMember>
  /**
   * True when the event is stored encrypted: it has secrets, or an address that gives access to anyone who knows it.
   */
  readonly sealed: boolean
}

/** Any declared event. */
export type AnyEvent = EventDefinition<string, Schema.Top, Schema.Top, boolean>

/** The `data` of a delivery of the event. */
export type EventData<E extends AnyEvent> = E extends AnyEvent ? E["data"]["Type"] : never

/** The part of `data` that is written with the change. */
export type KeptData<E extends AnyEvent> = E extends AnyEvent ? E["kept"]["Type"] : never

/** Declares an event whose bytes are made with the change. */
export const defineEvent = <
  const Type extends string,
  Data extends Schema.Struct<Schema.Struct.Fields>,
  const Timed extends boolean = false
>(
  type: Type,
  data: Data,
  options: {
    readonly source_type: EventSource
    readonly description: string
    readonly timed?: Timed
    readonly secrets?: ReadonlyArray<keyof Data["fields"] & SecretMember>
    readonly sealed?: boolean
  }
): EventDefinition<Type, Data, Data, Timed> => ({
  type,
  source_type: options.source_type,
  description: options.description,
  data: named(type, data),
  kept: data,
  rendered: "with change",
  timed: (options.timed ?? false) as Timed,
  secrets: options.secrets ?? [],
  sealed: options.sealed ?? options.secrets !== undefined
})

/** Declares an event whose `data` is rendered for each attempt, from the part stored with the change. */
export const defineRenderedEvent = <
  const Type extends string,
  Data extends Schema.Struct<Schema.Struct.Fields>,
  Kept extends Schema.Struct<Schema.Struct.Fields>
>(
  type: Type,
  data: Data,
  options: {
    readonly source_type: EventSource
    readonly description: string
    readonly kept: Kept
    readonly secrets?: ReadonlyArray<keyof Data["fields"] & SecretMember>
    readonly sealed?: boolean
  }
): EventDefinition<Type, Data, Kept> => ({
  type,
  source_type: options.source_type,
  description: options.description,
  data: named(type, data),
  kept: options.kept,
  rendered: "at attempt",
  timed: false,
  secrets: options.secrets ?? [],
  sealed: options.sealed ?? options.secrets !== undefined
})

/** Returns the types of a list of events, in its order. */
export const typesOf = <const Events extends ReadonlyArray<AnyEvent>>(events: Events) =>
  events.map(({ type }) => type) as unknown as { readonly [I in keyof Events]: Events[I]["type"] }

/** Returns the name of an event's schema: `message.sent` gives `MessageSent`, and its data `MessageSentData`. */
export const eventName = (type: string): string =>
  type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The envelope of every delivery; `data` is the event's own. Events, "Envelope" */
export const envelopeOf = (event: AnyEvent) =>
  Schema.Struct({
    id: id("evt").annotate({
      description: "Id of the event, equal in every attempt and for every endpoint: deduplicate by it."
    }),
    type: Schema.Literal(event.type),
    created_at: Timestamp.annotate({ description: "Time at which the event was created." }),
    ...(event.timed ? { occurred_at: Timestamp.annotate({ description: "Time at which the change happened." }) } : {}),
    environment: EnvironmentKind,
    trace_id: TraceId,
    data: event.data
  }).annotate({ identifier: `${eventName(event.type)}Event`, description: event.description })

const named = <Data extends Schema.Struct<Schema.Struct.Fields>>(type: string, data: Data): Data =>
  data.annotate({ identifier: `${eventName(type)}Data`, description: `Data of a ${type} event.` }) as Data
