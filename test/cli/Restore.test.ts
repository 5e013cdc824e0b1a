import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { CliTest, json, run } from "./Commands.ts"

it.layer(CliTest, { excludeTestServices: true })("carteiro-operator restore", (it) => {
  it.effect("names missing arguments and ids that are not held, and changes nothing", () =>
    Effect.gen(function* () {
      const refusals = [
        [["accept", "--to", "yesterday"], /--to: expected an instant of the past such as/],
        [["accept", "--to", "2999-01-01T00:00:00Z"], /--to: expected an instant of the past such as/],
        [["release"], /Name the id of one piece of held work, or --all with --kind/],
        [["fail", "--all"], /Name the id of one piece of held work, or --all with --kind/],
        [["release", "msg_1"], /msg_1 is not held/],
        [["list", "--kind", "parcels"], /--kind: expected one of emails, .*sends.*, not "parcels"/],
        [["fail", "--all", "--kind", "charges"], /Work of kind charges cannot be failed: release it/]
      ] as const
      for (const [words, refusal] of refusals) {
        assert.match((yield* run("restore", ...words)).refusal, refusal, words.join(" "))
      }
    })
  )

  it.effect("lists nothing and changes nothing when nothing is held", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run("restore", "list")).text, "nothing is held")
      assert.deepStrictEqual(yield* json("restore", "list"), { data: [] })
      const released = yield* json("restore", "release", "--all", "--kind", "sends")
      assert.deepStrictEqual(released, { kind: "sends", released: 0, ended: 0 })
    })
  )
})
