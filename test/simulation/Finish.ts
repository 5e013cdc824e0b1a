import type { MessageEventItem } from "@carteiro/schema/messages/Message.ts"
import { Effect } from "effect"
import { assert } from "vitest"
import { History } from "./History.ts"
import { schedules } from "./Node.ts"
import type { OwnersModel } from "./OwnersModel.ts"
import type { OwnersRun } from "./OwnersRun.ts"
import { hour, minute } from "./World.ts"

/** What a schedule came to. */
export interface Tally {
  readonly accepted: number
  readonly trips: number
  readonly sessions: number
  readonly shown: number
}

/** Lets everything recover and come to its end, then holds what is stored against what was promised. */
export const finish = Effect.fnUntraced(function* (run: OwnersRun, model: OwnersModel) {
  const { endpoints, environment, nodes, outside, sql } = run
  outside.recover()
  Object.assign(nodes.trouble, { losses: 0, slowness: 0 })
  yield* nodes.endFormer
  // The longest anything takes: a day of waiting for a lost answer.
  yield* nodes.turn(environment.kind === "sandbox" ? 5 * minute : 25 * hour)
  if (environment.kind === "sandbox") while (yield* model.reads(50)) {}
  yield* model.fine
  const messages = yield* sql<{
    readonly id: string
    readonly direction: string
    readonly status: string
    readonly due_at: number | null
    readonly metadata: string | null
    readonly created_at: number
    readonly error_code: string | null
    readonly events: string | null
  }>`select id, direction, status, due_at, metadata, created_at, error_code, events from messages where environment_id = ${environment.id}`
  const events = yield* sql<{
    readonly id: string
    readonly type: string
    readonly source_id: string
    readonly position: number | null
    readonly created_at: number
  }>`select id, type, source_id, position, created_at
    from outbox_events where environment_id = ${environment.id} order by id`
  const deliveries = yield* sql<{
    readonly id: string
    readonly event_id: string
    readonly endpoint_id: string
    readonly statuses: ReadonlyArray<string>
    readonly cancelled: boolean
  }>`select w.id, w.event_id, w.endpoint_id, array_agg(a.status order by a.attempt) as statuses,
      bool_or(coalesce(a.error_message = 'endpoint_disabled', false)) as cancelled
    from webhook_events w join webhook_attempts a on a.environment_id = w.environment_id
      and a.webhook_event_id = w.id
    where w.environment_id = ${environment.id} group by w.id, w.event_id, w.endpoint_id`
  const history = yield* History.read(sql)
  const attempts = schedules[environment.kind].length
  const outbound = messages.filter(({ direction }) => direction === "outbound")
  model.sends.finished(
    outbound.map(({ created_at, id, metadata }) => ({
      id,
      created_at,
      label: (JSON.parse(metadata ?? "{}") as { readonly ask: string }).ask
    }))
  )
  for (const { due_at, error_code, events: entries, id, status } of outbound) {
    const taken = outside.taken.get(id)
    if (taken !== undefined && !model.sends.moved(taken.from - minute, taken.to + minute)) {
      assert.include(["sent", "delivered", "read"], status, `${id} was taken by the provider, which said so`)
    }
    assert.include(["sent", "delivered", "read", "failed"], status, id)
    assert.isNull(due_at, `${id} is ${status} and due`)
    assert.strictEqual(status === "failed", error_code !== null, `${id} is ${status} for ${error_code}`)
    const instants = (JSON.parse(entries ?? "[]") as ReadonlyArray<MessageEventItem>).map((entry) => entry.occurred_at)
    assert.deepStrictEqual(instants, instants.toSorted(), `${id}: entries out of order`)
  }
  for (const [id, times] of outside.sent) assert.isAtMost(times, 1, `${id} reached the provider more than once`)
  model.listening.finished(events)
  if (environment.kind === "sandbox")
    for (const { id, position } of events) assert.isNotNull(position, `${id} was never read`)
  const said = events.map(({ source_id, type }) => `${source_id} ${type}`)
  assert.strictEqual(new Set(said).size, said.length, "an event was raised twice")
  for (const { id, status } of messages) {
    assert.include(said, `${id} message.${status === "received" ? "received" : status}`, "an end nobody was told of")
  }
  const arrived = new Set(outside.arrivals.filter(({ ok }) => ok).map(({ event_id, url }) => `${url} ${event_id}`))
  for (const { cancelled, endpoint_id, event_id, id, statuses } of deliveries) {
    const url = endpoints.find(({ id }) => id === endpoint_id)?.url
    const about = `${event_id} to ${url}: ${statuses.join()}`
    assert.notInclude(statuses, "pending", about)
    if (statuses.includes("succeeded")) assert.isTrue(arrived.has(`${url} ${event_id}`), `never arrived: ${about}`)
    else assert.isTrue(cancelled || history.stopped.has(id) || statuses.length >= attempts, `given up: ${about}`)
  }
  endpoints.forEach(({ url }, nth) => {
    if (model.disturbed.has(nth)) return
    for (const { id } of events) assert.isTrue(arrived.has(`${url} ${id}`), `${id} never came to ${url}`)
  })
  return {
    accepted: model.sends.accepted,
    trips: history.trips,
    sessions: model.listening.sessions.length,
    shown: model.listening.shown
  } satisfies Tally
}, Effect.orDie)
