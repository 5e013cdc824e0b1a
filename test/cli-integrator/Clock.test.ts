import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { carteiro, json, Product } from "./Cli.ts"

const slow = 240_000

it.layer(Product.layer, { excludeTestServices: true, timeout: slow })("clock", (it) => {
  it.effect("advances, freezes and resumes the time of a sandbox", () =>
    Effect.gen(function* () {
      const { base_url, folder, sandbox } = yield* Product
      const env = { CARTEIRO_API_KEY: sandbox.api_key, CARTEIRO_API_BASE: base_url }
      const run = (...words: ReadonlyArray<string>) => carteiro(folder, env, "clock", ...words)
      const frozen = json(yield* run("freeze", "--json"))
      assert.strictEqual(frozen.frozen, true)
      const ahead = yield* run("advance", "28h", "--json")
      assert.strictEqual(ahead.code, 0, ahead.stderr)
      const { from, status, to } = json(ahead)
      assert.deepStrictEqual([status, Date.parse(to) - Date.parse(from)], ["settled", 28 * 3_600_000])
      const shown = yield* run("show")
      assert.include(shown.stdout, `It is ${to} in this sandbox`)
      assert.strictEqual(json(yield* run("resume", "--json")).frozen, false)
      const wrong = yield* run("advance", "soon")
      assert.strictEqual(wrong.code, 2)
      assert.match(wrong.stderr, /soon is no length such as 90s, 28h or 40d/)
      assert.match((yield* run("advance", "3")).stderr, /3 is no length such as 90s, 28h or 40d/)
    })
  )
})
