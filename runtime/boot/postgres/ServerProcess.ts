import { type ChildProcess, spawn } from "node:child_process"
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { isServerOf } from "../RunningProcess.ts"
import { StartRefused } from "../StartRefused.ts"
import type { ServerBinaries } from "./ServerBinaries.ts"
import type { ServerUser } from "./ServerUser.ts"

/** Everything needed to run one cluster. */
export interface Server {
  /** The purpose of the server, in the words of the person who starts it. */
  readonly dataDir: string
  readonly home: string
  readonly cluster: string
  readonly user: ServerUser | undefined
  readonly binaries: ServerBinaries
  /** `name=value` pairs for the server's command line. */
  readonly settings: ReadonlyArray<string>
}

/** The content of `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly state: "starting" | "ready" | "stopping"
}

/** Makes an empty cluster; a crash half-way leaves nothing that could be taken for one. */
export const initialize = Effect.fnUntraced(function* (server: Server, password: string, durable: boolean) {
  const fresh = `${server.cluster}.new`
  const passwordFile = join(fresh, "..", "initdb.password")
  yield* Effect.sync(() => {
    rmSync(fresh, { recursive: true, force: true })
    makePrivateFolder(fresh, server.user)
    rmSync(passwordFile, { force: true })
    writeFileSync(passwordFile, password, { mode: 0o600, flag: "wx" })
    giveTo(passwordFile, server.user)
  })
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
  const access = ["--username=carteiro", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"]
  const arguments_ = ["-D", fresh, ...locale, ...access, ...(durable ? [] : ["--no-sync"])]
  const { code, output } = yield* runToEnd(server, server.binaries.initdb, arguments_)
  yield* Effect.sync(() => rmSync(passwordFile, { force: true }))
  if (code !== 0) {
    const message = `CARTEIRO_DATA_DIR: the embedded PostgreSQL cannot be set up in ${server.home}: ${reasonOf(output)}`
    return yield* new StartRefused({ message })
  }
  yield* Effect.sync(() => renameSync(fresh, server.cluster))
})

/** The living server of this cluster, or undefined; a pid file left by a dead one is removed. */
export const findRunning = (cluster: string): Effect.Effect<Postmaster | undefined> =>
  Effect.sync(() => {
    const found = readPidFile(cluster)
    if (found === undefined || isServerOf(found.pid, cluster)) return found
    rmSync(join(cluster, "postmaster.pid"), { force: true })
    return undefined
  })

/**
 * Starts the server in a process group of its own, so that the terminal's Ctrl-C reaches us alone, and waits for it. Its
 * log begins afresh, or goes on (`a`).
 */
export const launch = Effect.fnUntraced(function* (server: Server, port: number, logFlag: "w" | "a" = "w") {
  const before = logFlag === "w" ? 0 : statSync(logPath(server.home)).size
  const child = yield* Effect.sync(() => spawnServer(server, port, logFlag))
  const answered = yield* Effect.onInterrupt(
    waitFor(() => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return "exited" as const
      const found = readPidFile(server.cluster)
      return found?.pid === child.pid && found.state === "ready" ? found : undefined
    }, startMillis),
    () => Effect.sync(() => child.kill("SIGQUIT"))
  )
  if (answered !== undefined && answered !== "exited") return answered
  if (answered === undefined) yield* Effect.sync(() => child.kill("SIGQUIT"))
  const log = yield* Effect.sync(() => readFileSync(logPath(server.home)).subarray(before).toString())
  if (answered === undefined) {
    const message = `CARTEIRO_DATA_DIR: the database in ${server.dataDir} was not ready ${startMillis / 1000} seconds after its start: ${reasonOf(log)}; ${logPath(server.home)} tells what it does. Start again once this machine has less to do; the folder is as it was`
    return yield* new StartRefused({ message })
  }
  const message = `CARTEIRO_DATA_DIR: the database in ${server.dataDir} does not start: ${reasonOf(log)}; see ${logPath(server.home)}, then restore the folder from a copy, or remove it to start afresh`
  return yield* new StartRefused({ message })
})

/** Waits until a server found running is ready; undefined when it was on its way out and has gone. */
export const awaitReady = Effect.fnUntraced(function* (cluster: string, pid: number) {
  const answered = yield* waitFor(() => {
    if (!isServerOf(pid, cluster)) return "gone" as const
    const found = readPidFile(cluster)
    return found?.state === "ready" ? found : undefined
  }, startMillis)
  if (answered === "gone") return undefined
  if (answered !== undefined) return answered
  const message = `CARTEIRO_DATA_DIR: the database server left behind (pid ${pid}) does not become ready; see postgres.log beside ${cluster}, or end that process`
  return yield* new StartRefused({ message })
})

