import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import fc from "fast-check"
import { create } from "../support/TestDatabase.ts"
import { layerClock } from "../support/TurnedClock.ts"
import { makeNodes } from "./Node.ts"
import { Outside } from "./Outside.ts"
import { begin, commands, type Real } from "./OwnerCommands.ts"
import { finish, OwnersModel } from "./OwnersModel.ts"
import { makeRun } from "./OwnersRun.ts"
import { simulated } from "./World.ts"

it.live(
  "owners over PostgreSQL lose, repeat and forget nothing, whatever stops M-MSG-01 M-DLV-23 A-SIG-19 A-LSN-01 A-IDEM-04",
  () =>
    Effect.gen(function* () {
      const url = yield* create()
      const time = yield* Layer.build(layerClock)
      const clock = yield* Effect.provideContext(Clock.Clock, time)
      const go = Effect.runPromiseWith(yield* Effect.context<never>())
      let accepted = 0
      const schedule = fc.asyncProperty(
        commands,
        fc.scheduler(),
        fc.nat(1_000_000),
        fc.constantFrom("sandbox" as const, "production" as const),
        (steps, scheduler, seed, kind) =>
          go(
            Effect.gen(function* () {
              const outside = new Outside(seed, scheduler)
              const nodes = yield* makeNodes(url, time, outside)
              const model = new OwnersModel()
              const run = yield* makeRun(nodes, outside, kind)
              yield* begin(run, model, clock.currentTimeMillisUnsafe())
              const real: Real = {
                run,
                now: () => clock.currentTimeMillisUnsafe(),
                go: (effect) => go(Effect.asVoid(effect))
              }
              yield* Effect.promise(() => fc.asyncModelRun(() => ({ model, real }), steps))
              yield* finish(run, model)
              accepted += model.accepted.size
            }).pipe(Effect.orDie, Effect.scoped)
          )
      )
      yield* Effect.promise(() => fc.assert(schedule, simulated(30)))
      assert.isAbove(accepted, 100, "schedules that accept nothing prove nothing")
    }).pipe(Effect.scoped),
  simulated(4000).numRuns * 30
)
