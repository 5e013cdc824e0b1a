import type { PageRow } from "@carteiro/http-edge/Paging.ts"
import { Effect } from "effect"
import type { EventBodies } from "../../outbox/EventBodies.ts"

/** The columns of a row that its envelope is read from. */
interface SealedRow {
  readonly environment_id: string
  /** The outbox event's id. */
  readonly event_id: string
  readonly envelope: string | null
}

/** Returns log rows with each envelope as a delivery made now would carry it; null without content left. */
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

/** Returns the rows of a page with their envelopes; rows beyond its bytes stay as stored, and are marked so. */
export const openPage = <Row extends SealedRow>(
  bodies: EventBodies["Service"],
  rows: ReadonlyArray<Row & PageRow>
): Effect.Effect<ReadonlyArray<Row & PageRow>> => {
  const stored = rows.flatMap((row, at) => {
    const { environment_id, envelope, event_id } = row
    return envelope === null ? [] : [{ at, event: { environment_id, id: event_id, envelope } }]
  })
  return Effect.map(bodies.readPage(stored.map(({ event }) => event)), (texts) => {
    const opened = new Map(texts.map((text, n) => [stored[n]?.at, text ?? null]))
    const behind = stored[texts.length]?.at ?? rows.length
    return rows.map((row, at) =>
      at >= behind ? { ...row, page_bytes: Number.POSITIVE_INFINITY } : { ...row, envelope: opened.get(at) ?? null }
    )
  })
}
