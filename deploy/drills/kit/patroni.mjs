// PostgreSQL under Patroni, with etcd as the store of its decisions. Debian: apt-get install patroni etcd-server
import { spawn } from "node:child_process"
import { openSync } from "node:fs"
import { join } from "node:path"
import { freePort, until } from "./drill.mjs"
import { account, bin, makeFolder, servers, writeFor } from "./postgres.mjs"

const run = ({ atEnd, logs, folder }, name, program, args) => {
  const log = join(folder, "sockets", `${name}.log`)
  logs.push(log)
  const output = openSync(log, "a")
  const child = spawn(program, args, { cwd: "/", stdio: ["ignore", output, output], ...account })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const end = async (signal) => {
    if (!hasEnded()) child.kill(signal)
    await until(hasEnded, `the end of ${name}`)
  }
  atEnd(() => end("SIGTERM"))
  return { end, hasEnded }
}

const startEtcd = async (ground) => {
  const [clients, peers] = await Promise.all([freePort(), freePort()])
  const [url, peer] = [clients, peers].map((port) => `http://127.0.0.1:${port}`)
  const data = makeFolder(join(ground.folder, "etcd"))
  const urls = ["--listen-client-urls", url, "--advertise-client-urls", url, "--listen-peer-urls", peer]
  const cluster = ["--initial-advertise-peer-urls", peer, "--initial-cluster", `default=${peer}`]
  run(ground, "etcd", "etcd", ["--data-dir", data, ...urls, ...cluster])
  const isUp = async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok
  await until(isUp, "the start of etcd")
  return clients
}

/**
 * Shorter than Patroni's own (10, 30 and 10 seconds): `ttl` is the shortest that it takes. It waits for etcd as long as the
 * others allow, so that a slow disk ends no lease.
 */
const timings = { loop_wait: 3, ttl: 20, retry_timeout: 8 }
/** What it must come to on a machine that has much else to do. */
const longestMs = 300_000

/** Returns Patroni's settings of one server; it reads YAML, of which JSON is a part. */
const settingsOf = (server, { api, etcd, sockets }) => ({
  scope: "drill",
  name: server.name,
  restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
  etcd3: { host: `127.0.0.1:${etcd}` },
  bootstrap: {
    dcs: {
      ...timings,
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_log_hints: "on" } }
    },
    initdb: [{ encoding: "UTF8" }],
    pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
  },
  postgresql: {
    listen: `127.0.0.1:${server.port}`,
    connect_address: `127.0.0.1:${server.port}`,
    data_dir: server.data,
    bin_dir: bin,
    pgpass: join(sockets, `${server.name}.pgpass`),
    authentication: { superuser: { username: "postgres" }, replication: { username: "replicator" } },
    parameters: { unix_socket_directories: sockets }
  }
})

/** Starts a cluster of these names under Patroni, of which the first is the primary and the second its synchronous standby. */
export const startPatroni = async (ground, names) => {
  const postgres = servers(ground)
  const sockets = join(ground.folder, "sockets")
  const etcd = await startEtcd(ground)
  const member = async (name) => {
    // Patroni makes the folder of the data, and makes it anew for a copy.
    const server = await postgres.over(name, join(makeFolder(join(ground.folder, name)), "data"))
    const api = await freePort()
    const file = writeFor(join(sockets, `${name}.json`), JSON.stringify(settingsOf(server, { api, etcd, sockets })))
    let patroni
    const ask = async (path, body) => {
      const answer = await fetch(
        `http://127.0.0.1:${api}${path}`,
        body && { method: "POST", body: JSON.stringify(body) }
      )
      return { status: answer.status, text: await answer.text() }
    }
    return {
      ...server,
      /** Starts Patroni, which starts the server. */
      start: () => {
        patroni = run(ground, `patroni-${name}`, "patroni", [file])
      },
      /** Ends Patroni and the server at once, as the loss of their machine does. */
      lose: async () => {
        await patroni.end("SIGKILL")
        server.signal("SIGKILL")
      },
      /** Ends the server alone, as a crash does; Patroni starts it again. */
      crash: () => server.signal("SIGKILL"),
      isPrimary: async () => (await ask("/primary").catch(() => undefined))?.status === 200,
      switchTo: (candidate) => ask("/switchover", { leader: name, candidate })
    }
  }
  const members = []
  for (const name of names) members.push(await member(name))
  const [first, ...others] = members
  first.start()
  await until(first.isPrimary, `${first.name} as the primary`, longestMs)
  for (const other of others) other.start()
  return members
}

/** Returns the standbys of a primary with their `sync_state`. */
export const standbysOf = (primary) =>
  primary
    .query("postgres", "select application_name, sync_state from pg_stat_replication where state = 'streaming'")
    .catch(() => [])

/** Waits until a standby of the primary is the synchronous one. */
export const awaitSynchronous = (primary) =>
  until(
    async () => (await standbysOf(primary)).some(([, state]) => state === "sync"),
    "a synchronous standby",
    longestMs
  )
