import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { withoutSettings } from "../support/Program.ts"

const program = fileURLToPath(new URL("../../runtime/cluster.ts", import.meta.url))

/** The launcher of several nodes in a process of its own, over a database that is there. Boot contract */
export const launcher = Effect.fnUntraced(function* (options: {
  readonly databaseUrl: string
  readonly shards: number
  readonly edges: number
  /** What differs from the settings of every launcher here. */
  readonly settings?: Readonly<Record<string, string>>
}) {
  const dataDir = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-launcher-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const counts = ["--shards", String(options.shards), "--edges", String(options.edges)]
  let output = ""
  let errors = ""
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program, ...counts], {
        env: { ...withoutSettings(), ...settings(options.databaseUrl, dataDir), ...options.settings },
        stdio: ["ignore", "pipe", "pipe"]
      })
    ),
    (running) =>
      running.exitCode === null && running.signalCode === null ? exit(() => running.kill("SIGTERM")) : Effect.void
  )
  const exit = (begin: () => void) =>
    Effect.callback<number | null>((resume) => {
      child.once("exit", (code) => resume(Effect.succeed(code)))
      begin()
    })
  yield* Effect.callback<void>((resume) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      if (/^ready /m.test(output)) resume(Effect.void)
    })
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString()
    })
    // Its streams have been read to their ends by then.
    child.once("close", (code) => resume(Effect.die(new Error(`the launcher ended with ${code}: ${output}${errors}`))))
  })
  return {
    pid: child.pid ?? 0,
    dataDir,
    output: () => output,
    /** SIGTERM, and waits for the exit code. */
    stop: exit(() => child.kill("SIGTERM")),
    /** SIGKILL, and waits for the end. */
    kill: exit(() => child.kill("SIGKILL"))
  }
})

const settings = (databaseUrl: string, dataDir: string) => ({
  DATABASE_URL: databaseUrl,
  CARTEIRO_DATA_DIR: dataDir,
  CARTEIRO_MASTER_KEY: randomBytes(32).toString("hex"),
  CARTEIRO_RUNNER_PORT: "0",
  // It counts for nothing here: each node of the launcher is one process.
  CARTEIRO_PROCESSES: "3",
  CARTEIRO_LOG: "error",
  PORT: "0"
})
