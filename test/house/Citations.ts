import { placeOf } from "./Places.ts"
import type { Violation } from "./WordingRules.ts"

/** An ID of a requirement, or a heading of the gaps. */
const citation = /\b[AMC]-[A-Z]{2,6}-\d{2}\b|\bgaps-\d\b/g

/** Files that show, read or lay out what contracts and rules decide: a citation there goes stale unseen. docs/style.md "Comments" */
const citesNothing = (path: string): boolean =>
  path.startsWith("packages/console/") || (placeOf(path).area === "runtime" && /(?:Repo|Tables)\.ts$/.test(path))

/** Returns the citations of requirements outside of contracts, rules and tests. */
export const citationProblems = (files: ReadonlyMap<string, string>): ReadonlyArray<Violation> =>
  [...files].flatMap(([path, text]) =>
    citesNothing(path)
      ? text.split("\n").flatMap((line, at) =>
          [...line.matchAll(citation)].map(([name]) => ({
            path,
            line: at + 1,
            rule: "citations",
            message: `${name}: cite it at the contract or the rule`
          }))
        )
      : []
  )
