import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Cause, Clock, type Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { assert } from "vitest"
import type { Vendors } from "../billing/Vendors.ts"
import type { PixWorld } from "../payments/PixWorld.ts"
import { layerClock } from "../support/TurnedClock.ts"
import { Course } from "./Course.ts"
import { finish } from "./Finish.ts"
import { keepHistory } from "./History.ts"
import { Nodes } from "./Nodes.ts"
import { Outside } from "./Outside.ts"
import { customers, type Step } from "./OwnerCommands.ts"
import { OwnersModel } from "./OwnersModel.ts"
import { makeRun, type OwnersRun } from "./OwnersRun.ts"

/** What a world is played on: the first node has started. */
export type SimulationContext = Pick<OwnersRun, "course" | "nodes" | "outside" | "sql">

/** By what a world takes its course. */
interface Drawn {
  readonly scheduler: fc.Scheduler
  readonly seed: number
  /** Where accounts are charged, in a world that has accounts. */
  readonly vendors?: Vendors | undefined
  /** Whom payments go through, in a world that has any. */
  readonly pix?: PixWorld | undefined
}

/** What one schedule says. */
interface Schedule extends Drawn {
  readonly steps: Iterable<Step>
  readonly kind: EnvironmentKind
}

/** Plays worlds over one database, each in an empty one and from the beginning of time. */
export const makeWorlds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const database = { sql, clock: yield* Clock.Clock }
  const tables = yield* sql<{ readonly name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> 'schema_migrations'
      and tablename not in ('rate_cards', 'rate_card_entries', 'plan_offerings', 'package_offerings')`
  return <A, E>(
    { pix, scheduler, seed, vendors }: Drawn,
    play: (context: SimulationContext) => Effect.Effect<A, E>
  ): Effect.Effect<A> =>
    Effect.gen(function* () {
      yield* sql.unsafe(`truncate ${tables.map(({ name }) => name).join(", ")}`)
      yield* sql`alter sequence fictitious_phones restart`
      const time = (yield* Layer.build(layerClock)) as Context.Context<never>
      const course = new Course(time, scheduler)
      const outside = new Outside(seed)
      const errors: Array<string> = []
      const nodes = new Nodes(course, seed, {
        database,
        outside,
        time,
        vendors,
        pix,
        complains: (message) => void errors.push(message)
      })
      const played = Effect.gen(function* () {
        yield* nodes.start
        const answer = yield* play({ course, nodes, outside, sql })
        yield* nodes.end
        assert.strictEqual(errors.join("\n"), "", "logged as errors")
        return answer
      })
      return yield* Effect.catchCause(played, (cause) =>
        Effect.die(new Error(`${Cause.pretty(cause)}\nwhat happened last:\n${course.account}`))
      )
    }).pipe(Effect.scoped, Effect.orDie)
})

/** Plays schedules of everything owners do. */
export const makePlaying = Effect.gen(function* () {
  yield* keepHistory(yield* SqlClient.SqlClient)
  const world = yield* makeWorlds
  const go = Effect.runPromiseWith(yield* Effect.context<never>())
  return ({ kind, steps, ...drawn }: Schedule) =>
    world(drawn, (context) =>
      Effect.gen(function* () {
        const run = yield* makeRun(context, kind)
        const model = new OwnersModel(run)
        for (const customer of customers) yield* model.hears(customer, "oi")
        const real = { run, go: (effect: Effect.Effect<unknown>) => go(Effect.asVoid(effect)) }
        yield* Effect.promise(() => fc.asyncModelRun(() => ({ model, real }), steps))
        return yield* finish(run, model)
      })
    )
})
