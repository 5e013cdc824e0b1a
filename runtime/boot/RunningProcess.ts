import { spawnSync } from "node:child_process"
import { readFileSync, readlinkSync } from "node:fs"

// Facts of another process: Linux tells them in /proc, macOS by `ps` alone.

/** True while the process runs, also when it belongs to another user. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false
  }
  // In a container without an init process, ended processes are never collected.
  return !/^[ZX]$/.test(statOf(pid)[0] ?? "")
}

/** Returns when a process started, as this system writes it: a reused pid is not taken for its predecessor. */
export const startedAt = (pid: number): string =>
  process.platform === "linux" ? (statOf(pid)[19] ?? "") : tellOf(pid, "lstart")

/**
 * Tells a database server from a stranger with a reused pid: it works inside its cluster's folder, and names it on its
 * command line.
 */
export const isServerOf = (pid: number, cluster: string): boolean => {
  if (!isAlive(pid)) return false
  if (process.platform !== "linux") return tellOf(pid, "command").includes(`-D ${cluster} `)
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster
  } catch {
    return false
  }
}

/** Linux's facts about a process from its state on: the name before them is in parentheses and may hold spaces. */
const statOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
  } catch {
    return []
  }
}

/** One column of `ps`, of any width: without a terminal macOS cuts lines at 79 columns unless it is told twice. */
const tellOf = (pid: number, column: "lstart" | "command"): string =>
  String(
    spawnSync("ps", ["-ww", "-o", `${column}=`, "-p", String(pid)], {
      env: { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" }
    }).stdout
  ).trim()
