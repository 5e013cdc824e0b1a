// A drill of a failover to an asynchronous standby: it lags, the primary is lost, and the standby is promoted under
// running nodes. The nodes stop serving instead of following it. They are stopped, the operator accepts the promotion,
// and they start again: what may have left since is held and listed. It prints what was lost, what was held, and for how
// long the product was missed. Ends with 1 when anything left twice unseen, or when more is gone than the standby lacked.
//
//   node_modules/.bin/node deploy/drills/asynchronous.mjs
//
// Takes PostgreSQL's server programs from PGBIN, Debian's postgresql or the embedded PostgreSQL. Run as root they run as
// postgres.
import { join } from "node:path"
import { drill, pause, say, seconds, until } from "./kit/drill.mjs"
import { bin, makeFolder, servers } from "./kit/postgres.mjs"
import { caller, operator, settingsOver, startCluster, startReceiver } from "./kit/product.mjs"

const retries = { CARTEIRO_WEBHOOK_RETRY_SANDBOX: "0s,4s,4s,4s,4s,4s,4s,4s" }

await drill("asynchronous", async (ground) => {
  const { expect, folder } = ground
  const postgres = servers(ground)
  const north = await postgres.init("north", "max_connections=200")
  await north.query("postgres", "create database carteiro")
  const south = await postgres.standby("south", north)
  const receiver = await startReceiver(ground)
  const hosts = [north, south].map(({ port }) => `127.0.0.1:${port}`).join(",")
  const env = settingsOver(`postgres://postgres@${hosts}/carteiro`, makeFolder(join(folder, "product")), {
    CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.origin,
    ...retries
  })
  const before = await startCluster(ground, env, { shards: 2 })
  const client = caller(before.dev)
  await client.call("POST", "webhook-endpoints", {
    url: `${receiver.origin}/hook`,
    subscribed_events: ["message.received"]
  })
  say(`PostgreSQL of ${bin}; two shards and an edge over ${hosts}`)

  const writeAll = async (from, to) => {
    const ids = []
    for (let number = from; number < to; number++) ids.push((await client.write(number)).body.id)
    return ids
  }
  receiver.status = 500
  const kept = await writeAll(0, 5)
  const waiting = "select count(*) from webhook_attempts where status = 'pending' and attempt > 1"
  await until(
    async () => (await south.query("carteiro", waiting).catch(() => [["0"]]))[0][0] === "5",
    "the standby's copy"
  )
  await south.stop()
  receiver.status = 200
  const lost = await writeAll(5, 8)
  await until(() => receiver.events.length === 8, "the deliveries")
  say("the standby lags: 5 deliveries of before and 3 of later messages arrived since")

  const missedFrom = performance.now()
  await north.stop("immediate")
  await south.start()
  await south.promote()
  await pause(3000)
  const answers = await Promise.all([client.write(20), client.write(21)])
  const away = answers.every(({ status }) => status === 503)
  expect(`the standby is promoted; nodes answer ${answers.map(({ status }) => status).join(" and ")}`, away)
  const told = /had no synchronous standby/.test(before.told())
  expect(`their log says that it may lack what was answered: ${told}`, told)
  await before.stop()

  const { held, restored_to } = operator(env, "restore", "accept", "--promoted")
  say(`accepted as of ${restored_to}; held: ${JSON.stringify(held)}`)
  const listed = operator(env, "restore", "list").data
  say(`listed as what may have left since: ${listed.map(({ id, kind }) => `${kind} ${id}`).join(", ")}`)
  expect(`listed: ${listed.length} of 5`, listed.length === 5)

  receiver.events.length = 0
  const { dev } = await startCluster(ground, env, { shards: 2 })
  const missed = performance.now() - missedFrom
  const after = caller(dev)
  const standing = async (ids) => {
    const found = await Promise.all(ids.map((id) => after.call("GET", `messages/${id}`)))
    return ids.filter((_, index) => found[index].status === 200)
  }
  const present = await standing(kept)
  expect(`kept of what the standby had: ${present.length} of ${kept.length} messages`, present.length === kept.length)
  await after.write(8)
  await until(() => receiver.events.length > 0, "a delivery of a new message")
  await pause(6000)
  const twice = receiver.events.length - 1
  const { released } = operator(env, "restore", "release", "--all", "--kind", "deliveries")
  await until(() => receiver.events.length >= 1 + released, "the released deliveries")
  expect(`left twice unseen: ${twice}; released by the operator: ${released}`, twice === 0 && released === 5)

  // The old primary is started by itself, to read what it has alone.
  await north.start()
  const idsOn = async (server) => (await server.query("carteiro", "select id from messages")).map(([id]) => id)
  const known = new Set(await idsOn(south))
  const alone = (await idsOn(north)).filter((id) => !known.has(id))
  say(`the old primary's disk lists what was lost: ${alone.join(", ")}`)
  const same = alone.length === lost.length && alone.every((id) => lost.includes(id))
  expect(`lost, answered after the standby's last transaction: ${alone.length} of ${lost.length} messages`, same)
  say(`missed for ${seconds(missed)} seconds`)
})
