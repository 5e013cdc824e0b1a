import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { Ids, lowestIdAt, lowestUlidAt, parseId, ulidTimeOf } from "../ids/Ids.ts"
import { idOfTrace, traceOf } from "../ids/Ulid.ts"

const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 })

describe("Ids", () => {
  it.layer(Ids.layer)((it) => {
    it.effect("mints a prefix and a lowercase ULID that carries its instant", () =>
      Effect.gen(function* () {
        const ids = yield* Ids
        fc.assert(
          fc.property(instant, (millis) => {
            const minted = ids.mint("msg", millis)
            assert.match(minted, /^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
            assert.isTrue(parseId("msg", minted))
            assert.strictEqual(ulidTimeOf(minted), millis)
          })
        )
      })
    )

    it.effect("orders ids by instant, so newest first is id descending", () =>
      Effect.gen(function* () {
        const ids = yield* Ids
        fc.assert(
          fc.property(instant, instant, (a, b) => {
            fc.pre(a !== b)
            assert.strictEqual(ids.mint("evt", a) < ids.mint("evt", b), a < b)
          })
        )
      })
    )

    it.effect("bounds a time filter exactly: at or after, and before", () =>
      Effect.gen(function* () {
        const ids = yield* Ids
        fc.assert(
          fc.property(instant, instant, (at, bound) => {
            assert.strictEqual(ids.mint("con", at) >= lowestIdAt("con", bound), at >= bound)
          })
        )
      })
    )

    it.effect("never repeats an id across many blocks of randomness", () =>
      Effect.gen(function* () {
        const ids = yield* Ids
        const minted = new Set(Array.from({ length: 5000 }, () => ids.mint("req", 1)))
        assert.strictEqual(minted.size, 5000)
      })
    )

    it.effect("draws trace ids of 32 lowercase hex characters (gaps-1 A Trace id)", () =>
      Effect.gen(function* () {
        const ids = yield* Ids
        const traces = Array.from({ length: 2000 }, () => ids.traceId())
        for (const trace of traces) assert.match(trace, /^[0-9a-f]{32}$/)
        assert.strictEqual(new Set(traces).size, 2000)
      })
    )

    it.effect("tells the trace of an id, and the id of that trace (gaps-1 A Trace id)", () =>
      Effect.gen(function* () {
        const ids = yield* Ids
        const minted = Array.from({ length: 500 }, (_, n) => ids.mint("req", n * 1e9))
        for (const id of minted) {
          const trace = traceOf(id)
          assert.match(trace, /^[0-9a-f]{32}$/)
          assert.strictEqual(idOfTrace("req", trace), id)
          // The instant of a ULID is its first 48 bits.
          assert.strictEqual(Number.parseInt(trace.slice(0, 12), 16), ulidTimeOf(id))
        }
        assert.strictEqual(new Set(minted.map(traceOf)).size, 500)
        for (const trace of ["", "chosen-by-caller", "f".repeat(31), "F".repeat(32)]) {
          assert.isUndefined(idOfTrace("req", trace))
        }
      })
    )

    it.effect("hands out bytes that later draws do not overwrite", () =>
      Effect.gen(function* () {
        const ids = yield* Ids
        const kept = ids.bytes(32)
        const before = Array.from(kept)
        for (let i = 0; i < 2000; i++) ids.traceId()
        assert.deepStrictEqual(Array.from(kept), before)
        assert.strictEqual(ids.bytes(20_000).length, 20_000)
      })
    )
  })

  it.effect("repeats itself for a seed", () => {
    const draw = Effect.gen(function* () {
      const ids = yield* Ids
      return [ids.mint("org", 5), ids.mint("org", 5), ids.traceId()]
    })
    return Effect.gen(function* () {
      const first = yield* Effect.provide(draw, Ids.layerSeeded(7))
      assert.deepStrictEqual(yield* Effect.provide(draw, Ids.layerSeeded(7)), first)
      assert.notDeepEqual(yield* Effect.provide(draw, Ids.layerSeeded(8)), first)
      assert.notStrictEqual(first[0], first[1])
    })
  })

  it("clamps instants no ULID can hold", () => {
    assert.strictEqual(lowestUlidAt(-1), "0".repeat(26))
    assert.strictEqual(lowestUlidAt(2 ** 50), `7zzzzzzzzz${"0".repeat(16)}`)
  })

  it("refuses any other shape", () => {
    const good = `msg_${lowestUlidAt(1_700_000_000_000)}`
    assert.isTrue(parseId("msg", good))
    const others = ["", "msg_", good.toUpperCase(), `${good}0`, good.slice(0, -1), good.replace("_", "-")]
    others.push(`mev_${good.slice(4)}`, `msg_8${good.slice(5)}`, `${good.slice(0, -1)}u`, `${good.slice(0, -1)}\n`)
    for (const text of others) assert.isFalse(parseId("msg", text), text)
    fc.assert(fc.property(fc.string(), (text) => !parseId("msg", text)))
  })
})

it("sorts ids of one millisecond as they were minted", () => {
  const ids = Effect.runSync(Effect.provide(Ids, Ids.layer))
  const minted = Array.from({ length: 2000 }, () => ids.mint("evt", 1_795_000_000_000))
  assert.deepStrictEqual([...minted].sort(), minted)
})
