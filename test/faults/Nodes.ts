import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as EmbeddedPostgres from "@carteiro/runtime/boot/EmbeddedPostgres.ts"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { Effect } from "effect"
import { type DatabaseProxy, databaseProxy } from "../support/DatabaseProxy.ts"
import { clusterOf } from "../support/EmbeddedServer.ts"
import type { Target } from "./Client.ts"
import { endServer } from "./Database.ts"
import { type LinkRoads, linkRoads } from "./LinkRoads.ts"
import type { Log } from "./Log.ts"
import { makeNode, type ProductNode } from "./Process.ts"
import { eventually } from "./Waiting.ts"

/** `single` is `npm start`; `cluster` runs edges and shards as processes of their own over one database. */
export type Mode = "single" | "cluster"

export interface ProductPlan {
  readonly mode: Mode
  /** Data directory, databases and logs go below it. */
  readonly folder: string
  /** Where webhooks may go. */
  readonly receiver: string
  /** A database to use; the embedded one when left out. */
  readonly databaseUrl?: string | undefined
  /** Nodes reach the database by a proxy, so that its host may vanish. */
  readonly proxied: boolean
  /** Settings that say where the vendors are. */
  readonly vendors: Readonly<Record<string, string>>
  readonly shards: number
  readonly edges: number
  /** Equal processes of the single node, or of the first shard. */
  readonly processes: number
}

/** The running product, as callers and faults see it. */
export interface Product {
  readonly nodes: readonly [ProductNode, ...ReadonlyArray<ProductNode>]
  /** Where callers may go. */
  readonly targets: readonly [Target, ...ReadonlyArray<Target>]
  /** What lies between its processes. */
  readonly links: LinkRoads
  readonly databaseUrl: string
  /** What lies between the nodes and the database, when it may be lost. */
  readonly road: DatabaseProxy | undefined
  /** The folder of the database cluster when it belongs to this run alone, and may be restarted. */
  readonly cluster: string | undefined
  readonly sandbox: Environment
  readonly production: Environment
  /** Where its production payments go through. */
  readonly pixConnectionId: string
  /** Where its owner signs in at the dashboard, once. */
  readonly signInUrl: string
}

/** A key, and a number to send from. */
interface Environment {
  readonly apiKey: string
  readonly phoneNumberId: string
}

/** Starts the product; closing the scope stops all of it, the database of its own included. */
export const startProduct = Effect.fnUntraced(function* (plan: ProductPlan, log: Log) {
  const dataDir = join(plan.folder, "data")
  yield* Effect.sync(() => {
    mkdirSync(dataDir)
    // As root, PostgreSQL runs as another user, who must pass through.
    for (const path of [plan.folder, dataDir]) chmodSync(path, 0o711)
  })
  const env = { ...settings(plan.receiver), ...plan.vendors, CARTEIRO_DATA_DIR: dataDir }
  return yield* plan.mode === "single" ? startSingle(plan, env, dataDir, log) : startCluster(plan, env, dataDir, log)
})

type Variables = Readonly<Record<string, string>>

const settings = (receiver: string): Variables => ({
  HOST: "127.0.0.1",
  CARTEIRO_MODE: "development",
  CARTEIRO_LOG: "info",
  CARTEIRO_RATE_LIMITS: "off",
  CARTEIRO_SANDBOX_STATUS_DELAY_MS: "50",
  CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver,
  CARTEIRO_WEBHOOK_RETRY_SANDBOX: "0s,1s"
})

const startSingle = Effect.fnUntraced(function* (plan: ProductPlan, env: Variables, dataDir: string, log: Log) {
  const port = yield* freePort()
  yield* Effect.addFinalizer(() => endLeft(dataDir))
  const given = plan.databaseUrl ?? (plan.proxied ? yield* embedded(dataDir) : undefined)
  const road = given === undefined || !plan.proxied ? undefined : yield* databaseProxy(given)
  const seen = road?.url ?? given
  const database: Variables = seen === undefined ? {} : { DATABASE_URL: seen }
  const links = yield* linkRoads([plan.processes])
  const runner = { ...links.env, CARTEIRO_RUNNER_PORT: String(links.firstPorts[0]) }
  const role = { CARTEIRO_ROLE: "all", PORT: String(port) }
  const node = yield* hosted(plan, "all", { ...env, ...database, ...runner, ...role }, log, plan.processes)
  yield* node.start
  const dev = readDevFile(dataDir)
  const databaseUrl = given ?? dev.database_url
  const cluster = plan.databaseUrl === undefined ? clusterOf(dataDir) : undefined
  const targets = [{ node: node.name, url: `http://127.0.0.1:${port}` }] as const
  return {
    ...dev.callers,
    nodes: [node],
    targets,
    links,
    databaseUrl,
    road,
    cluster
  } satisfies Product as Product
})

