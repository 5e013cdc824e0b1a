import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { pageBytes } from "@carteiro/tables/PageSql.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { EventRenderers } from "./EventRenderers.ts"
import {
  type Envelope,
  type EnvelopeText,
  isEnvelope,
  readSealed,
  readUnrendered,
  type Unrendered
} from "./EventText.ts"

/** An event as it is stored; `id` is the outbox event's. */
export interface StoredEvent {
  readonly environment_id: string
  readonly id: string
  readonly envelope: string
}

/** Returns the value to which an encrypted event is bound, so that it decrypts for its own row only. */
export const eventBinding = (environment_id: string, id: string): string => `${environment_id}/${id}`

/**
 * Makes the text that a receiver gets from the stored event: decrypted when it is encrypted, rendered when its
 * declaration says so.
 */
export class EventBodies extends Context.Service<
  EventBodies,
  {
    /** Returns the text of each event as it is now, in their order; undefined for an event without content left. */
    readonly read: (events: ReadonlyArray<StoredEvent>) => Effect.Effect<ReadonlyArray<EnvelopeText | undefined>>
    /**
     * Returns the texts of the first events: as many as fill a page, and at least one event with content left. A stored
     * event may be short although its text is long.
     */
    readonly readPage: (events: ReadonlyArray<StoredEvent>) => Effect.Effect<ReadonlyArray<EnvelopeText | undefined>>
    /** Returns the text of one event as it is now. */
    readonly readOne: (event: StoredEvent) => Effect.Effect<EnvelopeText | undefined>
  }
>()("@carteiro/runtime/outbox/EventBodies") {
  static readonly layer = Layer.effect(
    EventBodies,
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const renderers = new Map((yield* EventRenderers).map((renderer) => [renderer.type, renderer]))

      const opened = ({ environment_id, envelope, id }: StoredEvent): string => {
        const sealed = readSealed(envelope)
        if (sealed === undefined) return envelope
        const text = secrets.open("event", sealed, eventBinding(environment_id, id))
        if (text === undefined) throw new Error(`the event ${id} does not open`)
        return text
      }

      const render = Effect.fnUntraced(function* (type: string, asked: ReadonlyArray<UnrenderedEvent>) {
        const renderer = renderers.get(type)
        if (renderer === undefined) return yield* Effect.die(new Error(`no room renders ${type}`))
        const data = yield* renderer.render(
          asked.map(({ environment_id, unrendered }) => ({
            environment_id,
            source_id: unrendered.source_id,
            kept: unrendered.envelope.data
          }))
        )
        return asked.map(({ at, unrendered }, n) => {
          const shown = data[n]
          return {
            at,
            text: shown === undefined ? undefined : jsonText<Envelope>({ ...unrendered.envelope, data: shown })
          }
        })
      })

      const read = Effect.fnUntraced(function* (events: ReadonlyArray<StoredEvent>) {
        const texts: Array<EnvelopeText | undefined> = []
        const asked = new Map<string, Array<UnrenderedEvent>>()
        for (const [at, event] of events.entries()) {
          const text = opened(event)
          const unrendered = readUnrendered(text)
          texts.push(isEnvelope(text) ? text : undefined)
          if (unrendered === undefined) continue
          const { type } = unrendered.envelope
          const same = asked.get(type) ?? []
          asked.set(type, same)
          same.push({ at, environment_id: event.environment_id, unrendered })
        }
        const rendered = yield* Effect.forEach(asked, ([type, some]) => render(type, some), { concurrency: 4 })
        for (const { at, text } of rendered.flat()) texts[at] = text
        return texts
      })

      const readAll = (events: ReadonlyArray<StoredEvent>) =>
        events.every(isPlainEvent) ? Effect.succeed(events.map(({ envelope }) => envelope)) : read(events)

      return EventBodies.of({
        read: readAll,
        readPage: Effect.fnUntraced(function* (events) {
          const texts: Array<EnvelopeText | undefined> = []
          let bytes = 0
          let count = firstRead
          while (texts.length < events.length && bytes <= pageBytes) {
            for (const text of yield* readAll(events.slice(texts.length, texts.length + count))) {
              texts.push(text)
              bytes += text?.length ?? 0
            }
            // The estimate assumes that further texts are as long as those before.
            count = Math.max(1, Math.ceil(((pageBytes - bytes) * texts.length) / Math.max(1, bytes)))
          }
          return texts
        }),
        readOne: (event) =>
          isPlainEvent(event) ? Effect.succeed(event.envelope) : Effect.map(read([event]), ([text]) => text)
      })
    })
  )
}

/** True for an event that is sent as it is stored. */
const isPlainEvent = (event: StoredEvent): event is StoredEvent & { readonly envelope: EnvelopeText } =>
  isEnvelope(event.envelope)

/** The number of events that are read before their length is known. */
const firstRead = 4

interface UnrenderedEvent {
  readonly at: number
  readonly environment_id: string
  readonly unrendered: Unrendered
}
