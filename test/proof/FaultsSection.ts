import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { RunSummary } from "../faults/Summary.ts"

/** The runs that the page shows, as `--results` wrote them. */
export const shownRuns = fileURLToPath(new URL("fault-runs.jsonl", import.meta.url))

/** Returns the section about the runs of the fault suite in a file. */
export const faultsSection = (path: string): string => {
  const lines = readFileSync(path, "utf8").trim().split("\n")
  const runs = lines.map((line) => JSON.parse(line) as RunSummary)
  const broken = runs.filter((run) => run.broken.length > 0)
  const said =
    broken.length === 0
      ? "Every check held in every run."
      : broken.map(({ broken, seed }) => `**Broken in \`${seed}\`:** ${broken.join("; ")}.`).join("\n")
  return `\`npm run test:faults\` runs the product as real processes under load and hurts them; [reliability](reliability.md) says how, and what it promises.
A checker reads what callers, receivers and vendors saw. The same seed makes the same choices again. ${said}

| seed | installation, seconds | cards, Pix | faults | sends | messages | deliveries | payments, top-ups, groups | lost answers | checks held |
|---|---|---|---|---|---|---|---|---|---|
${runs.map(rowOf).join("\n")}

Runs of ${[...new Set(runs.map(({ commit, day }) => `${day} at ${commit}`))].join(", ")}. A lost answer is one that no caller could tell the end of: it is asked again under its key, and
checked. Payments of a killed call are known minutes later. Cards and Pix are simulators on the wires of the drivers that are named;
a bridge speaks [the product's own](bridge.md).
${strikesOf(runs)}`.trim()
}

/** What vendors did wrong in all runs together, by their drivers; nothing where no run recorded it. */
const strikesOf = (runs: ReadonlyArray<RunSummary>): string => {
  const byDriver = new Map<string, Map<string, number>>()
  for (const { drivers, strikes } of runs) {
    for (const role of ["cards", "pix"] as const) {
      const counts = byDriver.get(drivers[role]) ?? new Map<string, number>()
      for (const [fault, count] of Object.entries(strikes?.[role] ?? {})) {
        counts.set(fault, (counts.get(fault) ?? 0) + count)
      }
      if (counts.size > 0) byDriver.set(drivers[role], counts)
    }
  }
  const drivers = [...byDriver.keys()]
  if (drivers.length === 0) return ""
  const faults = [...new Set([...byDriver.values()].flatMap((counts) => [...counts.keys()]))].toSorted()
  const rows = faults.map((fault) => {
    const cells = drivers.map((driver) => byDriver.get(driver)?.get(fault) ?? "")
    return `| \`${fault}\` | ${cells.join(" | ")} |`
  })
  return `
So often each fault of a vendor struck a call or a notice, in the runs that counted it; [reliability](reliability.md#the-fault-suite) says what they are.

| fault | ${drivers.map((driver) => `\`${driver}\``).join(" | ")} |
|---|${drivers.map(() => "---|").join("")}
${rows.join("\n")}`
}

const rowOf = (run: RunSummary): string =>
  [
    "",
    `\`${run.seed}\``,
    `${installationOf(run)}, ${run.seconds}`,
    `\`${run.drivers.cards}\`, \`${run.drivers.pix}\``,
    `${run.faults.length}: ${counted(run.faults)}`,
    ...[run.sends, run.messages, run.deliveries].map((count) => count.toLocaleString("en-US")),
    `${run.payments}, ${run.topups}, ${run.groups}`,
    run.lostAnswers.toLocaleString("en-US"),
    `${run.checks - run.broken.length} of ${run.checks}`,
    ""
  ]
    .join(" | ")
    .trim()

const installationOf = ({ edges, mode, processes, shards }: RunSummary): string => {
  if (mode === "single") return processes === 1 ? "one process" : `one node of ${processes} processes`
  const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`
  const first = processes === 1 ? "" : `, the first of ${processes} processes`
  return `${counted(edges, "edge")}, ${counted(shards, "shard")}${first}`
}

/** How often each fault was done: by its name, with a link's kind of hurt. */
const counted = (faults: ReadonlyArray<string>): string => {
  const counts = new Map<string, number>()
  for (const fault of faults) {
    const [name = "", first = ""] = fault.split(" ")
    const kind = name === "link" ? `link ${first}` : name
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, count]) => (count === 1 ? kind : `${kind} ${count} times`)).join(", ")
}
