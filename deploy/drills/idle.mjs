// A drill of a node that nobody calls: it counts the processor time that PostgreSQL and the node take for it, as the kernel
// tells it of their processes. PostgreSQL 15 to 17 compile statements that they hold for dear, and sessions of the product
// keep them from it: else an idle node costs a third of a core. Ends with 1 when PostgreSQL takes more than 2 % of one.
//
//   node_modules/.bin/node deploy/drills/idle.mjs
//
// Takes PostgreSQL's server programs from PGBIN, Debian's postgresql or the embedded PostgreSQL. Run as root they run as
// postgres. Linux only, since it reads /proc.
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { drill, pause, say, until } from "./kit/drill.mjs"
import { bin, makeFolder, servers } from "./kit/postgres.mjs"
import { settingsOver, startNode } from "./kit/product.mjs"

const mostPercent = 2
/** Other work on the machine only adds to the processor time, so that the least of some windows counts. */
const windowMs = 20_000
const windows = 8
/** A start makes more transactions than a node at rest, fewer in each of these windows. */
const settleMs = 10_000
const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }))

/** Returns parent, start and used processor time of a process; undefined once it is gone. */
const read = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const [user, system, childrensUser, childrensSystem] = fields.slice(11, 15).map(Number)
    return {
      parent: Number(fields[1]),
      own: (user + system) / ticksPerSecond,
      ended: (childrensUser + childrensSystem) / ticksPerSecond
    }
  } catch {
    return undefined
  }
}

/** Returns the seconds of processor time that a process and its children have used, those that have ended included. */
const usedBy = (pid) => {
  const self = read(pid)
  const children = readdirSync("/proc").flatMap((name) => {
    const child = /^\d+$/.test(name) ? read(Number(name)) : undefined
    return child?.parent === pid ? [child.own] : []
  })
  return children.reduce((sum, own) => sum + own, self.own + self.ended)
}

await drill("idle", async (ground) => {
  const { expect, folder } = ground
  const server = await servers(ground).init("database")
  await server.query("postgres", "create database carteiro")
  const one = async (statement) => (await server.query("carteiro", statement))[0][0]
  const node = await startNode(ground, settingsOver(server.url("carteiro"), makeFolder(join(folder, "product"))))
  say(`PostgreSQL ${await one("show server_version")} of ${bin}; jit = ${await one("show jit")} for sessions of others`)

  /** Transactions that ended in the database of the node, those of this drill included. */
  const ended = async () => Number(await one("select xact_commit from pg_stat_database where datname = 'carteiro'"))
  let before = await ended()
  let former = Number.POSITIVE_INFINITY
  const settled = async () => {
    await pause(settleMs)
    const now = await ended()
    const more = now - before
    const isSteady = more > former * 0.9
    before = now
    former = more
    return isSteady
  }
  await until(settled, "the end of what a start begins", 240_000)

  // Nothing is asked meanwhile: each connection of the drill would cost more than the node.
  const window = async () => {
    const begun = { at: performance.now(), postgres: usedBy(server.pid()), node: usedBy(node.child.pid) }
    await pause(windowMs)
    const percentOf = (used) => (100_000 * used) / (performance.now() - begun.at)
    return {
      postgres: percentOf(usedBy(server.pid()) - begun.postgres),
      node: percentOf(usedBy(node.child.pid) - begun.node)
    }
  }
  let least = await window()
  for (let more = 1; more < windows && least.postgres > mostPercent; more++) {
    const next = await window()
    if (next.postgres < least.postgres) least = next
  }
  const transactions = `${(former / (settleMs / 1000)).toFixed(0)} transactions a second`
  say(`${transactions}; the node itself took ${least.node.toFixed(1)} % of a core`)
  expect(
    `PostgreSQL took ${least.postgres.toFixed(1)} % of a core for an idle node, at most ${mostPercent} %`,
    least.postgres <= mostPercent
  )
})
