import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Cause, Clock, type Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { assert } from "vitest"
import { layerClock } from "../support/TurnedClock.ts"
import { Course } from "./Course.ts"
import { finish } from "./Finish.ts"
import { keepHistory } from "./History.ts"
import { Nodes } from "./Nodes.ts"
import { Outside } from "./Outside.ts"
import { customers, type Step } from "./OwnerCommands.ts"
import { OwnersModel } from "./OwnersModel.ts"
import { makeRun } from "./OwnersRun.ts"

/** What one schedule says. */
export interface Schedule {
  readonly steps: Iterable<Step>
  readonly scheduler: fc.Scheduler
  readonly seed: number
  readonly kind: EnvironmentKind
}

/** Plays schedules over one database, each in an empty one and from the beginning of time. */
export const makePlaying = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const database = { sql, clock: yield* Clock.Clock }
  yield* keepHistory(sql)
  const tables = yield* sql<{ readonly name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> 'schema_migrations'`
  const go = Effect.runPromiseWith(yield* Effect.context<never>())
  return Effect.fnUntraced(
    function* ({ kind, scheduler, seed, steps }: Schedule) {
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
        complains: (message) => void errors.push(message)
      })
      const played = Effect.gen(function* () {
        yield* nodes.start
        const run = yield* makeRun({ course, nodes, outside, sql }, kind)
        const model = new OwnersModel(run)
        for (const customer of customers) yield* model.hears(customer, "oi")
        const real = { run, go: (effect: Effect.Effect<unknown>) => go(Effect.asVoid(effect)) }
        yield* Effect.promise(() => fc.asyncModelRun(() => ({ model, real }), steps))
        const tally = yield* finish(run, model)
        yield* nodes.end
        assert.deepStrictEqual(errors, [])
        return tally
      })
      return yield* Effect.catchCause(played, (cause) =>
        Effect.die(new Error(`${Cause.pretty(cause)}\nwhat happened last:\n${course.account}`))
      )
    },
    Effect.scoped,
    Effect.orDie
  )
})
