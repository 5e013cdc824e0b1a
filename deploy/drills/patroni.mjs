// A drill of PostgreSQL under Patroni with synchronous_mode, which promotes and starts servers by itself: shards and an edge
// over a primary and its standby, and messages with webhooks all the while. The primary's machine is lost; then the server
// that took over crashes and is started again; the lost machine comes back; the primary is moved back on purpose. Nobody
// does anything for the product. Each step prints what was lost and for how long the product was missed, and the drill how
// long Patroni let the primary commit without a standby. Ends with 1 when anything that was answered is gone or was done
// twice.
//
//   node_modules/.bin/node deploy/drills/patroni.mjs
//
// Takes patroni and etcd-server of Debian, and PostgreSQL's server programs from PGBIN or Debian's postgresql. Run as root
// the servers run as postgres.
import { join } from "node:path"
import { drill, say, seconds, until } from "./kit/drill.mjs"
import { openWindows, subscribed, underLoad } from "./kit/load.mjs"
import { awaitSynchronous, standbysOf, startPatroni } from "./kit/patroni.mjs"
import { bin, makeFolder } from "./kit/postgres.mjs"
import { caller, operator, settingsOver, startCluster, startReceiver } from "./kit/product.mjs"

/** A machine that has much else to do takes minutes over what takes half a minute. */
const longestMs = 300_000
/** Between two messages of the load, which callers repeat for as long as nothing answers. */
const everyMs = 250

await drill("patroni", async (ground) => {
  const { expect, folder } = ground
  const [north, south] = await startPatroni(ground, ["north", "south"])
  await awaitSynchronous(north)
  await north.query("postgres", "create database carteiro")
  let primary = north

  const receiver = await startReceiver(ground)
  const hosts = [north, south].map(({ port }) => `127.0.0.1:${port}`).join(",")
  const env = settingsOver(`postgres://postgres@${hosts}/carteiro`, makeFolder(join(folder, "product")), {
    CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.origin
  })
  const product = await startCluster(ground, env)
  const client = caller(product.dev)
  await client.call("POST", "webhook-endpoints", { url: `${receiver.origin}/hook`, subscribed_events: subscribed })
  await openWindows(client)
  say(`PostgreSQL of ${bin} under Patroni; three shards and an edge over ${hosts}`)
  const step = underLoad(ground, { client, receiver, server: () => primary, everyMs })
  const goesOn = (load, before, what) => until(() => load.accepted.length > before + 20, what, longestMs)

  await step("the primary's machine is lost", async (load) => {
    const before = load.accepted.length
    await north.lose()
    await until(south.isPrimary, "Patroni's promotion of the standby", longestMs)
    primary = south
    await goesOn(load, before, "answers of the new primary")
  })
  await step("the remaining primary crashes and is started again", async (load) => {
    const pid = south.pid()
    south.crash()
    await until(() => south.isRunning() && south.pid() !== pid, "the start of a new server", longestMs)
    await until(south.isPrimary, "Patroni's restart of the server", longestMs)
    await goesOn(load, load.accepted.length, "answers of the same server")
  })
  const [[timeline]] = await south.query("postgres", "select timeline_id from pg_control_checkpoint()")
  say(`it is on timeline ${timeline}, and nodes follow it`)

  await step("the lost machine comes back", async () => {
    north.start()
    await until(async () => (await standbysOf(south)).length > 0, "the standby", longestMs)
    const since = performance.now()
    await awaitSynchronous(south)
    say(`Patroni named it as synchronous ${seconds(performance.now() - since)} seconds after it streamed`)
  })
  await step("moved back on purpose", async (load) => {
    const { status, text } = await south.switchTo(north.name)
    expect(`Patroni takes the switchover: ${status}`, status === 200 || text.includes("uccess"))
    await until(north.isPrimary, "the switchover", longestMs)
    primary = north
    await goesOn(load, load.accepted.length, "answers of the first primary")
  })
  await awaitSynchronous(north)
  const servers = operator(env, "doctor").findings.filter(({ check }) => check === "servers")
  for (const { found } of servers) say(`doctor: ${found}`)
  expect("the doctor finds both servers well", servers.length === 2 && servers.every(({ status }) => status === "ok"))
})
