import { Draining } from "@carteiro/http-edge/Listener.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Outbox, outboxInsert } from "@carteiro/runtime/outbox/Outbox.ts"
import { listenFollower } from "@carteiro/runtime/webhooks/listen/Listen.ts"
import { listenOwners } from "@carteiro/runtime/webhooks/listen/ListenBehaviour.ts"
import { ListenEntity, type ListenItem, type ReadItem } from "@carteiro/runtime/webhooks/listen/ListenEntity.ts"
import { ListenNotifier } from "@carteiro/runtime/webhooks/listen/ListenNotifier.ts"
import { ListenRepo } from "@carteiro/runtime/webhooks/listen/ListenRepo.ts"
import { ListenSessionRepo } from "@carteiro/runtime/webhooks/listen/ListenSessionRepo.ts"
import type { MessageEventType } from "@carteiro/schema/messages/MessageEvents.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { OwnerTest, quiesce } from "../support/OwnerTest.ts"
import { sampleRow } from "../support/SampleEvents.ts"
import { seedProject } from "../support/Tenants.ts"
import { UnderWay } from "../support/TurnedClock.ts"

/** The number of statements that read the stream. */
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

/** The followers of the outbox for listening. */
export const followers = { [outboxInsert.name]: [listenFollower] }

/** The owners of listening on the harness of owner tests, with a count of their statements. */
export const ListenTest = OwnerTest(
  listenOwners.pipe(
    Layer.provide(Layer.merge(ListenSessionRepo.layer, ListenNotifier.layer)),
    Layer.provide(countedRepo),
    Layer.provideMerge(Layer.merge(StreamReads.layer, Draining.layer))
  ),
  followers
)

/** A new environment id. */
export const freshEnvironment = Effect.gen(function* () {
  const ids = yield* Ids
  return ids.mint("env", yield* Clock.currentTimeMillis)
})

/** A new environment id whose owner is in memory: a forked poll is open once the system is idle. */
export const loadedEnvironment = Effect.tap(freshEnvironment, (environmentId) => read(environmentId))

/** Writes events in one commit, as owners do; returns their ids in the order of writing. */
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

/** Inserts one event directly, like another node or a slow transaction. */
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

/** One long poll by a sandbox key, of 25 seconds unless given otherwise. */
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

/** Waits until every slot of a key is taken. Each check takes a slot for a moment, so there are pauses between. */
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

/** A separate project, so that no test sees the events of another. */
export const freshProject = Effect.gen(function* () {
  const { acme } = yield* Api
  return yield* seedProject(acme.organization_id, `listen-${++projects}`)
})

/** The ids of the returned events. */
export const idsOf = (found: { readonly data: ReadonlyArray<{ readonly id: string }> }) =>
  found.data.map((event) => event.id)
