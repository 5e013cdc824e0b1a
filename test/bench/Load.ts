import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { BenchFailure } from "./BenchFailure.ts"

/** Requests of one load, as the body of a Lua `request` function that reads `n`, the number of the request. */
export interface Requests {
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  /** Lua expression for the path. */
  readonly path: string
  /** Lua expression for the body, absent for none. */
  readonly body?: string
  /** Lua expression for the Idempotency-Key; `run` is a text no other round has. */
  readonly idempotencyKey?: string
  /** Lua expression for Authorization, where requests have several callers. */
  readonly authorization?: string
  /** Lua run once, before the first request: tables that the expressions read. */
  readonly setup?: string
}

/** What the load generator saw in one round. */
export interface Loaded {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers of 400 and above. */
  readonly refused: number
  /** Connections that failed, and answers that did not come. */
  readonly broken: number
}

/** Connections of every HTTP workload. */
export const connections = 64

/** Sends requests for `seconds` over 64 kept connections with one thread of `wrk`. */
export const load = (folder: string, url: string, requests: Requests, seconds: number) =>
  Effect.callback<Loaded, BenchFailure>((resume) => {
    const script = join(folder, "load.lua")
    writeFileSync(script, luaOf(requests))
    const arguments_ = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", script, url]
    const child = spawn("wrk", arguments_, { stdio: ["ignore", "pipe", "pipe"] })
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()))
    child.once("error", (error) => resume(Effect.fail(new BenchFailure({ message: `wrk: ${error.message}` }))))
    child.once("close", () => resume(read(text)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const read = (text: string): Effect.Effect<Loaded, BenchFailure> => {
  const line = text.match(/^carteiro-bench (\{.*\})$/m)?.[1]
  if (line === undefined) return Effect.fail(new BenchFailure({ message: `wrk said: ${text.trim().slice(-500)}` }))
  return Effect.succeed(JSON.parse(line) as Loaded)
}

const luaOf = (requests: Requests): string => {
  const headers = Object.entries(requests.headers).map(([name, value]) => `  h[${quote(name)}] = ${quote(value)}`)
  if (requests.authorization !== undefined) headers.push(`  h["Authorization"] = ${requests.authorization}`)
  if (requests.idempotencyKey !== undefined) headers.push(`  h["Idempotency-Key"] = ${requests.idempotencyKey}`)
  if (requests.body !== undefined) headers.push('  h["Content-Type"] = "application/json"')
  return `local n = 0
local run = ${quote(randomBytes(9).toString("base64url"))}
${requests.setup ?? ""}
request = function()
  n = n + 1
  local h = {}
${headers.join("\n")}
  return wrk.format(${quote(requests.method)}, ${requests.path}, h, ${requests.body ?? "nil"})
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format(
    'carteiro-bench {"requests":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f,"refused":%d,"broken":%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    e.status, e.connect + e.read + e.write + e.timeout))
end
`
}

/** A Lua string literal. */
export const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`
