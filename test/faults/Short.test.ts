import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestDatabase from "../support/TestDatabase.ts"
import { type RunPlan, run } from "./Run.ts"

/** Small enough for every test run; `npm run test:faults` does the rest. */
const short: Omit<RunPlan, "seed" | "pix"> = {
  mode: "single",
  faults: ["kill"],
  rounds: 1,
  seconds: 90,
  clients: 4,
  // A payment whose notice the kill swallows is looked up after five minutes: longer than a test should take.
  merchants: 0,
  batch: 25,
  shards: 0,
  edges: 0,
  processes: 1,
  cards: "stripe"
}

it.live.each([
  { pix: "mercadopago", seed: "tico-tico" },
  { pix: "pix-api", seed: "bem-te-vi" }
] as const)(
  "keeps its promises over a kill under load, with money by stripe and $pix (seed $seed)",
  ({ pix, seed }) =>
    Effect.gen(function* () {
      const databaseUrl = yield* TestDatabase.create()
      const { evidence, folder, verdicts } = yield* run({ ...short, pix, seed, databaseUrl })
      const broken = verdicts.filter(({ violations }) => violations.length > 0)
      assert.deepStrictEqual(broken, [], `logs and evidence: ${folder}`)
      const kills = evidence.entries.filter((entry) => entry.phase === "fault" && entry.stage === "end")
      assert.strictEqual(kills.length, short.rounds)
      assert.isAbove(evidence.messages.length, 0)
      const credited = evidence.money.topups.flatMap(({ provider, status }) =>
        status === "succeeded" ? [provider] : []
      )
      assert.includeMembers(credited, ["cardproc", "pixprov2"])
    }),
  240_000
)
