import { answer, batch, defineOwner, type OwnerHandle } from "@carteiro/owners/Owner.ts"
import { OwnerClocks, type Standing, unturnedLeaseMs } from "@carteiro/owners/OwnerClocks.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Schema } from "effect"
import { beginning, OwnerTest, turnBy } from "../support/OwnerTest.ts"

const Time = Schema.Struct({ decided: Schema.Number, read: Schema.Number, lead: Schema.NullOr(Schema.Number) })
const Look = Schema.Struct({ after: Schema.UndefinedOr(Schema.Number), drops: Schema.optional(Schema.Boolean) })
const Watch = defineOwner("Watch", { Look: batch(Look, Time) })
const RealWatch = defineOwner("RealWatch", { Look: batch(Schema.Struct({}), Time) })

const hour = 3_600_000
const standings = new Map<string, Standing>()
let reads = 0
const worked: Array<readonly [string, number]> = []

const look = {
  read: () => Clock.currentTimeMillis,
  decide: (
    items: ReadonlyArray<{ readonly after?: number | undefined; readonly drops?: boolean | undefined }>,
    read: number,
    _state: null,
    owner: Pick<OwnerHandle, "lead" | "dueAt" | "drop">,
    now: number
  ) =>
    items.map(({ after, drops }) => {
      if (drops === true) owner.drop()
      if (after !== undefined) owner.dueAt(now + after)
      return answer({ decided: now, read, lead: owner.lead() ?? null })
    })
}

const behaviour = {
  load: () => Effect.succeed(null),
  work: (_state: null, owner: { readonly id: string }) =>
    Effect.map(Clock.currentTimeMillis, (at) => void worked.push([owner.id, at])),
  handlers: { Look: look }
}

const owners = Layer.merge(
  Watch.toLayer(Effect.succeed(behaviour)),
  RealWatch.toLayer(Effect.succeed(behaviour), { realTime: true })
).pipe(
  Layer.provide(
    Layer.succeed(OwnerClocks, (id) =>
      Effect.sync(() => {
        reads++
        return standings.get(id) ?? "unturned"
      })
    )
  )
)

it.layer(OwnerTest(owners), { excludeTestServices: true })("The clock of an owner", (it) => {
  it.effect("moves whatever the owner reads, decides and works on, and is read again before each batch", () =>
    Effect.gen(function* () {
      const watches = yield* Watch.client
      standings.set("a", { leadMs: 5 * hour, standsAt: undefined })
      const ahead = yield* watches.Look("a", { after: 1000 })
      assert.deepStrictEqual(ahead, { decided: beginning + 5 * hour, read: beginning + 5 * hour, lead: 5 * hour })
      yield* turnBy(1000)
      assert.deepStrictEqual(worked.at(-1), ["a", beginning + 5 * hour + 1000])
      standings.set("a", { leadMs: 0, standsAt: beginning + 7 * hour })
      const stands = yield* watches.Look("a", { after: undefined })
      assert.deepStrictEqual([stands.decided, stands.read], [beginning + 7 * hour, beginning + 7 * hour])
      yield* turnBy(1000)
      assert.strictEqual((yield* watches.Look("a", { after: undefined })).decided, beginning + 7 * hour)
    })
  )

  it.effect("that was never turned is read again when its lease ends, and a real one never", () =>
    Effect.gen(function* () {
      const watches = yield* Watch.client
      const decided = (id: string) => Effect.map(watches.Look(id, { after: undefined }), (time) => time.decided)
      const start = yield* Clock.currentTimeMillis
      yield* decided("b")
      standings.set("b", { leadMs: hour, standsAt: undefined })
      standings.set("c", "real")
      yield* decided("c")
      assert.strictEqual(yield* decided("b"), start)
      yield* turnBy(unturnedLeaseMs)
      assert.strictEqual(yield* decided("b"), start + unturnedLeaseMs + hour)
      standings.set("c", { leadMs: hour, standsAt: undefined })
      const before = reads
      assert.strictEqual(yield* decided("c"), start + unturnedLeaseMs)
      assert.strictEqual(reads, before)
    })
  )

  it.effect("is read again once the owner has dropped its memory, as one that moves to another tenant does", () =>
    Effect.gen(function* () {
      const watches = yield* Watch.client
      const start = yield* Clock.currentTimeMillis
      yield* watches.Look("e", { after: undefined })
      standings.set("e", { leadMs: hour, standsAt: undefined })
      assert.strictEqual((yield* watches.Look("e", { after: undefined, drops: true })).decided, start)
      assert.strictEqual((yield* watches.Look("e", { after: undefined })).decided, start + hour)
    })
  )

  it.effect("is the node's for a type of owner that lives on real time", () =>
    Effect.gen(function* () {
      const watches = yield* RealWatch.client
      standings.set("d", { leadMs: hour, standsAt: undefined })
      const time = yield* watches.Look("d", {})
      assert.deepStrictEqual([time.decided, time.lead], [yield* Clock.currentTimeMillis, null])
    })
  )
})
