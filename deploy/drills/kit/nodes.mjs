// Single nodes of the product, which may be of another release, and the chat platform that they send to.
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmodSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { upstreamSimulator } from "@carteiro/runtime/boot/simulators/UpstreamSimulator.ts"
import { parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { startUpstream } from "@carteiro/simulators/upstream/Simulator.ts"
import { Effect, Redacted } from "effect"
import { pause, until } from "./drill.mjs"

/** The release whose drills these are. */
export const here = fileURLToPath(new URL("../../../", import.meta.url)).replace(/\/$/, "")

/** A port that no connection of another process takes while its node is down. */
const keptPort = () => Effect.runPromise(freePort())

export const newMasterKey = () => randomBytes(32).toString("hex")

const verifyToken = "drill-verify-token"
const appId = "drill"

/** Starts a simulated chat platform, which knows the demo account of installations with that master key. */
export const startPlatform = async ({ atEnd }, masterKey, appSecret = "drill-app-secret") => {
  const keys = Redacted.make(parseMasterKeys(masterKey))
  const simulator = await startUpstream({
    appSecret,
    verifyToken,
    appId,
    now: Date.now,
    statusUnitMs: 50,
    reviewMs: 0
  })
  atEnd(() => simulator.close())
  const demoAt = (baseUrl, phone) => upstreamSimulator.told(keys, { baseUrl, phone, pixprov2ConnectionId: null })
  simulator.world.add(demoAt("http://127.0.0.1", null).account)
  const control = async (path, body) => {
    const answer = await fetch(`${simulator.url}${path}`, body && { method: "POST", body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`the platform answered ${answer.status} to ${path}`)
    return answer.json()
  }
  return {
    simulator,
    env: {
      CARTEIRO_UPSTREAM_API_BASE_URL: simulator.url,
      CARTEIRO_UPSTREAM_APP_ID: appId,
      CARTEIRO_UPSTREAM_APP_SECRET: appSecret,
      CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN: verifyToken,
      // The release 0.1.0 named another product by default.
      CARTEIRO_UPSTREAM_MESSAGING_PRODUCT: "whatsapp"
    },
    /** Has the platform report to that node, for the number of the installation's production environment. */
    reportTo: async (baseUrl, phone) => {
      const { account, webhook_url } = demoAt(baseUrl, phone)
      simulator.world.add(account)
      for (const number of simulator.world.numbers.values()) number.messaging_limit_tier = "TIER_10K"
      await control("/subscribe", { url: webhook_url })
      const value = { display_phone_number: phone, event: "UPGRADE", current_limit: "TIER_10K" }
      const field = "phone_number_quality_update"
      await control("/changes", { biz_account_id: account.biz_account_id, field, value })
    },
    /** Returns another token that reaches the account. */
    newToken: () => {
      const token = randomBytes(20).toString("hex")
      simulator.world.tokens.set(token, new Set([demoAt("http://127.0.0.1", null).account.biz_account_id]))
      return token
    },
    /** Returns how often the platform took each message, by our ids. */
    taken: async () => {
      const times = new Map()
      for (const { message_id, outcome } of (await control("/log?kind=message")).entries) {
        if (outcome === "accepted") times.set(message_id, (times.get(message_id) ?? 0) + 1)
      }
      return times
    }
  }
}

/** On a machine that has much else to do. */
const [longestStartMs, longestStopMs] = [240_000, 120_000]

/** One process of the product, of the release in `code`, that is started and stopped by name. */
export const makeNode = ({ atEnd }, { name, code = here, env }) => {
  let child
  let printed = ""
  let given = { code, env }
  const isUp = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const exits = (within) => until(() => !isUp(), `the end of ${name}`, within)
  const node = {
    name,
    isUp,
    url: `http://127.0.0.1:${env.PORT}`,
    runnerPort: Number(env.CARTEIRO_RUNNER_PORT),
    /** Starts it and waits for its ready line; `changes` are another release or other settings from now on. */
    start: async (changes = {}) => {
      given = { code: changes.code ?? given.code, env: { ...given.env, ...changes.env } }
      printed = ""
      const program = join(given.code, "runtime/main.ts")
      child = spawn(process.execPath, [program], {
        env: { ...ownEnvironment(), ...given.env },
        stdio: ["ignore", "pipe", "pipe"]
      })
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk) => {
          printed = `${printed}${chunk}`.slice(-100_000)
        })
      }
      await until(() => /^ready /m.test(printed) || !isUp(), `the start of ${name}`, longestStartMs)
      if (!isUp()) throw new Error(`${name} ended at its start: ${printed}`)
    },
    /** A planned stop. */
    stop: async () => {
      child.kill("SIGTERM")
      await exits(longestStopMs)
      if (child.exitCode !== 0) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}: ${printed}`)
    },
    printed: () => printed,
    health: async () => (await fetch(`http://127.0.0.1:${env.CARTEIRO_ADMIN_PORT}/health`)).json()
  }
  atEnd(async () => {
    if (!isUp()) return
    child.kill("SIGTERM")
    await exits(20_000).catch(() => child.kill("SIGKILL"))
  })
  return node
}

const ownEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(CARTEIRO_|OTEL_|HOST$|PORT$|DATABASE_URL$)/.test(name))
  )

/** A node's settings in every drill, beside those of its database. */
export const settingsOf = (databaseUrl, dataDir, masterKey) => ({
  DATABASE_URL: databaseUrl,
  CARTEIRO_DATA_DIR: dataDir,
  CARTEIRO_MASTER_KEY: masterKey,
  CARTEIRO_RATE_LIMITS: "off",
  CARTEIRO_SANDBOX_STATUS_DELAY_MS: "50",
  CARTEIRO_LOG: "warn"
})

/** Makes the demo organization with a node of role `all` that stops again; returns what callers need. */
export const seed = async (ground, code, env) => {
  mkdirSync(env.CARTEIRO_DATA_DIR, { recursive: true })
  chmodSync(env.CARTEIRO_DATA_DIR, 0o711)
  const runner = { CARTEIRO_RUNNER_PORT: String(await keptPort()) }
  const settings = { ...env, ...runner, PORT: String(await keptPort()) }
  const node = makeNode(ground, { name: "the seeding node", code, env: settings })
  await node.start()
  await node.stop()
  return JSON.parse(readFileSync(join(env.CARTEIRO_DATA_DIR, "dev.json"), "utf8"))
}

/** Makes nodes of one role, each with ports of its own; none runs yet. */
export const nodesOf = (ground, role, count, code, env) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const [port, runner, admin] = await Promise.all([keptPort(), keptPort(), keptPort()])
      return makeNode(ground, {
        name: `${role} ${index + 1}`,
        code,
        env: {
          ...env,
          CARTEIRO_ROLE: role,
          PORT: String(port),
          CARTEIRO_RUNNER_PORT: String(runner),
          CARTEIRO_ADMIN_PORT: String(admin)
        }
      })
    })
  )

/** Proxies have so long to learn that an edge goes; in Kubernetes it is `preStop`. */
const leaveMs = 1000

/**
 * Changes nodes one after the other in the order of deploy/kubernetes/roll.sh: shards from the last to the first, then
 * edges, each of which goes once another one is ready in its place. `serving` returns the edges that take calls.
 */
export const rolling = ({ edges, shards, spare }) => {
  let [serving, free] = [edges, spare]
  return {
    serving: () => serving,
    /** Returns the edge that is stopped. */
    spare: () => free,
    /** Starts every node anew with what `changesOf` returns for it; `between` runs after each node. */
    roll: async (changesOf, between) => {
      for (const shard of shards.toReversed()) {
        await shard.stop()
        await shard.start(changesOf(shard))
        await between()
      }
      for (const edge of [...serving]) {
        await free.start(changesOf(free))
        serving = [...serving.filter((one) => one !== edge), free]
        await between()
        await pause(leaveMs)
        await edge.stop()
        free = edge
      }
    }
  }
}
