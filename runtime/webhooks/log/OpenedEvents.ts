import { Effect } from "effect"
import type { EventBodies } from "../../platform/outbox/EventBodies.ts"

/** What is needed of a stored row to open its envelope. */
interface SealedRow {
  readonly environment_id: string
  /** The outbox event's id. */
  readonly event_id: string
  readonly envelope: string | null
}

/** Rows of the log with each envelope as a delivery made now would carry it; null where nothing is left to show. */
export const openEvents = <Row extends SealedRow>(
  bodies: EventBodies["Service"],
  rows: ReadonlyArray<Row>
): Effect.Effect<ReadonlyArray<Row>> => {
  const stored = rows.flatMap((row) => {
    const { environment_id, envelope, event_id } = row
    return envelope === null ? [] : [{ row, event: { environment_id, id: event_id, envelope } }]
  })
  return Effect.map(bodies.read(stored.map(({ event }) => event)), (texts) => {
    const opened = new Map(stored.map(({ row }, n) => [row, texts[n] ?? null]))
    return rows.map((row) => (row.envelope === null ? row : { ...row, envelope: opened.get(row) ?? null }))
  })
}
