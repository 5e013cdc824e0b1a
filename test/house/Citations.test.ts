import { assert, describe, it } from "@effect/vitest"
import { citationProblems } from "./Citations.ts"

const problemsOf = (path: string, text: string) =>
  citationProblems(new Map([[path, text]])).map(({ line, message }) => `${line} ${message}`)

describe("citations of requirements", () => {
  it.each(["packages/console/keys/KeysHttp.ts", "runtime/flows/flow/FlowRepo.ts", "runtime/flows/flow/FlowTables.ts"])(
    "are refused in %s, which shows, reads or lays out",
    (path) => {
      assert.deepStrictEqual(problemsOf(path, '/** Flows. M-FLOW-07 */\n// gaps-2 G "Flow routes"\n// decision 0071'), [
        "1 M-FLOW-07: cite it at the contract or the rule",
        "2 gaps-2: cite it at the contract or the rule"
      ])
    }
  )

  it.each(["schema/flows/Flow.ts", "runtime/flows/flow/FlowRules.ts", "test/flows/Flows.test.ts"])(
    "stand in %s",
    (path) => assert.deepStrictEqual(problemsOf(path, "/** Flows. M-FLOW-07 */"), [])
  )
})
