import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { madeJson, readJson } from "@carteiro/tables/StoredJson.ts"
import { Deferred, Effect, Option, type Scope } from "effect"
import { StartRefused } from "../StartRefused.ts"
import type { Facts } from "./Simulator.ts"

/** A simulator as its process is asked for it. A port among its options that is taken gives way to a free one. */
export interface AskedSimulator {
  readonly name: string
  readonly options: ReadonlyArray<string>
}

/** One that listens. */
export interface ListeningSimulator {
  readonly url: string
  /** Facts that it printed beside its address, by name. */
  readonly facts: Facts
  /** Hands it what was not known when it started. */
  readonly tell: (message: object) => void
}

const program = fileURLToPath(new URL("../../../packages/simulators/main.ts", import.meta.url))

const stopWithinMs = 1000

/**
 * Starts all these simulators in one process, up to its ready line, and answers them in their order. The process ends with
 * the scope, and with this process however that ends: the channel between them closes then. Boot contract, "Two commands
 * on a fresh machine"
 */
export const startSimulators = (
  wanted: ReadonlyArray<AskedSimulator>,
  env: Readonly<Record<string, string>>
): Effect.Effect<ReadonlyArray<ListeningSimulator>, StartRefused, Scope.Scope> =>
  Effect.gen(function* () {
    if (wanted.length === 0) return []
    const ready = yield* Deferred.make<ReadonlyArray<string>, StartRefused>()
    const gone = yield* Deferred.make<void>()
    const facts = new Map<number, Facts>()
    const words = ["--or-free-ports", ...wanted.flatMap(({ name, options }) => [name, ...options])]
    let stopping = false
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [program, ...words], {
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
        const [word, ...urls] = line.split(" ")
        if (word === "ready") Deferred.doneUnsafe(ready, Effect.succeed(urls))
        const [, at, json = "{}"] = /^facts (\d+) (.+)$/.exec(line) ?? []
        if (at !== undefined) facts.set(Number(at), readJson(madeJson<Facts>(json)))
      })
    }
    const ended = (how: string) => {
      const early = Effect.fail(
        new StartRefused({ message: `the simulators of vendors ended ${how} before they were ready` })
      )
      if (!Deferred.doneUnsafe(ready, early) && !stopping)
        process.stderr.write(`the simulators of vendors ended ${how}\n`)
      Deferred.doneUnsafe(gone, Effect.void)
    }
    child.once("error", (error) => ended(`with ${error.message}`))
    child.once("exit", (code, signal) => ended(signal === null ? `with code ${code}` : `by ${signal}`))
    const urls = yield* Deferred.await(ready)
    return urls.map((url, to) => ({
      url,
      facts: facts.get(to) ?? {},
      tell: (message) => {
        if (child.connected) child.send({ to, message })
      }
    }))
  })
