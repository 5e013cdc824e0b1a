import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Deferred, Effect, Option, Redacted } from "effect"
import { StartRefused } from "./StartRefused.ts"

/**
 * As in `npm start`. A young generation in which the requests of a moment die before they are copied: with a quarter of
 * it a send costs a fifth more processor time, with twice as much nothing less. What survives is so little that one
 * thread collects it sooner than several agree on who does, above all while the database uses the other cores. The old
 * generation begins as large as it becomes under load: growing there, a node stood still for 20 to 150 ms at every
 * step, which was the slowest hundredth of all answers; at its peak it holds no more memory than before.
 */
export const nodeFlags: ReadonlyArray<string> = [
  "--max-semi-space-size=32",
  "--initial-old-space-size=256",
  "--no-parallel-scavenge"
]

const program = fileURLToPath(new URL("../main.ts", import.meta.url))

/** A node of the product in a process of its own. */
export interface NodeProcess {
  readonly pid: number
  /** Completes with the address of the ready line. */
  readonly ready: Effect.Effect<string, StartRefused>
  /** A planned stop, waited for at most so many milliseconds; true when the process is gone. */
  readonly stop: (withinMs: number) => Effect.Effect<boolean>
  readonly kill: Effect.Effect<void>
}

/** Settings that all nodes of one installation share: the database and the keys. */
export const sharedEnvironment = (
  keys: Redacted.Redacted<MasterKeys>,
  databaseUrl: string
): Readonly<Record<string, string>> => ({
  DATABASE_URL: databaseUrl,
  CARTEIRO_MASTER_KEY: Redacted.value(keys)
    .map((key) => Buffer.from(key).toString("hex"))
    .join(",")
})

/**
 * Starts `runtime/main.ts` with settings on top of this process's. What it prints beside its ready line goes on to this
 * process's output; its end is told there too, and nothing starts it again. Boot contract, "Several nodes on one machine"
 */
export const startNode = (name: string, env: Readonly<Record<string, string>>): Effect.Effect<NodeProcess> =>
  Effect.gen(function* () {
    const ready = yield* Deferred.make<string, StartRefused>()
    const gone = yield* Deferred.make<void>()
    let stopping = false
    const child = spawn(process.execPath, [...nodeFlags, program], {
      // A launcher counts its processes itself.
      env: { ...process.env, CARTEIRO_PROCESSES: "1", ...env },
      // The channel carries no message: it closes when this process ends, however it ends, which a node takes for a stop.
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      // A terminal's ctrl-c reaches the launcher alone, which then stops its nodes in order.
      detached: true
    })
    child.channel?.unref()
    const told = (line: string) => {
      const address = /^ready (\S+)$/.exec(line)?.[1]
      if (address === undefined) process.stdout.write(`${line}\n`)
      else Deferred.doneUnsafe(ready, Effect.succeed(address))
    }
    if (child.stdout !== null) createInterface({ input: child.stdout }).on("line", told)
    const ended = (how: string) => {
      const early = Effect.fail(new StartRefused({ message: `${name} ended ${how} before it was ready` }))
      if (!Deferred.doneUnsafe(ready, early) && !stopping) process.stderr.write(`${name} ended ${how}\n`)
      Deferred.doneUnsafe(gone, Effect.void)
    }
    child.once("error", (error) => ended(`with ${error.message}`))
    child.once("exit", (code, signal) => ended(signal === null ? `with code ${code}` : `by ${signal}`))
    return {
      pid: child.pid ?? 0,
      ready: Deferred.await(ready),
      stop: (withinMs) =>
        Effect.andThen(
          Effect.sync(() => {
            stopping = true
            child.kill("SIGTERM")
          }),
          Effect.map(Effect.timeoutOption(Effect.interruptible(Deferred.await(gone)), withinMs), Option.isSome)
        ),
      kill: Effect.sync(() => void child.kill("SIGKILL"))
    }
  })

/** In a node that a launcher started: stops it in order, as SIGTERM does, once the launcher is gone, killed or not. */
export const stopWithLauncher = (): void => {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))
  process.channel?.unref()
}
