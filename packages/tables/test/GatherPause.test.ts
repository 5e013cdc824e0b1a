import { assert, it } from "@effect/vitest"
import { GatherPause } from "../GatherPause.ts"

const reads = 1000

/** Plays reads of callers that ask so many milliseconds apart; `come` tells how many asks each read gathers. */
const play = (gapMs: number, come: (awaited: number) => number) => {
  const pause = new GatherPause(3)
  const awaited: Array<number> = []
  let at = 0
  for (let read = 0; read < reads; read++) {
    pause.asked((at += gapMs))
    const most = pause.next()
    const gathered = come(most)
    for (let n = 1; n < gathered; n++) pause.asked((at += gapMs))
    pause.gathered(gathered)
    awaited.push(most)
  }
  return awaited
}
const share = (awaited: ReadonlyArray<number>, is: (most: number) => boolean) => awaited.filter(is).length / reads

it("asks further apart than the pause never wait", () => {
  assert.deepStrictEqual(new Set(play(50, () => 1)), new Set([1]))
})

it("a caller that asks again only when it was answered waits once in 256 reads", () => {
  const awaited = play(0.5, () => 1)
  assert.strictEqual(
    share(awaited, (most) => most > 1),
    3 / reads
  )
})

it("asks that come by themselves are gathered for the whole pause", () => {
  const awaited = play(1, (most) => Math.min(most, 4))
  assert.deepStrictEqual(new Set(awaited.slice(-200)), new Set([4]))
})

it("a few callers that wait for their answers end the pause once all of them ask", () => {
  const callers = 3
  const awaited = play(0.1, (most) => Math.min(most, callers))
  assert.isAbove(share(awaited.slice(-200), (most) => most === callers) * reads, 198)
})

it("no read waits for more than eight asks", () => {
  assert.strictEqual(Math.max(...play(0.01, () => 200)), 8)
})

it("when fewer callers ask, reads soon stop waiting for those that left", () => {
  let read = 0
  const awaited = play(0.1, (most) => Math.min(most, read++ < 500 ? 8 : 1))
  assert.strictEqual(awaited[499], 8)
  assert.strictEqual(
    share(awaited.slice(550), (most) => most > 1),
    1 / reads
  )
})
