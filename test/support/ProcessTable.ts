import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

const isLinux = process.platform === "linux"

/** Returns a column of `ps`, for machines without /proc: of one process, or of all. */
const columnOf = (column: string, pid?: number): string =>
  String(
    spawnSync("ps", ["-ww", ...(pid === undefined ? ["-A"] : ["-p", String(pid)]), "-o", `${column}=`]).stdout
  ).trim()

/** Returns the running processes that a process has started. */
export const childrenOf = (pid: number): ReadonlyArray<number> => {
  const all = isLinux ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : columnOf("pid").split(/\s+/)
  return all.map(Number).filter((one) => parentOf(one) === pid)
}

/** Returns the parent of a process; 0 when it has ended. */
export const parentOf = (pid: number): number => Number((isLinux ? statOf(pid)[1] : columnOf("ppid", pid)) || 0)

/** True when the process runs; a process that has ended and was not yet collected does not. */
export const isRunning = (pid: number): boolean =>
  !["Z", "X", "", undefined].includes(isLinux ? statOf(pid)[0] : columnOf("stat", pid)[0])

/**
 * Returns the fields of /proc/<pid>/stat from the state on: the name before them is in parentheses and may contain
 * spaces.
 */
export const statOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
  } catch {
    return []
  }
}

/** Returns the command line of a process, separated by spaces; empty when it has ended. */
export const commandOf = (pid: number): string => {
  if (!isLinux) return columnOf("command", pid)
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()
  } catch {
    return ""
  }
}
