import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The longest files on a quiet machine, longest first: a fresh clone has no durations of earlier runs. */
const longest: ReadonlyArray<string> = [
  "test/openapi/CodeSamples.test.ts",
  "test/docs/Guides.test.ts",
  "test/faults/Short.test.ts",
  "test/cluster/Failover.test.ts",
  "test/simulation/Owners.test.ts",
  "test/simulation/Endpoint.test.ts"
]

/** Projects stay together, because a worker loads all modules again when it changes from one to another. */
const projects: ReadonlyArray<string> = ["process", "simulation", "fuzz", "unit"]

/**
 * Starts the longest files first, so that no worker is idle at the end of a run behind one long file. Files that are
 * not listed keep the order of vitest: failed ones first, then by the duration of the last run or by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.indexOf(relative(this.ctx.config.root, moduleId))
      return at === -1 ? longest.length : at
    }
    const sorted = await super.sort(files)
    return sorted.toSorted(
      (a, b) => projects.indexOf(a.project.name) - projects.indexOf(b.project.name) || rank(a) - rank(b)
    )
  }
}
