#!/usr/bin/env node
import { existsSync } from "node:fs"
import module from "node:module"

// Node.js before 22.8 has no compile cache.
module.enableCompileCache?.()

// A clone has the source and runs it; the published package only has the output of `prepack`.
const source = new URL("./main.ts", import.meta.url)
if (!existsSync(source)) await import("./dist/main.js")
else if (process.features.typescript) await import(source.href)
else {
  process.stderr.write("error: a clone needs its own Node.js\nnext: run npx --no carteiro inside the clone\n")
  process.exitCode = 2
}
