// A drill of a failover of PostgreSQL: a primary with a synchronous standby, shards and an edge over both, and messages
// with webhooks all the while. The primary freezes, as a machine does whose network is gone, and the standby is promoted.
// The old primary wakes up as if nothing had happened, then crashes and starts again as a primary. Then it becomes the
// synchronous standby of the new one, and everything is moved back on purpose. Each step prints what was lost and for how
// long the product was missed. Ends with 1 when anything that was answered is gone or was done twice.
//
//   node_modules/.bin/node deploy/drills/failover.mjs
//
// Takes PostgreSQL's server programs from PGBIN, Debian's postgresql or the embedded PostgreSQL. Run as root they run as
// postgres.
import { join } from "node:path"
import { drill, pause, say, until } from "./kit/drill.mjs"
import { openWindows, subscribed, underLoad } from "./kit/load.mjs"
import { bin, makeFolder, servers, synchronous } from "./kit/postgres.mjs"
import { caller, settingsOver, startCluster, startReceiver } from "./kit/product.mjs"

await drill("failover", async (ground) => {
  const { expect, folder } = ground
  const postgres = servers(ground)
  const north = await postgres.init("north", "max_connections=200\nwal_log_hints=on\nwal_keep_size=512MB")
  await north.query("postgres", "create database carteiro")
  const south = await postgres.standby("south", north)
  await synchronous(north, south)
  let primary = north

  const receiver = await startReceiver(ground)
  const hosts = [north, south].map(({ port }) => `127.0.0.1:${port}`).join(",")
  const url = `postgres://postgres@${hosts}/carteiro?target_session_attrs=read-write`
  const allowed = { CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.origin }
  const product = await startCluster(ground, settingsOver(url, makeFolder(join(folder, "product")), allowed))
  const client = caller(product.dev)
  await client.call("POST", "webhook-endpoints", { url: `${receiver.origin}/hook`, subscribed_events: subscribed })
  await openWindows(client)
  say(`PostgreSQL of ${bin}; three shards and an edge over ${hosts}`)
  const step = underLoad(ground, { client, receiver, server: () => primary })

  /** Connections of nodes to a server, without those that only look which one takes writes. */
  const used = `select count(*) filter (where wait_event is distinct from 'SyncRep'),
      count(*) filter (where wait_event = 'SyncRep') from pg_stat_activity
    where application_name like 'carteiro%' and application_name not like '%-watch'`

  const promoted = async (load) => {
    const answered = load.accepted.length
    north.signal("SIGSTOP")
    await south.promote()
    primary = south
    await until(() => load.accepted.length > answered + 20, "answers of the new primary")
  }
  const answered = await step("the primary freezes, the standby is promoted", promoted)

  answered.push(
    ...(await step("the old primary wakes up", async () => {
      north.signal("SIGCONT")
      await pause(5000)
      const [[connections, waiting]] = await north.query("carteiro", used)
      say(`the old primary still takes writes; ${waiting} commits of before wait there for its standby`)
      expect(`nodes have ${connections} other connections to it`, connections === "0")
    })),
    ...(await step("the old primary crashes and starts again, not fenced", async () => {
      await north.stop("immediate")
      await north.start()
      await pause(5000)
      const [[connections]] = await north.query("carteiro", used)
      expect(`it is a primary again; nodes have ${connections} connections to it`, connections === "0")
    }))
  )
  const idsOn = async (server) => new Set((await server.query("carteiro", "select id from messages")).map(([id]) => id))
  const kept = await idsOn(south)
  const alone = [...(await idsOn(north))].filter((id) => !kept.has(id))
  const wrong = alone.filter((id) => answered.includes(id)).length
  expect(`messages that only the old primary has: ${alone.length}; of these answered: ${wrong}`, wrong === 0)

  await step("the old primary becomes the synchronous standby", async () => {
    await north.stop()
    await postgres.rejoin(north, south)
    await synchronous(south, north)
  })
  await step("moved back on purpose", async (load) => {
    const before = load.accepted.length
    // It shortens the last checkpoint, during which nothing is answered.
    await south.query("postgres", "checkpoint")
    await south.stop()
    await north.promote()
    primary = north
    await until(() => load.accepted.length > before + 20, "answers of the first primary")
  })
})
