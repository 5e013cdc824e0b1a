import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect } from "effect"
import { letGoOfCompiledCode } from "./CompiledCode.ts"

/**
 * Gives back what starting needed and running does not: compiled source, modules' own garbage and the young generation
 * it grew. One collection of some 0.2 s before anyone calls; an idle process is then a third smaller, with room left
 * for a young generation that suits load.
 */
export const giveBackStartMemory: Effect.Effect<void> = Effect.sync(() => {
  letGoOfCompiledCode()
  setFlagsFromString("--expose-gc")
  const collect: NodeJS.GCFunction = runInNewContext("gc")
  collect({ type: "major", execution: "sync", flavor: "last-resort" })
})
