import { Draining } from "@carteiro/http-edge/Listener.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Outbox, outboxInsert } from "@carteiro/runtime/outbox/Outbox.ts"
import { listenFollower } from "@carteiro/runtime/webhooks/listen/Listen.ts"
import { listenOwners } from "@carteiro/runtime/webhooks/listen/ListenBehaviour.ts"
import { ListenEntity, type ListenItem, type ReadItem } from "@carteiro/runtime/webhooks/listen/ListenEntity.ts"
import { ListenNotifier } from "@carteiro/runtime/webhooks/listen/ListenNotifier.ts"
import { ListenRepo } from "@carteiro/runtime/webhooks/listen/ListenRepo.ts"
import { ListenSessionRepo } from "@carteiro/runtime/webhooks/sessions/ListenSessionRepo.ts"
import type { MessageEventType } from "@carteiro/schema/messages/MessageEvents.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { OwnerTest, quiesce } from "../support/OwnerTest.ts"
import { sampleRow } from "../support/SampleEvents.ts"
import { seedProject } from "../support/Tenants.ts"
import { UnderWay } from "../support/TurnedClock.ts"

/** How many statements read the stream. */
export class StreamReads extends Context.Service<StreamReads, { count: number }>()(
  "@carteiro/test/webhooks/StreamReads"
) {
  static readonly layer = Layer.sync(StreamReads, () => ({ count: 0 }))
}

const countedRepo = Layer.effect(
  ListenRepo,
  Effect.gen(function* () {
    const repo = yield* ListenRepo
    const reads = yield* StreamReads
    const underWay = yield* UnderWay
    let running = 0
    underWay.watch(() => running > 0)
    return ListenRepo.of({
      ...repo,
      read: (...asked) =>
        Effect.suspend(() => {
          reads.count++
          running++
          return Effect.ensuring(
            repo.read(...asked),
            Effect.sync(() => running--)
          )
        })
    })
  })
).pipe(Layer.provide(ListenRepo.layer))

/** What the process hangs behind the outbox for listening. */
export const followers = { [outboxInsert.name]: [listenFollower] }

/** The owners of listening on the ground of owner tests, their statements counted. */
export const ListenTest = OwnerTest(
  listenOwners.pipe(
    Layer.provide(Layer.merge(ListenSessionRepo.layer, ListenNotifier.layer)),
    Layer.provide(countedRepo),
    Layer.provideMerge(Layer.merge(StreamReads.layer, Draining.layer))
  ),
  followers
)

/** An environment id nobody has used. */
export const freshEnvironment = Effect.gen(function* () {
  const ids = yield* Ids
  return ids.mint("env", yield* Clock.currentTimeMillis)
})

/** The same, its owner in memory: a poll that is forked now is open once nothing is under way. */
export const loadedEnvironment = Effect.tap(freshEnvironment, (environmentId) => read(environmentId))

/** Writes events in one commit, as owners do; their ids in the order of writing. */
export const emit = Effect.fnUntraced(function* (environmentId: string, types: ReadonlyArray<MessageEventType>) {
  const outbox = yield* Outbox
  const commit = yield* Commit
  const at = yield* Clock.currentTimeMillis
  const rows = types.map((type) =>
    sampleRow(outbox, type, {
      environment_id: environmentId,
      environment: "sandbox",
      source_id: "msg_1",
      trace_id: "0af7651916cd43dd8448eb211c80319c",
      at
    })
  )
  yield* Effect.orDie(commit.write(rows))
  return rows.map((row) => row.values.id as string)
})

/** Inserts one event by hand, as another node would, or a transaction that is slow to end. */
export const insertEvent = Effect.fnUntraced(function* (
  environmentId: string,
  options: { readonly type?: string; readonly at?: number } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const ids = yield* Ids
  const at = options.at ?? (yield* Clock.currentTimeMillis)
  const id = ids.mint("evt", at)
  const type = options.type ?? "message.sent"
  yield* Effect.orDie(sql`insert into outbox_events
      (environment_id, id, type, source_type, source_id, trace_id, created_at, envelope)
    values (${environmentId}, ${id}, ${type}, 'message', 'msg_1', 'trace-of-event', ${new Date(at)},
      ${JSON.stringify({ id, type })})`)
  return id
})

/** One read by a sandbox key. */
export const read = (environmentId: string, options: Partial<ReadItem> = {}) =>
  Effect.flatMap(ListenEntity.client, (owners) =>
    owners.Read(environmentId, {
      api_key_id: "key_1",
      session_id: undefined,
      limit: 100,
      types: undefined,
      after: 0,
      ...options
    })
  )

let polls = 0

/** One long poll by a sandbox key, of 25 seconds unless told otherwise. */
export const listen = (environmentId: string, options: Partial<ListenItem> = {}) =>
  Effect.gen(function* () {
    const owners = yield* ListenEntity.client
    const now = yield* Clock.currentTimeMillis
    return yield* owners.Listen(environmentId, {
      poll_id: `poll_${++polls}`,
      api_key_id: `key_${polls}`,
      session_id: undefined,
      limit: 100,
      types: undefined,
      after: 0,
      deadline: now + 25_000,
      ...options
    })
  })

/** Waits until a long poll of the environment is held open. */
export const untilWaiting = Effect.fnUntraced(function* (environmentId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = sql`select 1 from webhook_listen_waits where environment_id = ${environmentId}`
  while ((yield* Effect.orDie(rows)).length === 0) {}
})

/** Waits until every slot of a key is taken. Each look takes a slot for a moment, so there are pauses between. */
export const untilFull = Effect.fnUntraced(function* (environmentId: string, apiKeyId: string) {
  while (!(yield* isFull(environmentId, apiKeyId))) yield* quiesce
})

/** Waits until a slot of a key is free. */
export const untilFree = Effect.fnUntraced(function* (environmentId: string, apiKeyId: string) {
  while (yield* isFull(environmentId, apiKeyId)) yield* quiesce
})

const isFull = Effect.fnUntraced(function* (environmentId: string, apiKeyId: string) {
  const deadline = yield* Clock.currentTimeMillis
  return yield* Effect.match(listen(environmentId, { api_key_id: apiKeyId, after: 1_000_000, deadline }), {
    onFailure: (error) => error._tag === "rate_limited",
    onSuccess: () => false
  })
})

let projects = 0

/** A project of its own, so that no test sees another's events. */
export const freshProject = Effect.gen(function* () {
  const { acme } = yield* Api
  return yield* seedProject(acme.organization_id, `listen-${++projects}`)
})

/** The ids of what was found. */
export const idsOf = (found: { readonly data: ReadonlyArray<{ readonly id: string }> }) =>
  found.data.map((event) => event.id)
