import * as Messages from "@carteiro/runtime/messages/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { accept, hear, steps, stored } from "../messages/Sending.ts"
import { seedSender } from "../support/Numbers.ts"
import { beginning, OwnerTest, turnBy, turnTo } from "../support/OwnerTest.ts"

// The worked example of docs/testing.md, which quotes it.
it.layer(OwnerTest(Messages.room.owners), { excludeTestServices: true })("A turned clock", (it) => {
  it.effect("a sandbox message is read after six units and the window closes after a day M-WIN-01 M-SBX-25", () =>
    Effect.gen(function* () {
      const number = yield* seedSender()
      yield* hear(number) // the customer writes: the window opens at `beginning`

      const { id } = yield* accept(number)
      yield* turnBy(1499)
      assert.strictEqual((yield* stored(id)).status, "sent")
      yield* turnBy(1) // 3 units of 500 ms
      assert.strictEqual((yield* stored(id)).status, "delivered")

      yield* turnTo("2026-01-01T23:59:59.999Z") // a day less one millisecond, timer by timer
      assert.deepStrictEqual(yield* steps(id, beginning), [
        "queued@0",
        "sending@500",
        "sent@500",
        "delivered@1500",
        "read@3000"
      ])
      yield* accept(number)
      yield* turnBy(1)
      assert.strictEqual((yield* Effect.flip(accept(number)))._tag, "service_window_required")
    })
  )
})
