import { Activations } from "@carteiro/owners/Cluster.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { makeOwnerQueues, OutboundBudget, type QueueKind, type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Layer } from "effect"
import type { TestClock } from "effect/testing"
import fc from "fast-check"
import { layerClock } from "../support/TurnedClock.ts"

interface Order extends QueueRow {
  readonly to: string
}

class OrderRows extends QueueRows<undefined, Order, string> {
  protected override voids(): undefined {
    return undefined
  }
}

/** Which call is answered next, and how. */
interface Pick {
  readonly pick: number
  readonly outcome: number
}

/** A table of one owner, what is under way of it, and who answers. */
interface Shop {
  readonly to: string
  readonly pending: Map<string, Order>
  readonly calls: Map<string, Deferred.Deferred<string | undefined>>
  readonly reservations: Array<ReadonlyArray<string>>
  readonly written: Array<ReadonlyArray<string>>
  rate: number
}

type OrderKind = QueueKind<Shop, undefined, Order, string>

const kind = (more: Partial<OrderKind> = {}): OrderKind => ({
  ahead: 0,
  writeAtOnce: 100,
  retryMs: 100,
  drainMs: 1000,
  makeRows: () => new OrderRows(4, true),
  terms: () => undefined,
  destination: ({ to }) => to,
  read: (shop, _owner, { rows }) =>
    Effect.succeed({ rows: [...shop.pending.values()].slice(0, rows), next: undefined }),
  call: (row, shop) =>
    Effect.suspend(() => {
      const answer = Deferred.makeUnsafe<string | undefined>()
      shop.calls.set(row.id, answer)
      return Deferred.await(answer)
    }),
  broken: () => "broken",
  end: (batch, shop) =>
    Effect.sync(() => {
      shop.written.push(batch.map(({ result, row }) => `${row.id} ${result}`))
      for (const { row } of batch) shop.pending.delete(row.id)
      return true
    }),
  ...more
})

const reserving = kind({
  reserve: (rows, shop) =>
    Effect.sync(() => {
      shop.reservations.push(rows.map(({ id }) => id))
      for (const { id } of rows) shop.pending.delete(id)
      return rows
    })
})

it("a head that was used up is read four times as far the next time, and one that grew stale less far", () => {
  const rows = new OrderRows(4)
  const orders = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `${n}`, bytes: 1, to: "x" }))
  const leave = (count: number) => {
    for (let n = 0; n < count; n++) {
      const row = rows.take(undefined, 0)
      if (row !== undefined) rows.end(row, "sent", 0)
    }
    rows.drain(count)
  }
  assert.strictEqual(rows.ahead(800), 200)
  rows.fill(orders(204), 0)
  leave(100)
  rows.fill(orders(204), 0)
  assert.deepStrictEqual([rows.ahead(800), rows.ahead(300), rows.ahead(0)], [400, 300, 0])
  leave(10)
  rows.clear()
  assert.strictEqual(rows.ahead(800), 50)
  rows.fill(orders(60), 6000)
  assert.strictEqual(rows.ahead(800), 50)
})

/** An owner with so many rows due; its passes run as the loop over due work runs them. */
const open = Effect.fnUntraced(function* (which: OrderKind, to: string, count: number, name = to) {
  const clock = yield* Clock.Clock
  const activations = yield* Activations
  const queueOf = yield* makeOwnerQueues(which)
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const pending = Array.from({ length: count }, (_, n): Order => ({ id: `${name}-${n}`, bytes: 10, to }))
  const shop: Shop = {
    to,
    pending: new Map(pending.map((row) => [row.id, row])),
    calls: new Map(),
    reservations: [],
    written: [],
    rate: Number.POSITIVE_INFINITY
  }
  let leave: Effect.Effect<void> = Effect.void
  let passing = false
  let again = false
  const pass: Effect.Effect<void> = Effect.suspend(() => {
    again = passing
    if (passing) return Effect.void
    passing = true
    activations.busy(1)
    return Effect.flatMap(queue.pass(shop, owner), () =>
      Effect.suspend(() => {
        passing = false
        activations.busy(-1)
        return again ? pass : Effect.void
      })
    )
  })
  const owner = {
    clock,
    now: () => clock.currentTimeMillisUnsafe(),
    dueAt: (instant: number) =>
      void fork(Effect.andThen(Effect.sleep(instant - clock.currentTimeMillisUnsafe()), pass)),
    onLeave: (effect: Effect.Effect<void>) => {
      leave = effect
    }
  } as unknown as OwnerHandle
  const queue = queueOf(owner)
  queue.follow(owner, shop)
  const answer = (id: string, result: string | undefined) =>
    Effect.andThen(
      Effect.sync(() => {
        const call = shop.calls.get(id)
        shop.calls.delete(id)
        if (call !== undefined) Deferred.doneUnsafe(call, Effect.succeed(result))
      }),
      turns
    )
  yield* pass
  /** Has the owner decide on another clock from now on. */
  const turn = (turned: Clock.Clock): void => void Object.assign(owner, { clock: turned })
  return { shop, answer, pass, turn, leave: Effect.suspend(() => leave), onWire: () => [...shop.calls.keys()] }
})

