import { writeFileSync } from "node:fs"
import { registerHooks } from "node:module"

// Loaded into a program by `--import`: when it ends, the addresses of the modules that it has loaded stand in the file that
// LOADED_MODULES_FILE names, one a line, and `printed` where it first wrote to its output. Its children count nothing.

const path = process.env.LOADED_MODULES_FILE
delete process.env.LOADED_MODULES_FILE
const loaded: Array<string> = []

registerHooks({
  load: (url, context, nextLoad) => {
    loaded.push(url)
    return nextLoad(url, context)
  }
})

const { stdout } = process
const write = stdout.write.bind(stdout)
stdout.write = ((...words: Parameters<typeof write>) => {
  if (!loaded.includes("printed")) loaded.push("printed")
  return write(...words)
}) as typeof stdout.write

process.on("exit", () => {
  if (path !== undefined) writeFileSync(path, loaded.join("\n"))
})
