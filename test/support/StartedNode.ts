import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { type DevFile, readDevFile } from "@carteiro/runtime/boot/DevFile.ts"
import { nodeFlags } from "@carteiro/runtime/boot/NodeProcess.ts"
import { Effect } from "effect"
import { withoutSettings } from "./Program.ts"

const program = fileURLToPath(new URL("../../runtime/main.ts", import.meta.url))

/** `npm start` in its own process, with its output piped. */
export interface StartedProgram {
  readonly pid: number
  readonly printed: { readonly stdout: string; readonly stderr: string }
  readonly signal: (signal: NodeJS.Signals) => void
  /** Waits for the exit code. */
  readonly exited: Effect.Effect<number | null>
}

/** A process in development with role `all`, which writes dev.json. */
export interface StartedNode extends StartedProgram {
  readonly file: DevFile
}

/** Starts the program up to its ready line; closing the scope kills the remaining processes. */
export const startedProgram = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
  const printed = { stdout: "", stderr: "" }
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [...nodeFlags, program], {
        env: { ...withoutSettings(), ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
    ),
    (running) => Effect.sync(() => void running.kill("SIGKILL"))
  )
  const exited = new Promise<number | null>((resolve) => void child.once("close", resolve))
  child.stderr.on("data", (chunk) => {
    printed.stderr += String(chunk)
  })
  yield* Effect.callback<void>((resume) => {
    child.stdout.on("data", (chunk) => {
      printed.stdout += String(chunk)
      if (/^ready /m.test(printed.stdout)) resume(Effect.void)
    })
    child.once("exit", (code) => resume(Effect.die(new Error(`ended with ${code}: ${printed.stderr}`))))
  })
  return {
    pid: child.pid ?? 0,
    printed,
    signal: (signal) => void child.kill(signal),
    exited: Effect.promise(() => exited)
  } satisfies StartedProgram as StartedProgram
})

/** Starts it in development, up to its ready line; closing the scope kills the remaining processes. */
export const startedNode = Effect.fnUntraced(function* (
  env: Readonly<Record<string, string>> & { readonly CARTEIRO_DATA_DIR: string }
) {
  const started = yield* startedProgram(env)
  const file = yield* readDevFile(env.CARTEIRO_DATA_DIR)
  if (file === undefined) return yield* Effect.die(new Error("the node wrote no dev.json"))
  return { ...started, file } satisfies StartedNode as StartedNode
})
