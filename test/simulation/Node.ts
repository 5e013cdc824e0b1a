import * as Access from "@carteiro/runtime/access/Access.ts"
import { AdmissionLayer } from "@carteiro/runtime/access/AdmissionLayer.ts"
import { EnvironmentRepo } from "@carteiro/runtime/access/EnvironmentRepo.ts"
import * as Messages from "@carteiro/runtime/messages/Messages.ts"
import { Commit, CommitFollowers } from "@carteiro/runtime/platform/commit/Commit.ts"
import { Draining } from "@carteiro/runtime/platform/http/Draining.ts"
import { CompletedResponses } from "@carteiro/runtime/platform/idempotency/Completed.ts"
import { Ids } from "@carteiro/runtime/platform/ids/Ids.ts"
import { Outbox } from "@carteiro/runtime/platform/outbox/Outbox.ts"
import { layerMemory } from "@carteiro/runtime/platform/owner/Cluster.ts"
import { Residents } from "@carteiro/runtime/platform/owner/Residents.ts"
import { ShardEpochs } from "@carteiro/runtime/platform/owner/ShardEpochs.ts"
import { Cursors } from "@carteiro/runtime/platform/paging/Cursors.ts"
import { readRateLimits } from "@carteiro/runtime/platform/ratelimit/RateLimitsSetting.ts"
import { Rates } from "@carteiro/runtime/platform/ratelimit/RateTable.ts"
import { Secrets } from "@carteiro/runtime/platform/secrets/Secrets.ts"
import * as Sql from "@carteiro/runtime/platform/sql/Sql.ts"
import * as Webhooks from "@carteiro/runtime/webhooks/Webhooks.ts"
import { Clock, Context, Effect, Exit, Fiber, Layer, Redacted, Result, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestClock } from "effect/testing"
import { settle, turnTo } from "../support/OwnerTest.ts"
import { type layerClock, Timers, Unsettled } from "../support/TurnedClock.ts"
import { type Outside, outsideLayer } from "./Outside.ts"

/** The turned clock, which outlives every node. */
export type Time = Layer.Success<typeof layerClock> extends infer S ? Context.Context<S> : never

const lifted = Result.getOrThrow(readRateLimits("off"))

const layerOf = (url: string, time: Time, outside: Outside) => {
  const ground = Layer.mergeAll(Commit.layer, Outbox.layer, CompletedResponses.layer).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Residents.layer,
        Unsettled.layer,
        Ids.layer,
        Cursors.layer,
        Rates.layer(lifted),
        Layer.succeed(CommitFollowers, Webhooks.followers)
      )
    ),
    Layer.provideMerge(Secrets.layer(Redacted.make([new Uint8Array(32).fill(7)]))),
    Layer.provideMerge(Layer.orDie(Sql.layer(url, { applicationName: "carteiro-test-node", maxConnections: 6 }))),
    Layer.provideMerge(Layer.succeedContext(time))
  )
  const watching = Layer.effectDiscard(
    Effect.gen(function* () {
      const unsettled = yield* Unsettled
      const commit = yield* Commit
      const residents = yield* Residents
      unsettled.watch(() => outside.arrive() || commit.pending() > 0 || residents.passes() > 0)
    })
  )
  return Layer.mergeAll(
    Webhooks.servicesLayer,
    AdmissionLayer.pipe(Layer.provide(EnvironmentRepo.layer)),
    watching
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(Access.ownersLayer, Messages.ownersLayer, Webhooks.ownersLayer)),
    Layer.provideMerge(Layer.merge(outsideLayer(outside), Draining.layer)),
    Layer.provideMerge(layerMemory),
    Layer.provideMerge(ground)
  )
}

/** Everything of one node. */
export type NodeServices = Layer.Success<ReturnType<typeof layerOf>>

/** One node after the other over one database. */
export interface Nodes {
  /** Runs something on the node there is now, turning the clock by moments until it has answered. */
  readonly on: <A, E>(effect: Effect.Effect<A, E, NodeServices>) => Effect.Effect<A, E>
  /** Starts something, lets so many turns of the event loop pass, and stops the node under it; another starts. */
  readonly stopDuring: <A, E>(
    effect: Effect.Effect<A, E, NodeServices>,
    turns: number
  ) => Effect.Effect<Exit.Exit<A, E>>
  /** What is due within so many milliseconds happens. */
  readonly turn: (millis: number) => Effect.Effect<void>
}

