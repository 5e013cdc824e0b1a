import { BoundedMap } from "@carteiro/owners/BoundedMap.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { type Subject, subjectHash } from "@carteiro/owners/Subject.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { AnyEvent, KeptData } from "@carteiro/schema/conventions/Event.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { insertInto } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { eventBinding } from "./EventBodies.ts"
import { type EnvelopeFacts, envelopeText, sealedText, unrenderedText } from "./EventText.ts"
import { outboxEventsTable } from "./OutboxTables.ts"

/**
 * A new event of a declaration, written in the commit of the change that caused it; `data` is the part that the
 * declaration stores with the change.
 */
export type OutboxEvent<E extends AnyEvent> = {
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly source_id: string
  /**
   * The customer whose data the event shows, by which an erasure finds it; null when it shows no customer's data.
   * gaps-2 I "Erasure"
   */
  readonly subject: Subject | null
  readonly trace_id: string
  /** The fan-out time, epoch milliseconds. A-SIG-03 */
  readonly at: number
  readonly data: KeptData<E>
} & BusinessTime<E>

/** The time of the change, epoch milliseconds, for events that are declared with it. A-SIG-04 */
type BusinessTime<E extends AnyEvent> = E["timed"] extends true ? { readonly occurred_at: number } : unknown

/** The most customers whose hash a node caches: one message causes several events in quick succession. */
const subjectsRemembered = 4096

/**
 * The write that fan-out follows, see `CommitFollowers`. Ids are minted with the event and a commit is written once, so no
 * conflict is looked for: PostgreSQL would log each row's insert in two records.
 */
export const outboxInsert = insertInto(outboxEventsTable, {
  columns: [
    "environment_id",
    "id",
    "type",
    "source_type",
    "source_id",
    "subject",
    "trace_id",
    "created_at",
    "envelope"
  ],
  returning: "environment_id"
})

/**
 * Makes rows of events. The envelope is serialized here, once, and every delivery, preview and resend sends its bytes;
 * an event declared for it is rendered at each attempt instead, and one with secrets is encrypted.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Returns the row of an event; compiles only for a declared event with the data of its declaration. */
    readonly event: <E extends AnyEvent>(declared: E, event: OutboxEvent<E>) => Row
  }
>()("@carteiro/runtime/outbox/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const ids = yield* Ids
      const secrets = yield* Secrets
      const known = new BoundedMap<string, string>(subjectsRemembered)
      const hashOf = (environmentId: string, subject: Subject): string => {
        const name = `${environmentId} ${subject.type} ${subject.key}`
        const found = known.get(name)
        if (found !== undefined) return found
        const hash = subjectHash(secrets, environmentId, subject)
        known.set(name, hash)
        return hash
      }
      return Outbox.of({
        event: (declared, event) => {
          const id = ids.mint("evt", event.at)
          const facts: EnvelopeFacts = { ...event, type: declared.type }
          const whole = envelopeText(id, facts)
          const text = declared.rendered === "with change" ? whole : unrenderedText(event.source_id, whole)
          return outboxInsert.row({
            environment_id: event.environment_id,
            id,
            type: declared.type,
            source_type: declared.source_type,
            source_id: event.source_id,
            subject: event.subject === null ? null : hashOf(event.environment_id, event.subject),
            trace_id: event.trace_id,
            created_at: event.at,
            envelope: !declared.sealed
              ? text
              : sealedText(secrets.seal("event", text, eventBinding(event.environment_id, id)))
          })
        }
      })
    })
  )
}
