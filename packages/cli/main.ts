import * as http from "node:http"
import { homedir } from "node:os"
import { commandLine } from "./CommandLine.ts"
import { exitCodes, failureOutput } from "./shell/Failure.ts"
import type { Surroundings } from "./shell/Surroundings.ts"
import { escapeValue } from "./shell/Terminal.ts"

/** Codes of runs that print help or the version and do not fail. */
const shown: ReadonlySet<string> = new Set(["commander.helpDisplayed", "commander.version"])

/** Runs one command and returns its exit code. */
const run = async (words: ReadonlyArray<string>, io: Surroundings): Promise<number> => {
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

/** Sends calls through the proxy of the environment, as curl does; what stays on this machine goes directly. */
const useProxy = ({ env, stderr }: Pick<Surroundings, "env" | "stderr">): void => {
  const proxy = (name: string) => env[name] ?? env[name.toUpperCase()]
  const proxies = { https_proxy: proxy("https_proxy"), http_proxy: proxy("http_proxy") }
  if (Object.values(proxies).every((address) => (address ?? "") === "")) return
  const no_proxy = [proxy("no_proxy"), "localhost", "127.0.0.1", "::1"].filter((name) => name !== undefined).join(",")
  // Node.js before 24.14 has no such function.
  const use = (http as { readonly setGlobalProxyFromEnv?: (proxies: object) => unknown }).setGlobalProxyFromEnv
  if (use !== undefined) use({ ...proxies, no_proxy })
  else stderr.write("HTTPS_PROXY is not used: Node.js 24.14 is the first that can\n")
}

useProxy(process)
const stopping = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort())
// A reader such as `head` that closes early ends the run without a message.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))

/** Returns the words of a command, with the `--json` that npx or `npm exec` took for an option of its own. */
const wordsOf = (words: ReadonlyArray<string>, { env }: Pick<Surroundings, "env">): ReadonlyArray<string> => {
  const isByNpm = env.npm_command === "exec" && /^['"]?carteiro\b/.test(env.npm_lifecycle_script ?? "")
  return isByNpm && env.npm_config_json === "true" ? ["--json", ...words] : words
}

process.exitCode = await run(wordsOf(process.argv.slice(2), process), {
  env: process.env,
  platform: process.platform,
  home: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stopping.signal,
  stop: () => stopping.abort()
})