/** The longest pause before a call is made again, in milliseconds. */
const pauseMs = 50
/** Rounds of waiting after which a pause passes although nobody asked for it. */
const patience = 5000

const oneTurn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Nodes over a database. */
export const makeNodes = Effect.fnUntraced(function* (url: string, time: Time, outside: Outside) {
  const clock = Context.get(time as Context.Context<never>, Clock.Clock) as TestClock.TestClock
  const timers = Context.get(time, Timers)
  const start = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithMemoMap(layerOf(url, time, outside), Layer.makeMemoMapUnsafe(), scope)
    // Connections are made in real time: until then no clock may turn them into late ones.
    while (Context.get(context, ShardEpochs).held() === 0) yield* oneTurn
    return { context: Context.merge(context, time), scope }
  })
  let node = yield* start
  yield* Effect.addFinalizer(() => stop)

  /**
   * Waits for an answer. Calls to owners that are away are made again after a pause of virtual time, which passes as soon
   * as somebody waits for no more than that; other timers end what takes too long, and no database is that slow.
   */
  const waited = <A, E>(fiber: Fiber.Fiber<A, E>, quiet: Effect.Effect<void>) =>
    Effect.gen(function* () {
      for (let rounds = 1; fiber.pollUnsafe() === undefined; rounds++) {
        yield* quiet
        const next = timers.next()
        const pausing = next !== undefined && next <= clock.currentTimeMillisUnsafe() + pauseMs
        if (fiber.pollUnsafe() !== undefined || !(pausing || rounds % patience === 0)) continue
        yield* clock.setTime(clock.currentTimeMillisUnsafe() + pauseMs)
      }
      return yield* Fiber.await(fiber)
    })
  const settled = Effect.suspend(() => Effect.provideContext(settle, node.context))
  const stop = Effect.suspend(() =>
    Effect.flatMap(Effect.forkChild(Scope.close(node.scope, Exit.void)), (fiber) =>
      waited(
        fiber,
        Effect.andThen(
          oneTurn,
          Effect.sync(() => void outside.arrive())
        )
      )
    )
  )
  return {
    on: (effect) =>
      Effect.flatMap(Effect.forkChild(Effect.provideContext(effect, node.context)), (fiber) =>
        Effect.flatten(waited(fiber, settled))
      ),
    stopDuring: Effect.fnUntraced(function* (effect, turns) {
      const fiber = yield* Effect.forkChild(Effect.provideContext(effect, node.context))
      for (let n = 0; n < turns; n++) yield* oneTurn
      yield* stop
      yield* Fiber.interrupt(fiber)
      const exit = yield* Fiber.await(fiber)
      node = yield* start
      return exit
    }),
    turn: (millis) =>
      Effect.provideContext(
        Effect.gen(function* () {
          const until = clock.currentTimeMillisUnsafe() + millis
          for (;;) {
            yield* settle
            const next = yield* nextDue(clock.currentTimeMillisUnsafe())
            if (next === undefined || next > until) break
            yield* turnTo(next)
            yield* sweep(next)
          }
          yield* turnTo(until)
          yield* sweep(until)
          yield* settle
        }),
        node.context
      )
  } satisfies Nodes
})

/** The next instant something is due, of deliveries and messages. */
const nextDue = (now: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      Effect.orDie(sql<{ readonly next: Date | null }>`select least(
          (select min(due_at) from webhook_attempts where status = 'pending' and due_at > ${new Date(now)}),
          (select min(due_at) from messages where due_at > ${new Date(now)})) as next`),
      ([row]) => row?.next?.getTime()
    )
  )

/** One round of the sweeper. */
const sweep = Effect.fnUntraced(function* (now: number) {
  const residents = yield* Residents
  for (const { due, type } of [Messages.due, yield* Webhooks.due]) {
    for (const id of yield* due(now, 1000)) residents.wake(type, id)
  }
})