const startCluster = Effect.fnUntraced(function* (plan: ProductPlan, env: Variables, dataDir: string, log: Log) {
  const databaseUrl = plan.databaseUrl ?? (yield* embedded(dataDir))
  const cluster = plan.databaseUrl === undefined ? clusterOf(dataDir) : undefined
  const road = plan.proxied ? yield* databaseProxy(databaseUrl) : undefined
  const shared = { ...env, DATABASE_URL: road?.url ?? databaseUrl }
  // Role `all` alone seeds a data directory; the others find what it left.
  const seeder = yield* hosted(plan, "seeder", { ...shared, CARTEIRO_ROLE: "all", PORT: "0" }, log)
  yield* seeder.start
  yield* endNode(seeder)
  const nodes: Array<ProductNode> = []
  const processesOf = (shard: number) => (shard === 1 ? plan.processes : 1)
  const links = yield* linkRoads(Array.from({ length: plan.shards }, (_, at) => processesOf(at + 1)))
  for (let shard = 1; shard <= plan.shards; shard++) {
    const port = String(links.firstPorts[shard - 1])
    const role = { ...links.env, CARTEIRO_ROLE: "shard", CARTEIRO_RUNNER_PORT: port, PORT: "0" }
    nodes.push(yield* hosted(plan, `shard${shard}`, { ...shared, ...role }, log, processesOf(shard)))
  }
  const targets: Array<Target> = []
  for (let edge = 1; edge <= plan.edges; edge++) {
    const port = yield* freePort()
    const role = { CARTEIRO_ROLE: "edge", CARTEIRO_RUNNER_PORT: String(yield* freePort()), PORT: String(port) }
    const node = yield* hosted(plan, `edge${edge}`, { ...shared, ...links.env, ...role }, log)
    nodes.push(node)
    targets.push({ node: node.name, url: `http://127.0.0.1:${port}` })
  }
  yield* Effect.forEach(nodes, (node) => node.start)
  const [node, ...otherNodes] = nodes
  const [target, ...otherTargets] = targets
  if (node === undefined || target === undefined) return yield* Effect.die("a cluster needs a shard and an edge")
  return {
    ...readDevFile(dataDir).callers,
    nodes: [node, ...otherNodes],
    targets: [target, ...otherTargets],
    links,
    databaseUrl,
    road,
    cluster
  } satisfies Product as Product
})

const embedded = (dataDir: string) => Effect.map(Effect.orDie(EmbeddedPostgres.acquire({ dataDir })), ({ url }) => url)

const hosted = (plan: ProductPlan, name: string, env: Variables, log: Log, processes = 1) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const logFile = join(plan.folder, `${name}.log`)
      return makeNode({ name, env: { ...env, CARTEIRO_PROCESSES: String(processes) }, processes, logFile }, log)
    }),
    endNode
  )

/** A planned stop, and a kill for a node that does not obey. */
const endNode = Effect.fnUntraced(function* (node: ProductNode) {
  if (!node.isUp()) return
  node.signal("SIGCONT")
  node.signal("SIGTERM")
  if ((yield* eventually(() => (node.isUp() ? undefined : true), 20)) === undefined) node.signal("SIGKILL")
  yield* eventually(() => (node.isUp() ? undefined : true), 5)
})

/** Stops the database server that a killed node has left, if it has. */
const endLeft = (dataDir: string) =>
  Effect.suspend(() => (existsSync(join(dataDir, "postgres.json")) ? endServer(clusterOf(dataDir)) : Effect.void))

const readDevFile = (dataDir: string) => {
  const path = join(dataDir, "dev.json")
  if (!existsSync(path)) throw new Error(`the product wrote no ${path}`)
  const { dashboard, database_url, production, sandbox, simulators } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly database_url: string
    readonly dashboard: { readonly sign_in_url: string }
    readonly sandbox: DevEnvironment
    readonly production: DevEnvironment
    readonly simulators: { readonly pixprov2_connection_id: string }
  }
  const pixConnectionId = simulators.pixprov2_connection_id
  const environments = { sandbox: callerOf(sandbox), production: callerOf(production) }
  return { database_url, callers: { ...environments, pixConnectionId, signInUrl: dashboard.sign_in_url } }
}

interface DevEnvironment {
  readonly api_key: string
  readonly phone_number_id: string | null
}

const callerOf = ({ api_key, phone_number_id }: DevEnvironment): Environment => ({
  apiKey: api_key,
  phoneNumberId: phone_number_id ?? ""
})
