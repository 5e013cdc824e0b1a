import { Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { vi } from "vitest"
import { answerQuestion } from "../../packages/owners/link/Handshake.ts"

it.effect("A caller of the runner's port that never ends its first line is cut off after ten seconds", () =>
  Effect.acquireUseRelease(
    Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })),
    () =>
      Effect.gen(function* () {
        const socket = new Socket()
        const first = yield* Effect.forkChild(answerQuestion(socket), { startImmediately: true })
        vi.advanceTimersByTime(9_999)
        assert.isFalse(socket.destroyed)
        vi.advanceTimersByTime(1)
        assert.isTrue(socket.destroyed)
        assert.isUndefined(yield* Fiber.join(first))
      }),
    () => Effect.sync(() => vi.useRealTimers())
  )
)
