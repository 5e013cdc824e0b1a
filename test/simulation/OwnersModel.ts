import { Clock, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import { type OwnersRun, page } from "./OwnersRun.ts"
import { day, hour, minute, second } from "./World.ts"

/** What a client of the environment knows: what it asked for and what it was answered. */
export class OwnersModel {
  /** Ids of messages a client was told are accepted. */
  readonly accepted = new Set<string>()
  /** The answer each idempotency key had first in its window, and when. */
  readonly byKey = new Map<string, { readonly text: string; readonly at: number }>()
  /** Endpoints somebody stopped or whose receiver was away. */
  readonly disturbed = new Set<number>()
  readonly out = new Set<string>()
  readonly heardAt = new Map<string, number>()
  /** The reader of the stream: how far it got, and what it saw. */
  position = 0
  readonly seen: Array<string> = []

  /** What one send was answered. */
  sent(
    exit: Exit.Exit<string, { readonly _tag: string }>,
    key: string | undefined,
    expected: string | undefined,
    now: number
  ): void {
    if (Exit.isFailure(exit)) {
      const tag = exit.cause.reasons.map((reason) => (reason._tag === "Fail" ? reason.error._tag : reason._tag)).join()
      assert.strictEqual(tag, expected, "a refusal nobody expected")
      return
    }
    const { id } = JSON.parse(exit.value) as { readonly id: string }
    const first = key === undefined ? undefined : this.byKey.get(key)
    if (first === undefined) assert.isUndefined(expected, "a send that should have been refused")
    else assert.strictEqual(exit.value, first.text, "one key, two answers")
    if (key !== undefined && first === undefined) this.byKey.set(key, { text: exit.value, at: now })
    this.accepted.add(id)
  }

  /** Whether the key's window is open, and the send is answered what was answered before. A-IDEM-09 */
  replays(key: string | undefined, now: number): boolean | "either" {
    const first = key === undefined ? undefined : this.byKey.get(key)
    if (key === undefined || first === undefined) return false
    if (Math.abs(now - first.at - day) < 30 * second) return "either"
    if (now - first.at > day) this.byKey.delete(key)
    return now - first.at < day
  }

  /** The refusal a send must meet; `undefined` when it is accepted. Edges of a window are left to other tests. */
  refusal(customer: string, now: number): string | undefined | "either" {
    if (this.out.has(customer)) return "contact_opted_out"
    const heardAt = this.heardAt.get(customer)
    if (heardAt !== undefined && Math.abs(now - heardAt - day) < 30 * second) return "either"
    return heardAt === undefined || now - heardAt >= day ? "service_window_required" : undefined
  }
}

/** Reads one page as a client does, from where the last one ended. */
export const readOn = Effect.fnUntraced(function* (run: OwnersRun, model: OwnersModel, limit: number) {
  const found = yield* run.nodes.on(page(run, model.position, limit))
  const positions = found.data.map(({ position }) => position)
  assert.deepStrictEqual(
    positions,
    positions.toSorted((one, other) => one - other),
    "positions in order"
  )
  assert.isTrue(positions.every((position) => position > model.position && position <= found.position))
  model.position = found.position
  model.seen.push(...found.data.map(({ id }) => id))
  return found.has_more
})

interface EventRow {
  readonly id: string
  readonly type: string
  readonly source_id: string
}

/** Lets everything recover and come to its end, then holds what happened against what was promised. */
export const finish = Effect.fnUntraced(function* (run: OwnersRun, model: OwnersModel) {
  const { endpoints, environment, nodes, outside } = run
  outside.recover()
  // The longest anything takes: a day of retries, or of waiting for a lost answer.
  yield* nodes.turn(environment.kind === "sandbox" ? 5 * minute : 34 * hour)
  while (yield* readOn(run, model, 50)) {}
  const rows = yield* nodes.on(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const messages = yield* sql<{
        readonly id: string
        readonly direction: string
        readonly status: string
        readonly due_at: Date | null
      }>`select id, direction, status, due_at from messages where environment_id = ${environment.id}`
      const events = yield* sql<EventRow>`select id, type, source_id from outbox_events
        where environment_id = ${environment.id} order by position`
      const deliveries = yield* sql<{
        readonly event_id: string
        readonly endpoint_id: string
        readonly statuses: ReadonlyArray<string>
        readonly excused: boolean
      }>`select w.event_id, w.endpoint_id, array_agg(a.status order by a.attempt) as statuses,
          bool_or(a.error_message = 'endpoint_disabled' or a.error_message is null and a.status = 'failed') as excused
        from webhook_events w join webhook_attempts a on a.environment_id = w.environment_id
          and a.webhook_event_id = w.id
        where w.environment_id = ${environment.id} group by w.event_id, w.endpoint_id`
      return { messages, events, deliveries, at: yield* Clock.currentTimeMillis }
    }).pipe(Effect.orDie)
  )
  const outbound = rows.messages.filter(({ direction }) => direction === "outbound")
  const stored = new Set(outbound.map(({ id }) => id))
  for (const id of model.accepted) assert.isTrue(stored.has(id), `${id} was accepted and is gone`)
  for (const { due_at, id, status } of outbound) {
    assert.include(["sent", "delivered", "read", "failed"], status, id)
    assert.isNull(due_at, `${id} is ${status} and due`)
  }
  for (const [id, times] of outside.sent) assert.isAtMost(times, 1, `${id} reached the provider more than once`)
  const said = rows.events.map(({ source_id, type }) => `${source_id} ${type}`)
  assert.strictEqual(new Set(said).size, said.length, "an event was raised twice")
  for (const { id, status } of rows.messages) {
    assert.include(said, `${id} message.${status === "received" ? "received" : status}`, "an end nobody was told of")
  }
  assert.deepStrictEqual(
    model.seen,
    rows.events.map(({ id }) => id),
    "the stream, each event once and in order"
  )
  const arrived = new Set(outside.arrivals.filter(({ ok }) => ok).map(({ event_id, url }) => `${url} ${event_id}`))
  for (const { endpoint_id, event_id, excused, statuses } of rows.deliveries) {
    const url = endpoints.find(({ id }) => id === endpoint_id)?.url
    const about = `${event_id} to ${url}: ${statuses.join()}`
    assert.notInclude(statuses, "pending", about)
    if (statuses.includes("succeeded")) assert.isTrue(arrived.has(`${url} ${event_id}`), `never arrived: ${about}`)
    else assert.isTrue(excused || statuses.length >= (environment.kind === "sandbox" ? 3 : 8), `given up: ${about}`)
  }
  endpoints.forEach(({ url }, nth) => {
    if (model.disturbed.has(nth)) return
    for (const { id } of rows.events) assert.isTrue(arrived.has(`${url} ${id}`), `${id} never came to ${url}`)
  })
})
