import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Activations } from "../Cluster.ts"

it.layer(Activations.layer)("Wake-ups of a node", (it) => {
  it.effect("that arrive in one turn of the event loop reach an owner once for each instant", () =>
    Effect.gen(function* () {
      const activations = yield* Activations
      const told: Array<string> = []
      for (const type of ["Worker", "Other"]) activations.wakeWith(type, (id, at) => told.push(`${type} ${id} ${at}`))
      const turn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

      activations.wake("Worker", "one", 30)
      activations.wake("Worker", "one", 10)
      activations.wake("Worker", "one", 10)
      activations.wake("Worker", "two")
      activations.wake("Other", "one", 20)
      activations.wake("Worker", "one", 30)
      yield* turn
      // One for later is not lost in one for now.
      assert.deepStrictEqual(told, ["Worker one 30", "Worker one 10", "Worker two 0", "Other one 20"])

      activations.wake("Worker", "one", 40)
      yield* turn
      assert.strictEqual(told.at(-1), "Worker one 40")
    })
  )
})
