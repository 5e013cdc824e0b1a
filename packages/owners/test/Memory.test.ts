import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { type Lease, Memory } from "../activation/Memory.ts"

interface Loaded {
  readonly number: number
  readonly levels: string | null | undefined
}

/** Memory whose loads wait for `loading`, under an epoch that the test moves. */
const remembering = (loading = Latch.makeUnsafe(true)) => {
  const node = { epoch: 1 as number | undefined, loads: 0 }
  const memory = new Memory<Loaded>({
    epoch: () => node.epoch,
    takeSnapshot: ({ number }) => `levels of ${number}`,
    load: (lease, levels) =>
      Effect.map(loading.await, () => ({
        lease,
        state: { number: ++node.loads, levels },
        handle: undefined as never
      }))
  })
  return { memory, node }
}

const leaseOf = (memory: Memory<Loaded>): Lease => memory.current?.lease as Lease

it.effect("is loaded once for all calls that need it at one time", () =>
  Effect.gen(function* () {
    const loading = Latch.makeUnsafe(false)
    const { memory } = remembering(loading)
    const asked = yield* Effect.forkChild(
      Effect.all([memory.loaded, memory.loaded, memory.loaded], { concurrency: "unbounded" })
    )
    yield* Effect.yieldNow
    loading.openUnsafe()
    const lives = yield* Fiber.join(asked)
    assert.deepStrictEqual(
      lives.map((life) => life?.state.number),
      [1, 1, 1]
    )
    assert.strictEqual(new Set(lives).size, 1)
  })
)

it.effect("is not read again before everything decided on it is written or refused", () =>
  Effect.gen(function* () {
    const { memory, node } = remembering()
    yield* memory.loaded
    const [one, other] = [memory.submitted(), memory.submitted()]
    memory.drop(leaseOf(memory))
    const reading = yield* Effect.forkChild(memory.loaded, { startImmediately: true })
    one()
    yield* Effect.yieldNow
    assert.strictEqual(node.loads, 1)
    other()
    assert.strictEqual((yield* Fiber.join(reading))?.state.number, 2)
  })
)

it.effect("is loaded again under another epoch, and not at all without one", () =>
  Effect.gen(function* () {
    const { memory, node } = remembering()
    const before = yield* memory.loaded
    node.epoch = 2
    assert.strictEqual((yield* memory.loaded)?.state.number, 2)
    assert.isTrue(before?.lease.over)
    node.epoch = undefined
    assert.isUndefined(yield* memory.loaded)
    assert.isUndefined(memory.current)
  })
)

it.effect("keeps its levels over a reload, as long as no other node can have moved them", () =>
  Effect.gen(function* () {
    const { memory, node } = remembering()
    assert.isUndefined((yield* memory.loaded)?.state.levels)
    memory.drop(leaseOf(memory))
    assert.strictEqual((yield* memory.loaded)?.state.levels, "levels of 1")
    memory.drop(leaseOf(memory))
    node.epoch = 2
    assert.isUndefined((yield* memory.loaded)?.state.levels)
  })
)

it.effect("of an earlier lease drops nothing that was loaded since", () =>
  Effect.gen(function* () {
    const { memory } = remembering()
    yield* memory.loaded
    const first = leaseOf(memory)
    memory.drop(first)
    yield* memory.loaded
    memory.drop(first)
    assert.strictEqual(memory.current?.state.number, 2)
  })
)

it.effect("is read again without its levels once it was forgotten, also during a load", () =>
  Effect.gen(function* () {
    const { memory } = remembering()
    const before = yield* memory.loaded
    memory.forget()
    assert.isTrue(before?.lease.over)
    assert.deepStrictEqual((yield* memory.loaded)?.state, { number: 2, levels: null })
    const loading = Latch.makeUnsafe(false)
    const slow = remembering(loading)
    const read = yield* Effect.forkChild(slow.memory.loaded)
    yield* Effect.yieldNow
    slow.memory.forget()
    loading.openUnsafe()
    assert.deepStrictEqual((yield* Fiber.join(read))?.state, { number: 2, levels: null })
  })
)
