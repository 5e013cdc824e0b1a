import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { runProgram } from "./Program.ts"

const root = new URL("../../", import.meta.url)

/** The options of programs that `LOADED_MODULES_FILE` names a file to: see `LoadedModules.ts`. */
export const countingOptions = `--import=${fileURLToPath(new URL("./LoadedModules.ts", import.meta.url))}`

/** Returns the modules in such a file, with the project's own by their path in it. */
export const readLoaded = (file: string): ReadonlyArray<string> =>
  readFileSync(file, "utf8")
    .split("\n")
    .map((url) => (url.startsWith(root.href) ? url.slice(root.href.length) : url))

/** Runs a program of `runtime` to its end. Returns the modules that it loaded. */
export const loadedBy = Effect.fnUntraced(function* (program: string, ...words: ReadonlyArray<string>) {
  const folder = mkdtempSync(join(tmpdir(), "carteiro-loaded-"))
  const file = join(folder, "loaded")
  const ran = yield* runProgram(program, { NODE_OPTIONS: countingOptions, LOADED_MODULES_FILE: file }, ...words)
  const loaded = readLoaded(file)
  rmSync(folder, { recursive: true, force: true })
  return { ran, loaded }
})