/** Lets what was set off run; calls that are not answered keep the activations busy. */
const turns = Effect.callback<void>((resume) => {
  const later = (left: number): void => void setImmediate(() => (left === 0 ? resume(Effect.void) : later(left - 1)))
  later(20)
})

/** Moves time on while calls are under way. */
const later = Effect.fnUntraced(function* (millis: number) {
  const clock = (yield* Clock.Clock) as TestClock.TestClock
  yield* turns
  yield* clock.setTime(clock.currentTimeMillisUnsafe() + millis)
  yield* turns
})

const limits = { sockets: 16, bytes: 1 << 24 }
const QueueTest = Layer.mergeAll(Activations.layer, OutboundBudget.layer(limits)).pipe(Layer.provideMerge(layerClock))
const testing = <A, E>(name: string, test: Effect.Effect<A, E, Layer.Success<typeof QueueTest>>) =>
  it.effect(name, () => Effect.scoped(Effect.provide(test, QueueTest)), { timeout: 240_000 })

testing(
  "reserves only what goes on the wire now, and the next as answers come M-DLV-22 M-DLV-23",
  Effect.gen(function* () {
    const { answer, onWire, shop } = yield* open(reserving, "one", 20)
    yield* turns
    assert.deepStrictEqual(shop.reservations, [["one-0", "one-1", "one-2", "one-3"]])
    assert.deepStrictEqual(onWire(), ["one-0", "one-1", "one-2", "one-3"])
    // The slowest of them holds up none of the others.
    yield* answer("one-2", "done")
    assert.deepStrictEqual(shop.written, [["one-2 done"]])
    assert.deepStrictEqual(shop.reservations.slice(1), [["one-4"]])
    assert.deepStrictEqual(onWire(), ["one-0", "one-1", "one-3", "one-4"])
  })
)

testing(
  "a pass whose memory was dropped and loaded again meanwhile reserves nothing: newer memory would not know of it",
  Effect.gen(function* () {
    const read = yield* Deferred.make<void>()
    const slow = kind({
      ...reserving,
      read: (shop) => Effect.as(Deferred.await(read), { rows: [...shop.pending.values()].slice(0, 4), next: undefined })
    })
    const clock = yield* Clock.Clock
    const now = () => clock.currentTimeMillisUnsafe()
    const handle = () => ({ clock, now, dueAt: () => {}, onLeave: () => {} }) as unknown as OwnerHandle
    const shopOf = (): Shop => ({
      to: "one",
      pending: new Map(["a", "b"].map((id) => [id, { id, bytes: 10, to: "one" }])),
      calls: new Map(),
      reservations: [],
      written: [],
      rate: Number.POSITIVE_INFINITY
    })
    const [older, newer] = [handle(), handle()]
    const [dropped, loaded] = [shopOf(), shopOf()]
    const queue = (yield* makeOwnerQueues(slow))(older)
    queue.follow(older, dropped)
    const pass = yield* Effect.forkChild(queue.pass(dropped, older))
    yield* turns
    queue.follow(newer)
    yield* Deferred.succeed(read, undefined)
    assert.strictEqual(yield* Fiber.join(pass), now())
    // One that starts after that reserves nothing either.
    assert.strictEqual(yield* queue.pass(dropped, older), now())
    assert.deepStrictEqual(dropped.reservations, [])
    yield* queue.pass(loaded, newer)
    assert.deepStrictEqual(loaded.reservations, [["a", "b"]])
  })
)

testing(
  "reserves nothing in the place of a row whose result is not written M-DLV-23",
  Effect.gen(function* () {
    const written = yield* Deferred.make<boolean>()
    const slow = kind({ ...reserving, end: () => Deferred.await(written) })
    const { answer, onWire, shop } = yield* open(slow, "one", 20)
    yield* turns
    for (const id of onWire()) yield* answer(id, "done")
    assert.deepStrictEqual([shop.reservations.length, onWire()], [1, []])
    yield* Deferred.succeed(written, true)
    yield* turns
    assert.deepStrictEqual(shop.reservations.slice(1), [["one-4"], ["one-5", "one-6", "one-7"]])
  })
)

