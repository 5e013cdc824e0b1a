import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

const isLinux = process.platform === "linux"

/** A column of `ps`, where there is no /proc: of one process, or of all. */
const columnOf = (column: string, pid?: number): string =>
  String(
    spawnSync("ps", ["-ww", ...(pid === undefined ? ["-A"] : ["-p", String(pid)]), "-o", `${column}=`]).stdout
  ).trim()

/** The processes a process has started and that still run. */
export const childrenOf = (pid: number): ReadonlyArray<number> => {
  const all = isLinux ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : columnOf("pid").split(/\s+/)
  return all.map(Number).filter((one) => parentOf(one) === pid)
}

/** The process that started this one; 0 when it has gone. */
export const parentOf = (pid: number): number => Number((isLinux ? statOf(pid)[1] : columnOf("ppid", pid)) || 0)

/** Whether there is such a process; one that has ended and was not yet collected is none. */
export const isRunning = (pid: number): boolean =>
  !["Z", "X", "", undefined].includes(isLinux ? statOf(pid)[0] : columnOf("stat", pid)[0])

/** The facts of /proc/<pid>/stat from the state on: the name before them is in parentheses and may hold spaces. */
export const statOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
  } catch {
    return []
  }
}

/** The words that a process was started with, apart by spaces; empty when it has gone. */
export const commandOf = (pid: number): string => {
  if (!isLinux) return columnOf("command", pid)
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()
  } catch {
    return ""
  }
}
