import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** One departure of a decision from the form that all have. */
export interface FormFault {
  readonly path: string
  readonly message: string
}

/** The sections of a decision in their order; options and evidence stand where there are any. */
const sections = ["Context", "Options", "Decision", "Evidence", "Consequences"] as const
const optional: ReadonlySet<string> = new Set(["Options", "Evidence"])

const statuses = /^Status: (?:proposed|accepted|replaced|withdrawn)\b/

/** Returns how decisions, by their path, depart from the form: number and title, status, and the sections in their order. */
export const formFaults = (decisions: ReadonlyMap<string, string>): ReadonlyArray<FormFault> => {
  const faults: Array<FormFault> = []
  const byNumber = new Map<string, string>()
  for (const [path, text] of decisions) {
    const fault = (message: string) => faults.push({ path, message })
    const name = path.split("/").at(-1) ?? ""
    const [number = ""] = /^\d{4}(?=-[a-z0-9-]+\.md$)/.exec(name) ?? []
    if (number === "") fault("the name is not NNNN-title.md")
    else if (byNumber.has(number)) fault(`${byNumber.get(number)} has this number too`)
    byNumber.set(number, path)
    const [title = "", ...rest] = text.split("\n").filter((line) => line !== "")
    if (!title.startsWith(`# ${number}: `)) fault(`the first line is not "# ${number}: <title>"`)
    if (!statuses.test(rest[0] ?? "")) fault('the second line is not "Status: accepted." or another status')
    for (const message of sectionFaults(text)) fault(message)
  }
  return faults
}

const sectionFaults = (text: string): ReadonlyArray<string> => {
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading)
  const expected = sections.filter((name) => !optional.has(name) || headings.includes(name))
  if (headings.join() !== expected.join())
    return [`the sections are ${headings.join(", ") || "none"}; they should be ${expected.join(", ")}`]
  const empty = text
    .split(/^## /m)
    .slice(1)
    .filter((section) => section.split("\n").slice(1).join("").trim() === "")
    .map((section) => section.split("\n")[0])
  return empty.map((name) => `${name} is empty`)
}

const folder = join(import.meta.dirname, "../../docs/decisions")

/** Returns the decisions of the project by their path. */
export const decisions = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder)
      .toSorted()
      .map((name) => [`docs/decisions/${name}`, readFileSync(join(folder, name), "utf8")])
  )

if (import.meta.main) {
  const faults = formFaults(decisions())
  for (const { message, path } of faults) process.stderr.write(`${path}: ${message}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
