// A drill of clocks that jump: first that of one node's machine, by an hour forward and back, then that of the database's, by
// ten minutes ahead. Nodes follow the database's clock and count by a counter that no jump moves. It prints what callers
// noticed and what each node's check of the clock said. Ends with 1 when an answered message is lost or an instant of one
// is off the database's clock.
//
//   node_modules/.bin/node deploy/drills/clock.mjs
//
// Needs Debian's faketime, which turns the clock of single processes: that of the machine stays.
import { globSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { call, settled } from "./kit/callers.mjs"
import { drill, say, seconds, until } from "./kit/drill.mjs"
import { openWindows, startLoad } from "./kit/load.mjs"
import { here, newMasterKey, nodesOf, seed, settingsOf } from "./kit/nodes.mjs"
import { servers } from "./kit/postgres.mjs"
import { caller } from "./kit/product.mjs"

const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1")

/** The clock of a machine: a file that says by how many seconds it is ahead of the true time. */
const machine = (path) => {
  // The library ends a process that reads half a file.
  const turn = (ahead) => {
    writeFileSync(`${path}.next`, `${ahead < 0 ? "" : "+"}${ahead}\n`)
    renameSync(`${path}.next`, path)
  }
  turn(0)
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: path,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    FAKETIME_DONT_RESET: "1"
  }
  return { turn, env }
}

await drill("clock", async (ground) => {
  const { expect, folder } = ground
  if (library === undefined) throw new Error("Debian's faketime is missing")
  const [ofDatabase, ofNode] = [machine(join(folder, "database.time")), machine(join(folder, "node.time"))]
  Object.assign(process.env, ofDatabase.env)
  const server = await servers(ground).init("database", "max_connections=100")
  for (const name of Object.keys(ofDatabase.env)) delete process.env[name]
  await server.query("postgres", "create database carteiro")
  const env = settingsOf(server.url("carteiro"), join(folder, "data"), newMasterKey())
  const dev = await seed(ground, here, env)
  const [steady, jumping] = await nodesOf(ground, "shard", 2, here, env)
  const [edge] = await nodesOf(ground, "edge", 1, here, { ...env, ...ofNode.env })
  const nodes = [steady, jumping, edge]
  for (const node of nodes) await node.start(node === jumping ? { env: ofNode.env } : {})
  const customers = caller({ ...dev, base_url: edge.url })
  await openWindows(customers)

  const clockOf = async (node) => (await node.health()).checks.clock
  const databaseNow = async () =>
    Number((await server.query("postgres", "select extract(epoch from clock_timestamp()) * 1000"))[0][0])
  // Node.js dates its answers by the clock of its machine.
  const machineAhead = async ({ url }) =>
    Math.round((Date.parse((await fetch(`${url}/health`)).headers.get("date")) - Date.now()) / 1000)
  const read = (id) => call(edge.url, dev.sandbox.api_key, "GET", `/v1/messages/${id}`)

  /** Lets callers send while the clocks jump, and looks at what they were told. */
  const played = async (what, jump) => {
    const load = startLoad(customers, 50)
    await until(() => load.accepted.length >= 20, "20 accepted messages", 120_000)
    const from = await databaseNow()
    await jump(load)
    const goal = load.accepted.length + 20
    await until(() => load.accepted.length >= goal, "20 more accepted messages", 120_000)
    const { accepted, missedMs, refused, repeated, unanswered } = await load.stop()
    const to = await databaseNow()
    say(
      `${what}: ${accepted.length} messages accepted, ${repeated} after a repeat, missed for ${seconds(missedMs)} seconds`
    )
    expect(
      `refused: ${refused.length}, without an answer: ${unanswered.length}`,
      refused.length + unanswered.length === 0
    )
    const lost = await settled(read, accepted)
    expect(`accepted messages that are lost or not delivered: ${lost.length}`, lost.length === 0)
    const last = accepted.slice(-10)
    const instants = await Promise.all(last.map(async (id) => Date.parse((await read(id)).body.created_at)))
    const off = instants.filter((at) => at < from - 250 || at > to + 250).length
    expect(`of the last ${last.length}, with an instant off the database's clock: ${off}`, off === 0)
    return { repeated }
  }

  const { repeated } = await played(
    "the clocks of a shard and the edge jump an hour forward and back",
    async (load) => {
      for (const ahead of [3600, -3600, 0]) {
        ofNode.turn(ahead)
        const goal = load.accepted.length + 20
        await until(() => load.accepted.length >= goal, "20 more accepted messages", 120_000)
        const shown = await machineAhead(edge)
        expect(`the machine of ${edge.name} is ${shown} seconds ahead`, Math.abs(shown - ahead) < 5)
      }
      for (const node of [jumping, edge]) {
        const { detail, status } = await clockOf(node)
        expect(`${node.name}: ${status}. ${detail}`, status === "ok")
      }
    }
  )
  expect(`calls that callers had to repeat: ${repeated}`, repeated === 0)

  await played("the database's clock jumps ten minutes ahead", async () => {
    const begun = performance.now()
    ofDatabase.turn(600)
    const seen = new Map()
    await until(
      async () => {
        for (const node of nodes) {
          const { detail, status } = await clockOf(node).catch(() => ({ status: "unknown" }))
          if (status === "failed" && !seen.has(node))
            seen.set(node, `${node.name}, after ${seconds(performance.now() - begun)} seconds: ${detail}`)
        }
        const off = Math.abs((await databaseNow()) - Date.now() - 600_000)
        return off < 5000 && seen.size === nodes.length
      },
      "every node's look at the clock",
      90_000
    )
    for (const line of seen.values()) say(line)
    await until(
      async () => (await Promise.all(nodes.map(clockOf))).every(({ status }) => status === "ok"),
      "the clocks"
    )
    say(`all nodes follow it ${seconds(performance.now() - begun)} seconds after the jump`)
  })
})
