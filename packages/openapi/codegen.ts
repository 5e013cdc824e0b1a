import { writeFileSync } from "node:fs"
import { committedDescription, committedFile } from "./Committed.ts"
import { currentDescription } from "./Contract.ts"

// `npm run codegen` writes schema/openapi.json; with `--check` it only reports whether the committed file is current.

const current = currentDescription()
const isCurrent = committedDescription() === current

if (process.argv.includes("--check")) {
  if (!isCurrent) process.stderr.write("schema/openapi.json is stale: run npm run codegen\n")
  process.exitCode = isCurrent ? 0 : 1
} else if (!isCurrent) {
  writeFileSync(committedFile, current)
}
