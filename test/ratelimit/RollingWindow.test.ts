import { admit, type RollingWindow } from "@carteiro/runtime/ratelimit/RollingWindow.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const limit = { limit: 5, windowMillis: 60_000 }
const waits = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 80 })

describe("RollingWindow", () => {
  it("admits five in any rolling 60 seconds, and the sixth waits A-WHT-08", () => {
    fc.assert(
      fc.property(waits, (waits) => {
        let window: RollingWindow = []
        let now = 0
        const admitted: Array<number> = []
        for (const wait of waits) {
          now += wait
          const answer = admit(window, limit, now)
          window = answer.window
          const within = admitted.filter((at) => at > now - limit.windowMillis).length
          assert.strictEqual(answer.admitted, within < limit.limit)
          if (answer.admitted) admitted.push(now)
        }
      })
    )
  })

  it("names the exact wait, and refusals do not extend it (gaps-1 M Clock of the test limit)", () => {
    fc.assert(
      fc.property(waits, fc.nat(50), (waits, refusals) => {
        let window: RollingWindow = []
        let now = 0
        for (const wait of waits) {
          now += wait
          window = admit(window, limit, now).window
        }
        const first = admit(window, limit, now)
        if (first.admitted) return
        let kept = first.window
        for (let i = 0; i < refusals; i++) kept = admit(kept, limit, now).window
        assert.isFalse(admit(kept, limit, now + first.retryAfterMs - 1).admitted)
        assert.isTrue(admit(kept, limit, now + first.retryAfterMs).admitted)
      })
    )
  })

  it("holds no more than the limit, and survives a clock that steps back", () => {
    let window: RollingWindow = []
    for (let i = 0; i < 100; i++) window = admit(window, limit, 100_000 - i).window
    assert.lengthOf(window, 5)
    assert.strictEqual(admit(window, limit, 90_000).retryAfterMs, 70_000)
  })
})
