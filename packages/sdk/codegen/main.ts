import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Description } from "./Description.ts"
import { clientFiles } from "./Resources.ts"
import { typesFile } from "./Types.ts"

// Writes the client's types and methods from the committed description; with `--check` it only tells whether they are current.

const root = join(import.meta.dirname, "../../..")
const description = JSON.parse(readFileSync(join(root, "schema/openapi.json"), "utf8")) as Description

const formatted = (name: string, text: string): string => {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
  const run = spawnSync(
    process.execPath,
    [biome, "check", "--write", `--stdin-file-path=packages/sdk/generated/${name}`],
    {
      cwd: root,
      input: text,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024
    }
  )
  if (run.status !== 0) throw new Error(`${name}: ${run.stderr}`)
  return run.stdout
}

const { client, resources } = clientFiles(description)
const files = { "Types.ts": typesFile(description), "Resources.ts": resources, "Carteiro.ts": client }

for (const [name, text] of Object.entries(files)) {
  const path = join(import.meta.dirname, "../generated", name)
  const made = formatted(name, `// Made from schema/openapi.json by npm run codegen.\n\n${text}`)
  const current = (() => {
    try {
      return readFileSync(path, "utf8")
    } catch {
      return ""
    }
  })()
  if (current === made) continue
  if (process.argv.includes("--check")) {
    process.stderr.write(`packages/sdk/generated/${name} is stale: run npm run codegen\n`)
    process.exitCode = 1
  } else {
    writeFileSync(path, made)
  }
}
