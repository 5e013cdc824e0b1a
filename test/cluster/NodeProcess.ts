import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

const script = fileURLToPath(new URL("node.ts", import.meta.url))

/** A node in a process of its own, which can be killed and frozen; killed at the latest when the scope closes. */
export const nodeProcess = Effect.fnUntraced(function* (options: {
  readonly url: string
  readonly name: string
  readonly port: number
}) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [script, options.url, options.name, String(options.port)], {
        stdio: ["ignore", "pipe", "inherit"]
      })
    ),
    (running) => signal(running, "SIGKILL")
  )
  yield* Effect.callback<void>((resume) => {
    child.stdout.once("data", () => resume(Effect.void))
    child.once("exit", (code) => resume(Effect.die(new Error(`the node ended with ${code} before it was up`))))
  })
  return {
    /** `kill -9`, and waits until the process is gone. */
    kill: signal(child, "SIGKILL"),
    /** A planned stop, and waits until the process is gone. */
    stop: signal(child, "SIGTERM"),
    freeze: Effect.sync(() => void child.kill("SIGSTOP")),
    thaw: Effect.sync(() => void child.kill("SIGCONT"))
  }
})

const signal = (child: ChildProcess, name: NodeJS.Signals): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill(name)
  })
