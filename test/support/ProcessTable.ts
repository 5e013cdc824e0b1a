import { readdirSync, readFileSync } from "node:fs"

/** The processes a process has started and that still run, as Linux lists them. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
    .map(Number)

/** The process that started this one; 0 when it has gone. */
export const parentOf = (pid: number): number => Number(statOf(pid)[1] ?? 0)

/** Whether there is such a process; one that has ended and was not yet collected is none. */
export const isRunning = (pid: number): boolean => !["Z", "X", undefined].includes(statOf(pid)[0])

/** The facts of /proc/<pid>/stat from the state on: the name before them is in parentheses and may hold spaces. */
export const statOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
  } catch {
    return []
  }
}

/** What a process was started with, words apart by spaces; empty when it has gone. */
export const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()
  } catch {
    return ""
  }
}