/**
 * Fast shutdown: open transactions roll back, a checkpoint is written. A server that takes longer than 9 seconds is
 * stopped at once and recovers from its log at the next start; nothing committed is lost either way.
 */
export const stop = Effect.fnUntraced(function* (cluster: string, pid: number) {
  const gone = () => (isServerOf(pid, cluster) ? undefined : true)
  for (const [signal, millis] of [
    ["SIGINT", 9_000],
    ["SIGQUIT", 2_000],
    ["SIGKILL", 2_000]
  ] as const) {
    yield* Effect.sync(() => sendSignal(pid, signal, gone))
    if ((yield* waitFor(gone, millis)) === true) return
  }
})

/** After a crash it reads its log first, which takes a busy machine minutes. */
const startMillis = 300_000
const pollMillis = 15

const spawnServer = (server: Server, port: number, logFlag: "w" | "a"): ChildProcess => {
  const socket = join(server.home, "socket")
  if (!existsSync(socket)) makePrivateFolder(socket, server.user)
  const sockets = fitsSocket(socket) ? socket : ""
  const settings = [...server.settings, `port=${port}`, `unix_socket_directories=${sockets}`]
  // A pipe would die with us and take the server's log, and then the server, along.
  const log = openSync(logPath(server.home), logFlag, 0o600)
  const child = spawn(server.binaries.postgres, ["-D", server.cluster, ...settings.flatMap((it) => ["-c", it])], {
    ...identity(server),
    detached: true,
    stdio: ["ignore", log, log]
  })
  // The waiting caller reports it as an exit.
  child.on("error", () => {})
  child.unref()
  closeSync(log)
  return child
}

/** Whether the server can make its socket in this folder: macOS takes paths of 103 bytes, and a comma parts two folders. */
export const fitsSocket = (folder: string): boolean =>
  Buffer.byteLength(join(folder, ".s.PGSQL.65535")) <= 103 && !/[,"]/.test(folder)

const runToEnd = (server: Server, program: string, arguments_: ReadonlyArray<string>) =>
  Effect.callback<{ readonly code: number | null; readonly output: string }>((resume) => {
    const child = spawn(program, arguments_, {
      ...identity(server),
      detached: true,
      stdio: ["ignore", "ignore", "pipe"]
    })
    let output = ""
    child.stderr.on("data", (chunk) => {
      output += String(chunk)
    })
    child.on("error", (error) => resume(Effect.succeed({ code: null, output: error.message })))
    child.on("close", (code) => resume(Effect.succeed({ code, output })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const identity = ({ home, user }: Server) => ({
  cwd: home,
  env: { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" },
  ...(user === undefined ? {} : { uid: user.uid, gid: user.gid })
})

const readPidFile = (cluster: string): Postmaster | undefined => {
  const path = join(cluster, "postmaster.pid")
  if (!existsSync(path)) return undefined
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .map((line) => line.trim())
  const state = lines[7] === "ready" || lines[7] === "stopping" ? lines[7] : "starting"
  const pid = Number(lines[0])
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, port: Number(lines[3] ?? 0), state } : undefined
}

const sendSignal = (pid: number, signal: NodeJS.Signals, gone: () => true | undefined): void => {
  try {
    if (gone() === undefined) process.kill(pid, signal)
  } catch {
    // It went between the look and the signal.
  }
}

const waitFor = <A>(look: () => A | undefined, millis: number): Effect.Effect<A | undefined> =>
  Effect.gen(function* () {
    for (let waited = 0; waited <= millis; waited += pollMillis) {
      const found = look()
      if (found !== undefined) return found
      yield* Effect.sleep(pollMillis)
    }
    return undefined
  })

const makePrivateFolder = (path: string, user: ServerUser | undefined): void => {
  mkdirSync(path)
  chmodSync(path, 0o700)
  giveTo(path, user)
}

const giveTo = (path: string, user: ServerUser | undefined): void => {
  if (user !== undefined) chownSync(path, user.uid, user.gid)
}

/** Where the server of this home writes its log. */
export const logPath = (home: string): string => join(home, "postgres.log")

/** Why the server gave up: the last line that says so, without its time and process, else the last of all. */
const reasonOf = (log: string): string => {
  const lines = log.trim().split("\n")
  const fatal = lines.findLast((line) => /\b(?:FATAL|PANIC):/.test(line))
  return fatal?.replace(/^.*?\b(?:FATAL|PANIC):\s*/, "") ?? lines.at(-1) ?? ""
}
