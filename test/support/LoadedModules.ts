import { writeFileSync } from "node:fs"
import { registerHooks } from "node:module"

// Loaded into a program by `--import`. When the program ends, the file named by LOADED_MODULES_FILE holds the addresses
// of its loaded modules, one a line, with `printed` at the place of its first output. Child processes are not counted.

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
