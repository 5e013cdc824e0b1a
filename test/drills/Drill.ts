import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { withoutSettings } from "../support/Program.ts"

/** Runs a program of `deploy/drills` to its end, with these variables, and returns its exit code and what it printed. */
export const drill = (name: string, env: Readonly<Record<string, string>> = {}) =>
  Effect.callback<{ readonly code: number; readonly output: string }>((resume) => {
    const program = fileURLToPath(new URL(`../../deploy/drills/${name}`, import.meta.url))
    const child = execFile(
      process.execPath,
      [program],
      { env: { ...withoutSettings(), ...env } },
      (error, stdout, stderr) =>
        resume(Effect.succeed({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }))
    )
    return Effect.sync(() => void child.kill("SIGTERM"))
  })
