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

  it.effect("empties a sandbox for its project's slug, and takes its time back", () =>
    Effect.gen(function* () {
      const { base_url, folder, project_id, sandbox } = yield* Product
      const env = { CARTEIRO_API_KEY: sandbox.api_key, CARTEIRO_API_BASE: base_url }
      const run = (...words: ReadonlyArray<string>) => carteiro(folder, env, ...words)
      const project = json(yield* run("api", "get", `projects/${project_id}`, "--json"))
      assert.strictEqual((yield* run("trigger", "message.received")).code, 0)
      assert.strictEqual((yield* run("clock", "advance", "2d")).code, 0)
      const silent = yield* run("clock", "reset")
      assert.strictEqual(silent.code, 1)
      assert.match(
        silent.stderr,
        /nothing was done \(not_confirmed\)\nnext: write the slug .*carteiro clock reset <slug>/
      )
      const other = yield* run("clock", "reset", `${project.slug}-2`)
      assert.deepStrictEqual([other.code, other.stderr.includes("invalid_sandbox_request")], [1, true], other.stderr)
      assert.strictEqual(json(yield* run("api", "get", "messages", "--json")).data.length, 1)
      const reset = json(yield* run("clock", "reset", project.slug, "--json"))
      assert.deepInclude(reset, { kind: "reset", status: "settled", error: null })
      assert.include((yield* run("clock", "show")).stdout, "0 seconds ahead of real time, and goes on.")
      assert.deepStrictEqual(json(yield* run("api", "get", "messages", "--json")).data, [])
    })
  )
})
