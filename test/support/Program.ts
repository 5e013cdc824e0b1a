import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

/** The exit of a process, and its whole output. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type Env = Readonly<Record<string, string>>

/** Runs a program of `runtime` to its end, with these settings of the product and no others. */
export const runProgram = (name: string, env: Env, ...words: ReadonlyArray<string>) =>
  Effect.callback<Ended>((resume) => {
    const program = fileURLToPath(new URL(`../../runtime/${name}`, import.meta.url))
    const child = execFile(
      process.execPath,
      [program, ...words],
      { env: { ...withoutSettings(), ...env } },
      (error, stdout, stderr) =>
        resume(Effect.succeed({ code: error === null ? 0 : Number(error.code), stdout, stderr }))
    )
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

/** Returns the tests' environment without any setting of the product. */
export const withoutSettings = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(CARTEIRO_|OTEL_|HOST$|PORT$|DATABASE_URL$)/.test(name))
  )