testing(
  "an owner's rate bounds what it starts (gaps-2 D, per-number throughput budget)",
  Effect.gen(function* () {
    const { onWire, pass, shop } = yield* open(kind({ ...reserving, allowance: ({ rate }) => rate }), "one", 0)
    for (let n = 0; n < 5; n++) shop.pending.set(`${n}`, { id: `${n}`, bytes: 1, to: "one" })
    shop.rate = 2
    yield* pass
    yield* turns
    assert.deepStrictEqual(onWire(), ["0", "1"])
    shop.rate = 0
    yield* pass
    yield* turns
    assert.deepStrictEqual(onWire(), ["0", "1"])
  })
)

testing(
  "a destination that never answers holds at most half of a node, and neighbours take turns (gaps-1 K)",
  Effect.gen(function* () {
    const budget = yield* OutboundBudget
    const stuck = yield* Effect.forEach([0, 1, 2, 3], () => open(reserving, "stuck", 20))
    yield* turns
    const held = () => stuck.reduce((sum, { onWire }) => sum + onWire().length, 0)
    assert.strictEqual(held(), limits.sockets / 2)
    const healthy = yield* open(reserving, "healthy", 6)
    yield* turns
    for (let left = 0; left < 6; left++) yield* healthy.answer(healthy.onWire()[0] ?? "", "done")
    assert.strictEqual(healthy.shop.written.flat().length, 6)
    assert.strictEqual(held(), limits.sockets / 2)
    // Those of the stuck destination that had nothing yet are served before those that had their share.
    const [first, , last] = stuck
    assert.strictEqual(last?.onWire().length, 0)
    yield* first?.answer(first.onWire()[0] ?? "", "done") ?? Effect.void
    assert.strictEqual(last?.onWire().length, 1)
    for (const { leave } of [...stuck, healthy]) yield* Effect.forkChild(leave)
    yield* later(1000)
    assert.deepStrictEqual([budget.sockets.used, budget.bytes.used, budget.sockets.waiting], [0, 0, 0])
  })
)

testing(
  "a call this node had no socket for is made again, and nothing is written of it (gaps-1 K, attempts)",
  Effect.gen(function* () {
    const { answer, onWire, shop } = yield* open(kind(), "one", 1)
    yield* turns
    yield* answer("one-0", undefined)
    assert.deepStrictEqual([shop.written, onWire()], [[], []])
    yield* later(1000)
    assert.deepStrictEqual(onWire(), ["one-0"])
    yield* answer("one-0", "done")
    assert.deepStrictEqual(shop.written, [["one-0 done"]])
  })
)

testing(
  'what was read ahead and has waited is looked up again before it leaves gaps-2 I "Erasure"',
  Effect.gen(function* () {
    const { answer, onWire, shop } = yield* open(kind({ ahead: 8 }), "one", 7)
    yield* turns
    assert.deepStrictEqual(onWire(), ["one-0", "one-1", "one-2", "one-3"])
    // Somebody ends one in the table and tells nobody; the others stay due.
    shop.pending.delete("one-5")
    yield* later(5001)
    for (const id of onWire()) yield* answer(id, "done")
    yield* later(1)
    assert.deepStrictEqual(onWire(), ["one-4", "one-6"])
    for (const id of onWire()) yield* answer(id, "done")
    assert.deepStrictEqual(shop.written.flat().length, 6)
  })
)

testing(
  "bodies are read as far as the node's bytes go, and no further than they are held",
  Effect.gen(function* () {
    const budget = yield* OutboundBudget
    const half = limits.bytes / 2
    const other = budget.bytes.take("one", half)
    assert.isDefined(other)
    const { answer, onWire, shop } = yield* open(kind(), "one", 3)
    yield* turns
    assert.deepStrictEqual([onWire(), shop.pending.size], [[], 3])
    if (other !== undefined) budget.bytes.give(other, half)
    yield* turns
    assert.strictEqual(onWire().length, 3)
    assert.strictEqual(budget.bytes.used, 30)
    for (const id of onWire()) yield* answer(id, "done")
    assert.strictEqual(budget.bytes.used, 0)
  })
)

testing(
  "a call that does not end in its time ends as broken M-DLV-22",
  Effect.gen(function* () {
    const { shop } = yield* open(kind({ ...reserving, callMs: 500 }), "one", 1)
    yield* later(500)
    assert.deepStrictEqual(shop.written, [["one-0 broken"]])
  })
)

testing(
  "each call has its whole time, whenever it begins M-DLV-22",
  Effect.gen(function* () {
    const { answer, onWire, shop } = yield* open(kind({ ...reserving, callMs: 500 }), "one", 20)
    yield* turns
    const first = onWire()
    yield* later(300)
    for (const id of first.slice(1)) yield* answer(id, "done")
    yield* turns
    const begunLater = onWire().filter((id) => id !== first[0])
    assert.isAbove(begunLater.length, 0)
    yield* later(200)
    assert.include(shop.written.flat(), `${first[0]} broken`)
    assert.includeMembers([...onWire()], begunLater)
    yield* later(300)
    for (const id of begunLater) assert.include(shop.written.flat(), `${id} broken`)
  })
)

