import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestDatabase from "../support/TestDatabase.ts"
import { type RunPlan, run } from "./Run.ts"

/** Small enough for every test run; `npm run test:faults` does the rest. */
const short: Omit<RunPlan, "seed"> = {
  mode: "single",
  faults: ["kill"],
  rounds: 1,
  seconds: 90,
  clients: 4,
  merchants: 1,
  batch: 25,
  shards: 0,
  edges: 0,
  processes: 1,
  cards: "stripe",
  pix: "both"
}

it.live.each(["tico-tico"])(
  "keeps its promises over a kill under load, with money by stripe, mercadopago and pix-api (seed %s)",
  (seed) =>
    Effect.gen(function* () {
      const databaseUrl = yield* TestDatabase.create()
      const { evidence, folder, verdicts } = yield* run({ ...short, seed, databaseUrl })
      const broken = verdicts.filter(({ violations }) => violations.length > 0)
      assert.deepStrictEqual(broken, [], `logs and evidence: ${folder}`)
      const kills = evidence.entries.filter((entry) => entry.phase === "fault" && entry.stage === "end")
      assert.strictEqual(kills.length, short.rounds)
      assert.isAbove(evidence.messages.length, 0)
      const credited = evidence.money.topups.flatMap(({ provider, status }) =>
        status === "succeeded" ? [provider] : []
      )
      assert.includeMembers(credited, ["cardproc", "pixprov2"])
      assert.isNotEmpty(evidence.payments.vendor.creates)
    }),
  240_000
)
