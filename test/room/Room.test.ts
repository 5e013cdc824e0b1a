import { Ids } from "@carteiro/owners/Ids.ts"
import { rooms } from "@carteiro/runtime/app/Rooms.ts"
import type { EventRenderer } from "@carteiro/runtime/outbox/EventRenderers.ts"
import {
  defineRoom,
  environmentOf,
  followersOf,
  mergeRooms,
  renderersOf,
  stackRooms
} from "@carteiro/runtime/room/Room.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { TestDatabase } from "../support/TestDatabase.ts"

class Lamp extends Context.Service<Lamp, { readonly light: string }>()("@carteiro/test/Lamp") {}
class Desk extends Context.Service<Desk, { readonly lit: string }>()("@carteiro/test/Desk") {}

const follower = (name: string) => ({ name, sql: () => "select 1", returns: false })
const log: Array<string> = []

const lamps = defineRoom({
  name: "lamps",
  services: Layer.effect(
    Lamp,
    Effect.sync(() => {
      log.push("lamp")
      return { light: "yellow" }
    })
  ),
  followers: { "outbox_events.insert": [follower("first")] },
  renderers: Effect.succeed([{ type: "lamp.lit", render: () => Effect.succeed([]) }])
})
const desks = defineRoom({
  name: "desks",
  services: Layer.effect(
    Desk,
    Effect.map(Lamp, ({ light }) => ({ lit: light }))
  ),
  routes: Layer.effectDiscard(
    Effect.gen(function* () {
      log.push(`${(yield* Desk).lit} by ${(yield* Lamp).light}`)
    })
  ),
  followers: { "outbox_events.insert": [follower("second")], "other.write": [follower("third")] },
  environment: Effect.succeed(() => [])
})

it.effect("a room gets the services of the rooms before it, each made once", () =>
  Effect.gen(function* () {
    const both = [lamps, desks] as const
    const whole: Layer.Layer<Lamp | Desk> = mergeRooms(both, "routes").pipe(
      Layer.provideMerge(stackRooms(both, "services"))
    )
    yield* Effect.scoped(Layer.build(whole))
    assert.deepStrictEqual(log, ["lamp", "yellow by yellow"])
  })
)

it("a room before its dependencies, and an unknown member, do not compile", () => {
  // @ts-expect-error desks need a lamp, which comes later
  const early: Layer.Layer<Lamp | Desk> = stackRooms([desks, lamps] as const, "services")
  // @ts-expect-error a renderer is no layer
  const wrong = () => mergeRooms([lamps], "renderers")
  assert.isDefined([early, wrong])
})

it.effect("followers, renderers and seeds of environments come in the order of the rooms", () =>
  Effect.gen(function* () {
    const both = [lamps, desks] as const
    const names = Object.entries(followersOf(both)).map(([write, some]) => `${write}: ${some.map(({ name }) => name)}`)
    assert.deepStrictEqual(names, ["outbox_events.insert: first,second", "other.write: third"])
    const made = yield* Effect.provide(environmentOf(both), Ids.layer)
    assert.strictEqual(made.length, 1)
    const rendering: Effect.Effect<ReadonlyArray<EventRenderer>, never, SqlClient.SqlClient | Secrets> = renderersOf(
      both
    )
    const shown = yield* Effect.provide(rendering, [
      TestDatabase.layer,
      Secrets.layer(Redacted.make([new Uint8Array(32).fill(7)]))
    ])
    assert.deepStrictEqual(
      shown.map(({ type }) => type),
      ["lamp.lit"]
    )
  })
)

it("the product's rooms have distinct names", () => {
  const names = rooms.map(({ name }) => name)
  assert.strictEqual(new Set<string>(names).size, names.length)
})
