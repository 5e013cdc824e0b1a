import { spawnSync } from "node:child_process"
import { globSync } from "node:fs"
import { sourceFiles } from "./SourceFiles.ts"

/** One step of `npm run check`: a program of ours or of a package, run by this Node. */
interface Step {
  readonly name: string
  readonly arguments: ReadonlyArray<string>
}

const tsc = "node_modules/typescript/bin/tsc"
const biome = "node_modules/@biomejs/biome/bin/biome"
const generators = [
  "packages/openapi/codegen.ts",
  "runtime/boot/ResetFile.ts",
  "packages/console/kit/design/codegen.ts",
  "packages/sdk/codegen/main.ts"
]

/** A workspace without source has nothing to check; one without its own tsconfig is a fault that tsc reports. */
const workspaces = () =>
  ["schema", "runtime", "test", ...globSync("packages/*").toSorted()].filter(
    (folder) => sourceFiles([folder]).length > 0
  )

const steps: Readonly<Record<string, () => ReadonlyArray<Step>>> = {
  types: () =>
    workspaces().map((folder) => ({ name: `types of ${folder}`, arguments: [tsc, "--noEmit", "-p", folder] })),
  lint: () => [{ name: "lint and format", arguments: [biome, "check", "."] }],
  house: () => [
    { name: "house rules", arguments: ["test/house/ImportRules.ts"] },
    { name: "requirement IDs and headings", arguments: ["test/house/RequirementCoverage.ts", "--unknown"] },
    { name: "the form of decisions", arguments: ["test/house/Decisions.ts"] }
  ],
  wire: () => [{ name: "the wire against the last release", arguments: ["test/house/WireReleases.ts"] }],
  codegen: () => generators.map((program) => ({ name: `files that ${program} makes`, arguments: [program, "--check"] }))
}

/** Runs the named groups of steps, all by default, each to its end, so that one run shows every fault. */
const main = (groups: ReadonlyArray<string>) => {
  const unknown = groups.filter((group) => !(group in steps))
  if (unknown.length > 0) {
    process.stderr.write(`no such check: ${unknown.join(", ")}; checks are ${Object.keys(steps).join(" ")}\n`)
    return 2
  }
  const failed = groups
    .flatMap((group) => steps[group]?.() ?? [])
    .filter((step) => {
      process.stdout.write(`${step.name}\n`)
      return spawnSync(process.execPath, step.arguments, { stdio: "inherit" }).status !== 0
    })
    .map(({ name }) => name)
  process.stdout.write(failed.length === 0 ? "check passed\n" : `check failed: ${failed.join(", ")}\n`)
  return failed.length === 0 ? 0 : 1
}

process.exitCode = main(process.argv.length > 2 ? process.argv.slice(2) : Object.keys(steps))
