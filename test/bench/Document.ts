import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Finding, tableOf } from "./Report.ts"

/** The committed numbers: a head about the machine, and one section a workload. */
export interface Document {
  readonly head: string
  readonly sections: ReadonlyMap<string, string>
}

const pathOf = (root: string) => join(root, "docs/benchmarks.md")

/** Reads `docs/benchmarks.md`; empty when there is none. */
export const readDocument = (root: string): Document => {
  const text = existsSync(pathOf(root)) ? readFileSync(pathOf(root), "utf8") : ""
  const [head = "", ...parts] = text.split(/^## /m)
  return { head, sections: new Map(parts.map((part) => [part.split("\n", 1)[0] ?? "", part])) }
}

/** The rate of a side in the committed document, as it is written there. */
export const committedRate = (document: Document, workload: string, side: string): string | undefined =>
  document.sections
    .get(workload)
    ?.split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .find((cells) => cells[1] === side)?.[2]

/** Writes the findings over the committed ones of the same workloads; the others stay, each with its own date. */
export const writeDocument = (
  root: string,
  order: ReadonlyArray<string>,
  findings: ReadonlyArray<Finding>,
  about: { readonly head: string; readonly run: string }
): void => {
  const sections = new Map(readDocument(root).sections)
  for (const finding of findings) sections.set(finding.name, sectionOf(finding, about.run))
  const known = order.flatMap((name) => sections.get(name) ?? [])
  writeFileSync(
    pathOf(root),
    [about.head, ...known]
      .map((part) => part.trimEnd())
      .join("\n\n## ")
      .concat("\n")
  )
}

const sectionOf = (finding: Finding, run: string): string => {
  const [head, ...rows] = tableOf(finding)
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  const table = head === undefined ? [] : ["", line(head), line(head.map(() => "---")), ...rows.map(line)]
  const facts = finding.facts.length === 0 ? [] : ["", ...finding.facts.map((fact) => `- ${fact}`)]
  const bars = finding.bars.map(
    ({ measured, passed, promise }) => `- ${passed ? "Kept" : "Missed"}: ${promise} (${measured})`
  )
  const judged = bars.length === 0 ? [] : ["", ...bars]
  return [finding.name, "", `${finding.about}`, ...table, ...facts, ...judged, "", run, ""].join("\n")
}
