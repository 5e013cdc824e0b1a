import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Deferred, Effect, Option, type Scope } from "effect"
import { StartRefused } from "../StartRefused.ts"

/** A simulator that runs. */
export interface SimulatorProcess {
  readonly url: string
  /** Hands it what was not known when it started. */
  readonly tell: (message: object) => void
}

const stopWithinMs = 1000

/**
 * Starts a simulator in a process of its own, up to its ready line; it ends with the scope, and with this process however
 * that ends: the channel between them closes then. Boot contract, "Two commands on a fresh machine"
 */
export const startSimulator = (
  name: string,
  options: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
): Effect.Effect<SimulatorProcess, StartRefused, Scope.Scope> =>
  Effect.gen(function* () {
    const ready = yield* Deferred.make<string, StartRefused>()
    const gone = yield* Deferred.make<void>()
    const program = fileURLToPath(new URL(`../../../packages/simulators/${name}/main.ts`, import.meta.url))
    let stopping = false
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [program, ...options], {
          env: { ...process.env, ...env },
          stdio: ["ignore", "pipe", "inherit", "ipc"],
          // A terminal's ctrl-c reaches this process alone, which then stops it in order.
          detached: true
        })
      ),
      (running) =>
        Effect.andThen(
          Effect.sync(() => {
            stopping = true
            running.kill("SIGTERM")
          }),
          Effect.map(Effect.timeoutOption(Deferred.await(gone), stopWithinMs), (ended) => {
            if (Option.isNone(ended)) running.kill("SIGKILL")
          })
        )
    )
    child.channel?.unref()
    if (child.stdout !== null) {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const address = /^ready (\S+)$/.exec(line)?.[1]
        if (address !== undefined) Deferred.doneUnsafe(ready, Effect.succeed(address))
      })
    }
    const ended = (how: string) => {
      const early = Effect.fail(
        new StartRefused({ message: `the simulator of ${name} ended ${how} before it was ready` })
      )
      if (!Deferred.doneUnsafe(ready, early) && !stopping)
        process.stderr.write(`the simulator of ${name} ended ${how}\n`)
      Deferred.doneUnsafe(gone, Effect.void)
    }
    child.once("error", (error) => ended(`with ${error.message}`))
    child.once("exit", (code, signal) => ended(signal === null ? `with code ${code}` : `by ${signal}`))
    const url = yield* Deferred.await(ready)
    return {
      url,
      tell: (message) => {
        if (child.connected) child.send(message)
      }
    }
  })
