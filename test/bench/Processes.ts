import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { Effect, type Scope } from "effect"
import { childrenOf, statOf } from "../support/ProcessTable.ts"
import { BenchFailure } from "./BenchFailure.ts"

/** How to start one program of a run. */
export interface Program {
  /** Shown in failures. */
  readonly name: string
  readonly command: string
  readonly arguments: ReadonlyArray<string>
  /** Added to the run's own environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Once the output matches, the program is up; its groups are handed on. */
  readonly ready: RegExp
  readonly readyMillis?: number
}

/** A program that runs until its scope closes. */
export interface Running {
  readonly name: string
  readonly pid: number
  /** The match that made it ready. */
  readonly match: RegExpMatchArray
  /** Milliseconds from the start of the process to the ready line. */
  readonly readyAfterMs: number
  /** Everything it has printed so far. */
  readonly output: () => string
  readonly write: (line: string) => Effect.Effect<void>
  readonly kill: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** Fails when the program has ended by itself. */
  readonly alive: Effect.Effect<void, BenchFailure>
}

const keptCharacters = 64_000
const stopMillis = 20_000

/** Starts a program and waits until it is ready; SIGTERM, and SIGKILL after 20 s, when the scope closes. */
export const run = (program: Program): Effect.Effect<Running, BenchFailure, Scope.Scope> =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync(() => launch(program)),
      ({ child }) => stop(child)
    ),
    ({ child, started, text }) =>
      Effect.map(awaitLine(program, child, text), (match) => ({
        name: program.name,
        pid: child.pid ?? 0,
        match,
        readyAfterMs: performance.now() - started,
        output: text,
        write: (line) => Effect.sync(() => void child.stdin?.write(`${line}\n`)),
        kill: (signal) => Effect.sync(() => void child.kill(signal)),
        alive: Effect.suspend(() => (hasEnded(child) ? Effect.fail(ended(program, text())) : Effect.void))
      }))
  )

const launch = (program: Program) => {
  const started = performance.now()
  const env = { ...process.env, ...program.env }
  for (const [name, value] of Object.entries(env)) if (value === undefined) delete env[name]
  const child = spawn(program.command, program.arguments, { env, stdio: ["pipe", "pipe", "pipe"] })
  let kept = ""
  const keep = (chunk: Buffer) => {
    kept = (kept + chunk.toString()).slice(-keptCharacters)
  }
  child.stdout.on("data", keep)
  child.stderr.on("data", keep)
  // Reported as an end by whoever waits; a reader that has gone is one.
  child.on("error", (error) => keep(Buffer.from(`${error.message}\n`)))
  child.stdin.on("error", () => {})
  return { child, started, text: () => kept }
}

const awaitLine = (program: Program, child: ChildProcess, text: () => string) =>
  Effect.callback<RegExpMatchArray, BenchFailure>((resume) => {
    const done = (result: Effect.Effect<RegExpMatchArray, BenchFailure>) => {
      clearInterval(looking)
      clearTimeout(limit)
      resume(result)
    }
    const look = () => {
      const match = text().match(program.ready)
      if (match !== null) done(Effect.succeed(match))
      else if (hasEnded(child)) done(Effect.fail(ended(program, text())))
    }
    child.stdout?.on("data", look)
    const looking = setInterval(look, 50)
    const late = () => done(Effect.fail(new BenchFailure({ message: `${program.name} is not ready: ${tail(text())}` })))
    const limit = setTimeout(late, program.readyMillis ?? 60_000)
    return Effect.sync(() => {
      clearInterval(looking)
      clearTimeout(limit)
    })
  })

const hasEnded = (child: ChildProcess) =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null

const ended = (program: Program, text: string) => new BenchFailure({ message: `${program.name} ended: ${tail(text)}` })

const tail = (text: string) => text.trim().split("\n").slice(-16).join("\n    ") || "it printed nothing"

const stop = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (hasEnded(child)) return resume(Effect.void)
    const force = setTimeout(() => child.kill("SIGKILL"), stopMillis)
    child.once("exit", () => {
      clearTimeout(force)
      resume(Effect.void)
    })
    child.kill("SIGTERM")
  })

// USER_HZ, in which /proc counts: 100 on every Linux this runs on.
const ticksPerSecond = 100

/** Seconds of processor time a process has used, those of its ended children included; 0 when it has gone. */
export const cpuSeconds = (pid: number): number => {
  const stat = statOf(pid)
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(stat[at] ?? 0), 0) / ticksPerSecond
}

/** The same of a process and its living children: of a database server by its first process. */
export const cpuSecondsOfFamily = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), cpuSeconds(pid))

/** Activation memory in bytes. */
export const residentBytes = (pid: number): number => {
  const line = readFileSync(`/proc/${pid}/status`, "utf8").match(/^VmRSS:\s+(\d+) kB$/m)
  return Number(line?.[1] ?? 0) * 1024
}
