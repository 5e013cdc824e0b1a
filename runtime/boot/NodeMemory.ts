import { setFlagsFromString } from "node:v8"
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

/** How often a node looks whether it rests. */
const lookEvery = Duration.seconds(10)
/** A heap that changes by less from one look to the next is that of a node whom nobody calls; a call takes some 0.1 MB. */
const quietBytes = 2 * 1024 * 1024
/** What a heap has gained when it is worth a collection. */
const worthBytes = 32 * 1024 * 1024

/**
 * Returns the look of a node at its heap. Collects when the node rests, that is when its heap has hardly changed since
 * the look before, and has gained 32 MB since the last collection. Both take bytes of the heap in use.
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
 * Gives garbage back while nobody calls, as long as the scope is open. An old generation that begins at 256 MB is not
 * collected before it is full, so that a node kept the garbage of its last load until the next one.
 */
export const giveBackAtRest: Effect.Effect<void, never, Scope.Scope> = Effect.suspend(() => {
  const collect = collector()
  const look = restingCollection(
    () => process.memoryUsage().heapUsed,
    () => collect({ type: "major", execution: "sync", flavor: "regular" })
  )
  return Effect.forkScoped(Effect.repeat(Effect.sync(look), Schedule.spaced(lookEvery)))
})
