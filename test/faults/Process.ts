import { type ChildProcess, spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { Log } from "./Log.ts"

/** How a node is started. */
export interface NodePlan {
  readonly name: string
  /** Settings on top of this process's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Everything it prints is appended here. */
  readonly logFile: string
}

/** One process of the product that can be stopped and started again. */
export interface ProductNode {
  readonly name: string
  isUp(): boolean
  /** Starts it and waits for its ready line; dies with what it printed when it never comes. */
  start: Effect.Effect<void>
  /** Sends a signal to it when it is up. */
  signal(signal: NodeJS.Signals): void
  /** Waits until it is gone; answers its exit code, null after a signal. */
  exited: Effect.Effect<number | null>
  /** The address of its inspector, once SIGUSR1 has opened it. */
  inspector(): string | undefined
}

const main = fileURLToPath(new URL("../../runtime/main.ts", import.meta.url))
const checksPerSecond = 50
const startSeconds = 60

/** A node that is not running yet. What it does unasked, such as ending by itself, is written to the log. */
export const makeNode = (plan: NodePlan, log: Log): ProductNode => {
  let child: ChildProcess | undefined
  let printed = ""
  let inspector: string | undefined
  let ready = false
  let expected = false
  const spawnIt = () => {
    printed = ""
    inspector = undefined
    ready = false
    expected = false
    const started = spawn(process.execPath, ["--inspect-port=0", main], {
      env: { ...process.env, ...plan.env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        printed = (printed + chunk.toString("utf8")).slice(-20_000)
        ready ||= /^ready\b/m.test(printed)
        inspector ??= /Debugger listening on (ws:\S+)\s/.exec(printed)?.[1]
        appendFileSync(plan.logFile, chunk)
      })
    }
    started.on("exit", (code, signal) => {
      if (child !== started) return
      child = undefined
      if (!expected) log.fault("exit", `${plan.name} code=${code} signal=${signal}`, "unasked")
    })
    child = started
  }
  const signal = (name: NodeJS.Signals) => {
    if (name === "SIGKILL" || name === "SIGTERM" || name === "SIGINT") expected = true
    child?.kill(name)
  }
  return {
    name: plan.name,
    isUp: () => child !== undefined,
    signal,
    start: Effect.gen(function* () {
      spawnIt()
      for (let check = 0; !ready && child !== undefined && check < startSeconds * checksPerSecond; check++) {
        yield* Effect.sleep(1000 / checksPerSecond)
      }
      if (!ready) return yield* Effect.die(`${plan.name} did not get ready; it printed:\n${printed}`)
    }),
    exited: Effect.callback<number | null>((resume) => {
      if (child === undefined) return resume(Effect.succeed(null))
      child.once("exit", (code) => resume(Effect.succeed(code)))
    }),
    inspector: () => inspector
  }
}
