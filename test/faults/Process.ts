import { type ChildProcess, spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { childrenOf, commandOf, isRunning } from "../support/ProcessTable.ts"
import type { Log } from "./Log.ts"
import { eventually } from "./Waiting.ts"

/** How a node is started. */
export interface NodePlan {
  readonly name: string
  /** Settings on top of this process's environment. */
  readonly env: Readonly<Record<string, string>>
  /** How many equal processes it is, by `CARTEIRO_PROCESSES`. */
  readonly processes: number
  /** Everything it prints is appended here. */
  readonly logFile: string
}

/** One node of the product, of one process or several, that can be stopped and started again. */
export interface ProductNode {
  readonly name: string
  readonly processes: number
  isUp(): boolean
  /** Starts it and waits for its ready line; dies with what it printed when it never comes. */
  start: Effect.Effect<void>
  /** Sends a signal to it when it is up: SIGTERM to the process that was started, others to all of its processes. */
  signal(signal: NodeJS.Signals): void
  /** The equal processes that share its port and run now; none of a node of one process. */
  equals(): ReadonlyArray<number>
  /** Waits until all of it is gone; answers its exit code, null after a signal. */
  exited: Effect.Effect<number | null>
}

const main = fileURLToPath(new URL("../../runtime/main.ts", import.meta.url))
const checksPerSecond = 50
const startSeconds = 240

/** A node that is not running yet. What it does unasked, such as ending by itself, is written to the log. */
export const makeNode = (plan: NodePlan, log: Log): ProductNode => {
  let child: ChildProcess | undefined
  let printed = ""
  let ready = false
  let expected = false
  /** Whether a busy machine did not connect it to the database in time, which its refusal says and a supervisor starts again. */
  const isTooLate = () => !ready && /PostgreSQL at .* is too slow or cannot be reached/.test(printed)
  const spawnIt = () => {
    printed = ""
    ready = false
    expected = false
    const started = spawn(process.execPath, [main], {
      env: { ...process.env, ...plan.env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        printed = (printed + chunk.toString("utf8")).slice(-20_000)
        ready ||= /^ready\b/m.test(printed)
        appendFileSync(plan.logFile, chunk)
      })
    }
    started.on("exit", (code, signal) => {
      if (child !== started) return
      child = undefined
      if (!expected && !isTooLate()) log.fault("exit", `${plan.name} code=${code} signal=${signal}`, "unasked")
    })
    child = started
  }
  const equals = () =>
    child?.pid === undefined ? [] : childrenOf(child.pid).filter((pid) => commandOf(pid).includes("EqualProcess.ts"))
  let killed: ReadonlyArray<number> = []
  const signal = (name: NodeJS.Signals) => {
    if (name === "SIGKILL" || name === "SIGTERM" || name === "SIGINT") expected = true
    // Its host fails as a whole: processes that outlive their supervisor would hold its ports.
    killed = name === "SIGTERM" ? [] : equals()
    child?.kill(name)
    for (const pid of killed) signalTo(pid, name)
  }
  return {
    name: plan.name,
    processes: plan.processes,
    isUp: () => child !== undefined,
    signal,
    equals,
    start: Effect.gen(function* () {
      spawnIt()
      for (let check = 0; !ready && check < startSeconds * checksPerSecond; check++) {
        if (child === undefined && !isTooLate()) break
        if (child === undefined) spawnIt()
        yield* Effect.sleep(1000 / checksPerSecond)
      }
      if (!ready) return yield* Effect.die(`${plan.name} did not get ready; it printed:\n${printed}`)
    }),
    exited: Effect.callback<number | null>((resume) => {
      if (child === undefined) return resume(Effect.succeed(null))
      child.once("exit", (code) => resume(Effect.succeed(code)))
    }).pipe(Effect.tap(() => eventually(() => (killed.some(isRunning) ? undefined : true), 5)))
  }
}

/** Sends a signal to a process that may have ended by itself. */
export const signalTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}
