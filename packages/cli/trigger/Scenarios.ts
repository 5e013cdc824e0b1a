import { inboundScenarios } from "./InboundScenarios.ts"
import { otherScenarios } from "./OtherScenarios.ts"
import { resourceScenarios } from "./ResourceScenarios.ts"
import type { Scenario } from "./Scenario.ts"
import { statusScenarios } from "./StatusScenarios.ts"

/** All scenarios of a sandbox, in the order of `--list`. */
export const scenarios: ReadonlyArray<Scenario> = [
  ...inboundScenarios,
  ...statusScenarios,
  ...resourceScenarios,
  ...otherScenarios
]