testing(
  "a tenant's clock that is turned ahead or stands still ends calls neither sooner nor later M-DLV-22",
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const { answer, onWire, shop, turn } = yield* open(kind({ ...reserving, callMs: 500 }), "one", 20)
    yield* turns
    const [first = "", ...others] = onWire()
    const standing = clock.currentTimeMillisUnsafe() + 3_600_000
    turn({ ...clock, currentTimeMillisUnsafe: () => standing, currentTimeMillis: Effect.succeed(standing) })
    for (const id of others) yield* answer(id, "done")
    const begunLater = onWire().filter((id) => id !== first)
    assert.isAbove(begunLater.length, 0)
    yield* later(400)
    assert.includeMembers([...onWire()], [first, ...begunLater])
    assert.notInclude(shop.written.flat(), `${first} broken`)
    yield* later(200)
    for (const id of [first, ...begunLater]) assert.include(shop.written.flat(), `${id} broken`)
  })
)

testing(
  "a stop waits for answers on the wire for its time, writes them, and starts nothing more M-DLV-23",
  Effect.gen(function* () {
    const budget = yield* OutboundBudget
    const { answer, leave, onWire, shop } = yield* open(reserving, "one", 20)
    yield* turns
    yield* Effect.forkChild(leave)
    yield* turns
    for (const id of onWire().slice(0, 3)) yield* answer(id, "done")
    assert.deepStrictEqual(onWire(), ["one-3"])
    assert.deepStrictEqual(shop.written, [])
    yield* later(1000)
    assert.deepStrictEqual(shop.written.flat(), ["one-0 done", "one-1 done", "one-2 done"])
    assert.deepStrictEqual([shop.reservations.length, budget.sockets.used], [1, 0])
  })
)

testing(
  "a stop whose results cannot be written gives back all it held",
  Effect.gen(function* () {
    const budget = yield* OutboundBudget
    const { answer, leave, onWire } = yield* open(kind({ end: () => Effect.never, writeAtOnce: 1 }), "one", 4)
    yield* turns
    for (const id of onWire().slice(0, 3)) yield* answer(id, "done")
    assert.isAbove(budget.bytes.used, 0)
    yield* Effect.forkChild(leave)
    yield* later(1000)
    yield* later(2000)
    assert.deepStrictEqual([budget.sockets.used, budget.bytes.used], [0, 0])
  })
)

testing(
  "every row leaves once, in whatever order answers come and however few sockets there are M-DLV-22 M-DLV-23",
  Effect.gen(function* () {
    const run = Effect.runPromiseWith(yield* Effect.context<Layer.Success<typeof QueueTest>>())
    const budget = yield* OutboundBudget
    const owners = fc.array(fc.record({ to: fc.constantFrom("a", "b", "c"), rows: fc.nat(30) }), { maxLength: 8 })
    const answers = fc.infiniteStream(fc.record({ pick: fc.nat(1000), outcome: fc.nat(9) }))
    const playing = (opened: Array<Effect.Success<ReturnType<typeof open>>>, picks: Iterator<Pick>) =>
      Effect.gen(function* () {
        const called = new Map<string, number>()
        for (;;) {
          const wire = opened.flatMap((one) => one.onWire().map((id) => ({ id, one })))
          assert.isAtMost(wire.length, limits.sockets)
          assert.strictEqual(budget.sockets.used, wire.length)
          for (const { one } of wire) assert.isAtMost(one.onWire().length, 4)
          if (wire.length === 0) return called
          const { outcome, pick } = picks.next().value as Pick
          const chosen = wire[pick % wire.length]
          if (chosen === undefined) return called
          called.set(chosen.id, (called.get(chosen.id) ?? 0) + 1)
          yield* chosen.one.answer(chosen.id, outcome === 0 ? "broken" : "done")
        }
      })
    const property = fc.asyncProperty(owners, answers, (asked, stream) =>
      run(
        Effect.gen(function* () {
          const opened = yield* Effect.forEach(asked, ({ rows, to }, n) => open(reserving, to, rows, `${n}`))
          yield* turns
          const called = yield* playing(opened, stream[Symbol.iterator]())
          const rows = asked.reduce((sum, each) => sum + each.rows, 0)
          assert.strictEqual(called.size, rows)
          assert.isTrue([...called.values()].every((times) => times === 1))
          assert.strictEqual(opened.flatMap(({ shop }) => shop.written.flat()).length, rows)
          assert.deepStrictEqual([budget.sockets.used, budget.bytes.used, budget.sockets.waiting], [0, 0, 0])
        })
      )
    )
    yield* Effect.promise(() => fc.assert(property, { numRuns: 30 }))
  })
)
