import { join } from "node:path"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { Effect } from "effect"
import { Bench } from "./Bench.ts"
import { type Database, temporaryFolder } from "./Postgres.ts"
import { run } from "./Processes.ts"
import { profileFlags, tellStatements } from "./Product.ts"
import { recipient } from "./Sends.ts"

/** A program of `peers/`, by the name of its file, on this Node and a port of its own. */
const peer = Effect.fnUntraced(function* (
  file: string,
  env: Readonly<Record<string, string>> = {},
  flags: ReadonlyArray<string> = []
) {
  const { root } = yield* Bench
  const port = yield* freePort()
  const running = yield* run({
    name: file,
    command: process.execPath,
    arguments: [...flags, join(root, "test/bench/peers", `${file}.ts`)],
    env: { ...env, PORT: String(port), NODE_ENV: "production" },
    ready: /^ready$/m
  })
  return { ...running, url: `http://127.0.0.1:${port}` }
})

/** Fastify with node-postgres on a database of its own. */
export const fastify = Effect.gen(function* () {
  const { postgres } = yield* Bench
  const database = yield* postgres.database("bench_fastify")
  const running = yield* peer("FastifyPeer", { DATABASE_URL: database.url })
  /** So many keys, each of an environment with a number of its own, to which the customer has written. */
  const callers = Effect.fnUntraced(function* (count: number) {
    yield* database.query(
      `insert into peer.keys select encode(sha256(('sk_' || i)::bytea), 'hex'), 'e_' || i, '{messages:write,messages:read}'
        from generate_series(1, $1::int) i`,
      [count]
    )
    yield* database.query(
      `insert into peer.windows select 'e_' || i, 'pn_' || i, $2::text, now() from generate_series(1, $1::int) i`,
      [count, recipient(0)]
    )
    return Array.from({ length: count }, (_, n) => ({ key: `sk_${n + 1}`, number: `pn_${n + 1}` }))
  })
  return { ...running, database, sender: "pn_1", key: "sk_test", callers }
})

/** The bare Effect server. */
export const floor = peer("Floor")

/** A bare server of uploads, on a folder of its own. */
export const bareUpload = Effect.flatMap(temporaryFolder("uploads"), (folder) => peer("BareUpload", { FOLDER: folder }))

/** The receiver of webhooks; `control` asks it for what it has seen, or to hold its answers. */
export const receiver = Effect.gen(function* () {
  const running = yield* peer("Receiver")
  const control = (path: "/stats" | "/reset" | "/hold" | "/release") =>
    Effect.promise(async () => (await (await fetch(`${running.url}${path}`)).json()) as ReceiverStats)
  return { ...running, control }
})

/** Instants are epoch milliseconds; `firstAt` is the release when answers were held. */
export interface ReceiverStats {
  readonly deliveries: number
  readonly distinct: number
  readonly firstAt: number
  readonly lastAt: number
  readonly held: number
}

/** graphile-worker on a database of its own. */
export const graphileWorker = Effect.fnUntraced(function* (target: string) {
  const { postgres } = yield* Bench
  const database = yield* postgres.database("bench_graphile")
  return { ...(yield* queuePeer("GraphileWorkerPeer", target, database)), extra: [] }
})

/** BullMQ on a Redis of its own, which flushes every second; attempts are recorded in PostgreSQL. */
export const bullMq = Effect.fnUntraced(function* (target: string) {
  const { postgres } = yield* Bench
  const database = yield* postgres.database("bench_bullmq")
  const redis = yield* redisServer("everysec")
  return { ...(yield* queuePeer("BullMqPeer", target, database, redis.env)), extra: [redis.pid] }
})

/** The same with a Redis that flushes every write, sending to a platform and told by it how that went. */
export const bullMqSends = Effect.fnUntraced(function* (target: string, env: Readonly<Record<string, string>>) {
  const { postgres } = yield* Bench
  const database = yield* postgres.database("bench_bullmq_sends")
  const redis = yield* redisServer("always")
  return { ...(yield* queuePeer("SendPeer", target, database, { ...env, ...redis.env })), extra: [redis.pid] }
})

/** Wallets under movements: the product's owners, or pgledger's functions, each on a database of its own. */
export const ledger = Effect.fnUntraced(function* (
  file: "LedgerOwners" | "PgledgerPeer",
  wallets: number,
  env: Readonly<Record<string, string>> = {}
) {
  const { folder, options, postgres } = yield* Bench
  const name = `bench_${file}_${wallets}_${Object.keys(env).join("_")}`.toLowerCase()
  const database = yield* postgres.database(name)
  const profiling = options.profile && file === "LedgerOwners"
  const flags = profiling ? profileFlags(folder, name) : []
  const running = yield* peer(file, { ...env, DATABASE_URL: database.url, WALLETS: String(wallets) }, flags)
  if (profiling) yield* Effect.addFinalizer(() => tellStatements(database, name))
  /** One round; what it came to. */
  const round = Effect.fnUntraced(function* (seconds: number) {
    const told = () => running.output().match(/^round .*$/gm) ?? []
    const before = told().length
    yield* running.write(`go ${seconds}`)
    while (told().length === before) {
      yield* running.alive
      yield* Effect.sleep("10 millis")
    }
    return JSON.parse(told().at(-1)?.slice("round ".length) ?? "{}") as LedgerRound
  })
  return { ...running, database, round }
})

/** What a round of movements came to. */
export interface LedgerRound {
  readonly operations: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const redisServer = Effect.fnUntraced(function* (flushes: "always" | "everysec") {
  const dir = yield* temporaryFolder("redis")
  const port = yield* freePort()
  const durable = ["--appendonly", "yes", "--appendfsync", flushes, "--save", ""]
  const { pid } = yield* run({
    name: "redis-server",
    command: "redis-server",
    arguments: ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, ...durable],
    ready: /Ready to accept connections/
  })
  return { pid, env: { REDIS_PORT: String(port) } }
})

const queuePeer = Effect.fnUntraced(function* (
  file: string,
  target: string,
  database: Database,
  env: Readonly<Record<string, string>> = {}
) {
  const running = yield* peer(file, { ...env, DATABASE_URL: database.url, TARGET: target })
  /** Sends a command and waits until the peer has said `<command> done` once more. */
  const tell = Effect.fnUntraced(function* (command: string) {
    const word = command.split(" ", 1)[0]
    const times = () => running.output().split(`${word} done`).length
    const before = times()
    yield* running.write(command)
    while (times() === before) {
      yield* running.alive
      yield* Effect.sleep("10 millis")
    }
  })
  return { ...running, database, tell }
})
