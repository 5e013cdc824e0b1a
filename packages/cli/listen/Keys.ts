import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import type { Surroundings } from "../shell/Surroundings.ts"

/** Calls a key's handler when it is pressed, or arrives from a pipe. Returns a function that stops it. */
export const keys = (io: Surroundings, handlers: Readonly<Record<string, () => void>>): (() => void) => {
  const { stdin } = io
  const isTerminal = stdin.isTTY === true
  // The system stops a background job that touches its terminal.
  if (isTerminal && !isForeground(io.platform)) return () => {}
  const press = (chunk: Buffer | string) => {
    for (const key of String(chunk)) {
      if (key === "\u0003") io.stop()
      else handlers[key]?.()
    }
  }
  if (isTerminal) stdin.setRawMode(true)
  stdin.on("data", press)
  return () => {
    stdin.off("data", press)
    if (isTerminal) stdin.setRawMode(false)
    stdin.pause()
  }
}

/** True when the process group of this process has the terminal. */
const isForeground = (platform: string): boolean => {
  if (platform === "win32") return true
  const [own, terminals] = platform === "linux" ? fromProc() : fromPs()
  return own !== undefined && own === terminals
}

const fromProc = (): ReadonlyArray<string> => {
  const stat = readFileSync("/proc/self/stat", "utf8")
  // After the name, which may contain blanks: state, parent, group, session, terminal, the terminal's group.
  const [, , group = "", , , terminal = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return [group, terminal]
}

const fromPs = (): ReadonlyArray<string> => {
  const { stdout } = spawnSync("ps", ["-o", "pgid=,tpgid=", "-p", String(process.pid)], { encoding: "utf8" })
  return stdout.trim().split(/\s+/)
}
