import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Duration, Effect, Schedule, type Scope } from "effect"
import { letGoOfCompiledCode } from "./CompiledCode.ts"

const collector = (): NodeJS.GCFunction => {
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc")
}

/**
 * Gives back what starting needed and running does not: compiled source, modules' own garbage and the young generation
 * it grew. One collection of some 0.2 s before anyone calls; an idle process is then a third smaller, with room left
 * for a young generation that suits load.
 */
export const giveBackStartMemory: Effect.Effect<void> = Effect.sync(() => {
  letGoOfCompiledCode()
  collector()({ type: "major", execution: "sync", flavor: "last-resort" })
})

/** Returns the bytes of what outlived the young generation. Where nobody calls it grows little, and shrinks by a collection alone. */
const oldGenerationBytes = (): number =>
  getHeapSpaceStatistics().reduce(
    (sum, { space_name, space_used_size }) =>
      /^(?:old|large_object)_space$/.test(space_name) ? sum + space_used_size : sum,
    0
  )

/** How often a node looks whether it rests. */
const lookEvery = Duration.seconds(10)
/** An old generation that changes by less from one look to the next is that of a node whom hardly anybody calls: a call adds some 6 KB. */
const quietBytes = 512 * 1024
/** The growth of an old generation that is worth a collection: some 4,000 calls. */
const worthBytes = 24 * 1024 * 1024

/**
 * Returns the look of a node at its old generation. Collects when the node rests, that is when it has hardly changed since
 * the look before, and has gained 24 MB since the last collection. `usedBytes` returns what is in use.
 */
export const restingCollection = (usedBytes: () => number, collect: () => void): (() => void) => {
  let floor = usedBytes()
  let before = floor
  return () => {
    const used = usedBytes()
    const rests = Math.abs(used - before) < quietBytes
    before = used
    floor = Math.min(floor, used)
    if (!rests || used - floor < worthBytes) return
    collect()
    before = usedBytes()
    floor = before
  }
}

/**
 * Gives garbage back while a node rests, as long as the scope is open. An old generation that begins at 256 MB is not
 * collected before it is full, so that a node kept the garbage of its last load until the next one.
 */
export const giveBackAtRest: Effect.Effect<void, never, Scope.Scope> = Effect.suspend(() => {
  const collect = collector()
  const look = restingCollection(oldGenerationBytes, () =>
    collect({ type: "major", execution: "sync", flavor: "regular" })
  )
  return Effect.forkScoped(Effect.repeat(Effect.sync(look), Schedule.spaced(lookEvery)))
})
