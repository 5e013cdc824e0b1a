import { execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort, until } from "./drill.mjs"

const runtime = fileURLToPath(new URL("../../../runtime/", import.meta.url))

/** Returns settings of the product over a database, on top of this process's own variables. */
export const settingsOver = (databaseUrl, dataDir, more = {}) => ({
  ...process.env,
  DATABASE_URL: databaseUrl,
  CARTEIRO_DATA_DIR: dataDir,
  CARTEIRO_MASTER_KEY: randomBytes(32).toString("hex"),
  CARTEIRO_LOG: "error",
  CARTEIRO_RATE_LIMITS: "off",
  ...more
})

/** Starts one node of role `all`, and returns its process and its `dev.json`. */
export const startNode = async (ground, env) => {
  const ports = { PORT: String(await freePort()), CARTEIRO_RUNNER_PORT: String(await freePort()) }
  return launch(ground, { CARTEIRO_ADMIN_PORT: "0", ...ports, ...env }, "main.ts")
}

/** Starts several nodes as `npm run cluster` does; `nodes` tells role, number, pid and admin address of each. */
export const startCluster = async (ground, env, { edges = 1, shards = 3 } = {}) => {
  const counts = ["--shards", String(shards), "--edges", String(edges)]
  const ports = { PORT: String(await freePort()), CARTEIRO_RUNNER_PORT: "0" }
  const started = await launch(ground, { ...ports, ...env }, "cluster.ts", ...counts)
  const nodes = [...started.printed().matchAll(/^node (\S+) (\d+) pid=(\d+) http=(\S+) runner=\S+ admin=(\S+)$/gm)].map(
    ([, role, number, pid, http, admin]) => ({ role, number: Number(number), pid: Number(pid), http, admin })
  )
  return { ...started, nodes }
}

const launch = async ({ atEnd }, env, program, ...args) => {
  const child = spawn(process.execPath, [join(runtime, program), ...args], { env, stdio: ["ignore", "pipe", "pipe"] })
  let printed = ""
  let told = ""
  child.stdout.on("data", (chunk) => {
    printed += chunk
  })
  child.stderr.on("data", (chunk) => {
    told += chunk
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const stop = async (signal = "SIGTERM") => {
    if (!hasEnded()) child.kill(signal)
    await until(hasEnded, "the stop of the product")
  }
  atEnd(() => stop())
  await until(() => /^ready /m.test(printed) || hasEnded(), "the start of the product", 300_000)
  if (hasEnded()) throw new Error(`the product ended with ${child.exitCode}: ${told}`)
  const dev = JSON.parse(readFileSync(join(env.CARTEIRO_DATA_DIR, "dev.json"), "utf8"))
  return { child, dev, stop, hasEnded, printed: () => printed, told: () => told }
}

/** Runs a command of the operator, and returns what it prints with `--json`. */
export const operator = (env, ...words) =>
  JSON.parse(
    execFileSync(process.execPath, [join(runtime, "cli/main.ts"), ...words, "--json"], { env, encoding: "utf8" })
  )

/** Lets a server of the drill listen until the drill ends; returns its address. */
export const listening = async (server, atEnd) => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${server.address().port}`
}

/** A receiver of webhooks: the parsed events that it took, and how it answers, a status that may be changed. */
export const startReceiver = async ({ atEnd }) => {
  const state = { origin: "", status: 200, events: [] }
  const server = createServer((request, response) => {
    const chunks = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("end", () => {
      if (state.status === 200) state.events.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(state.status).end()
    })
  })
  state.origin = await listening(server, atEnd)
  return state
}

/** Calls the API with the sandbox key. An answer that does not come within 30 seconds counts as a failed call. */
export const caller = ({ base_url, sandbox }) => {
  const call = async (method, path, body, key) => {
    const answer = await fetch(`${base_url}/v1/${path}`, {
      method,
      signal: AbortSignal.timeout(30_000),
      headers: {
        authorization: `Bearer ${sandbox.api_key}`,
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    // A proxy answers for itself in HTML.
    const isJson = answer.headers.get("content-type")?.includes("json")
    return { status: answer.status, body: isJson ? await answer.json() : await answer.text() }
  }
  const customer = (number) => `+55119${String(80_000_000 + number)}`
  /** A customer writes to the sandbox number: an inbound message, which opens the window for answers. */
  const write = (number, key) =>
    call(
      "POST",
      "sandbox/inbound-messages",
      { channel: "chatapp", from: customer(number), to: sandbox.phone_number_id, type: "text", text: { body: "Oi" } },
      key
    )
  /** A message of the sandbox number to a customer. */
  const send = (number, text, key) =>
    call(
      "POST",
      "messages",
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: sandbox.phone_number_id },
        recipient: { type: "phone_e164", id: customer(number) },
        message: { type: "text", text: { body: text } }
      },
      key
    )
  return { call, write, send }
}
