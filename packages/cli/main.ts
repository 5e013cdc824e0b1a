import * as http from "node:http"
import { homedir } from "node:os"
import { run } from "./Run.ts"
import type { Surroundings } from "./shell/Surroundings.ts"

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
