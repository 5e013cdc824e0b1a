import { Cursors } from "@carteiro/http-edge/Paging.ts"
import { InvalidCursor } from "@carteiro/schema/conventions/SharedErrors.ts"
import { makeSecrets, Secrets } from "@carteiro/secrets/Secrets.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import fc from "fast-check"

const master = (byte: number) => new Uint8Array(32).fill(byte)
const under = (...masters: readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]) =>
  Cursors.layer.pipe(Layer.provide(Layer.succeed(Secrets, makeSecrets(masters))))

const field = fc.string({ maxLength: 30 })
const position = fc.array(field, { maxLength: 3 })
const read = (cursors: Cursors["Service"], route: string, scope: string, cursor: string) =>
  Effect.runSyncExit(cursors.decode(route, scope, cursor))
const isRefused = (cursors: Cursors["Service"], route: string, scope: string, cursor: string) => {
  const exit = Effect.runSync(Effect.flip(cursors.decode(route, scope, cursor)))
  assert.instanceOf(exit, InvalidCursor)
  assert.strictEqual(exit.param, "starting_after")
}

describe("Cursors", () => {
  it.layer(under(master(1)))((it) => {
    it.effect("gives back the position it was made of, in at most 512 URL-safe characters A-CONV-17", () =>
      Effect.gen(function* () {
        const cursors = yield* Cursors
        fc.assert(
          fc.property(field, field, position, (route, scope, position) => {
            const cursor = cursors.encode(route, scope, position)
            assert.match(cursor, /^[A-Za-z0-9_-]{1,512}$/)
            assert.deepStrictEqual(read(cursors, route, scope, cursor), Exit.succeed(position))
          })
        )
      })
    )

    it.effect("refuses a cursor of another route or another environment A-CONV-18", () =>
      Effect.gen(function* () {
        const cursors = yield* Cursors
        fc.assert(
          fc.property(field, field, field, position, (route, scope, other, position) => {
            const cursor = cursors.encode(route, scope, position)
            if (other !== route) isRefused(cursors, other, scope, cursor)
            if (other !== scope) isRefused(cursors, route, other, cursor)
          })
        )
      })
    )

    it.effect("refuses what was altered, cut, padded, empty, too long or made up A-CONV-18", () =>
      Effect.gen(function* () {
        const cursors = yield* Cursors
        const good = cursors.encode("list", "env_1", ["2026-01-01T00:00:00.000Z", "msg_1"])
        for (const bad of ["", `${good}=`, ` ${good}`, `${good}\n`, good.slice(0, -1), `${good}A`, "A".repeat(513)]) {
          isRefused(cursors, "list", "env_1", bad)
        }
        const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        fc.assert(
          fc.property(fc.nat(good.length - 1), fc.constantFrom(...alphabet), (at, character) => {
            const altered = good.slice(0, at) + character + good.slice(at + 1)
            if (altered !== good) isRefused(cursors, "list", "env_1", altered)
          })
        )
        fc.assert(fc.property(fc.string({ maxLength: 600 }), (text) => isRefused(cursors, "list", "env_1", text)))
      })
    )

    it.effect("does not let one field pass for two", () =>
      Effect.gen(function* () {
        const cursors = yield* Cursors
        isRefused(cursors, "a", "bc", cursors.encode("ab", "c", ["x"]))
        assert.notStrictEqual(cursors.encode("r", "s", ["a", "b"]), cursors.encode("r", "s", ["ab"]))
      })
    )

    it.effect("names the parameter it was given A-ERR-02", () =>
      Effect.gen(function* () {
        const cursors = yield* Cursors
        const refusal = yield* Effect.flip(cursors.decode("listen", "env_1", "x", "cursor"))
        assert.strictEqual(refusal.param, "cursor")
      })
    )
  })

  it.effect("keeps honoring cursors made under an older master key", () =>
    Effect.gen(function* () {
      const made = yield* Effect.provide(Cursors, under(master(1))).pipe(Effect.map((c) => c.encode("r", "s", ["p"])))
      const rotated = yield* Effect.provide(Cursors, under(master(2), master(1)))
      assert.deepStrictEqual(yield* rotated.decode("r", "s", made), ["p"])
      isRefused(yield* Effect.provide(Cursors, under(master(2))), "r", "s", made)
    })
  )
})
