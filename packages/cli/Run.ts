import { commandLine } from "./CommandLine.ts"
import { exitCodes, failureOutput } from "./shell/Failure.ts"
import type { Surroundings } from "./shell/Surroundings.ts"
import { escapeValue } from "./shell/Terminal.ts"

/** Codes of runs that print help or the version and do not fail. */
const shown: ReadonlySet<string> = new Set(["commander.helpDisplayed", "commander.version"])

/** Runs one command in these surroundings, prints its failure, and returns its exit code. */
export const run = async (words: ReadonlyArray<string>, io: Surroundings): Promise<number> => {
  try {
    await commandLine(io).parseAsync(words, { from: "user" })
    return io.signal.aborted ? exitCodes.interrupted : 0
  } catch (thrown) {
    if (io.signal.aborted) return exitCodes.interrupted
    if (isWritten(thrown)) {
      if (shown.has(thrown.code)) return 0
      // A command group without a command prints help that was not asked for.
      if (thrown.code === "commander.help") return exitCodes.usage
      const failure = { code: "invalid_command", message: thrown.message.replace(/^error: /, "").replaceAll("\n", " ") }
      return tell(io, words, { exitCode: exitCodes.usage, error: failure, next: "carteiro --help" })
    }
    return tell(io, words, failureOutput(thrown))
  }
}

const isWritten = (thrown: unknown): thrown is Error & { readonly code: string } =>
  thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" && thrown.code.startsWith("commander.")

/** Prints a failure to the error output; with `--json` as the envelope of the API. */
const tell = (
  io: Surroundings,
  words: ReadonlyArray<string>,
  { error, exitCode, next }: ReturnType<typeof failureOutput>
) => {
  if (words.includes("--json")) {
    io.stderr.write(`${escapeValue(JSON.stringify({ error: { ...error, next } }))}\n`)
    return exitCode
  }
  const { code, message, param, request_id } = error
  const about = [code, param, request_id].filter((part) => typeof part === "string").join(", ")
  const lines = [`error: ${message} (${about})`, ...(next === undefined ? [] : [`next: ${next}`])]
  for (const line of lines) io.stderr.write(`${escapeValue(line)}\n`)
  return exitCode
}
