// A drill of backup and point-in-time restore: PostgreSQL archives its log, a base backup is taken, the product works,
// all of it is lost, and the database is restored to an earlier point. It prints what was lost, what was held, and for
// how long the product was missed. Ends with 1 when something left twice, or when something older than the point is gone.
//
//   node_modules/.bin/node deploy/drills/restore.mjs
//
// Needs the server programs of PostgreSQL (Debian: postgresql); PGBIN says where they are. Run as root they run as postgres.
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { drill, pause, say, seconds, until } from "./kit/drill.mjs"
import { bin, hasProgram, makeFolder, run, servers, writeFor } from "./kit/postgres.mjs"
import { caller, operator, settingsOver, startNode, startReceiver } from "./kit/product.mjs"

if (!hasProgram("pg_basebackup")) {
  process.stderr.write("The server programs of PostgreSQL are missing: install Debian's postgresql, or set PGBIN.\n")
  process.exit(1)
}

await drill("restore", async (ground) => {
  const { expect, folder } = ground
  const postgres = servers(ground)
  const archive = makeFolder(join(folder, "archive"))
  const archiving = (mode) =>
    `wal_level=replica\narchive_mode=${mode}\narchive_command='cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f'\n`
  say(`PostgreSQL of ${bin} in ${folder}`)
  const first = await postgres.init("first", `${archiving("on")}max_wal_senders=3`)
  await first.query("postgres", "create database carteiro")
  const receiver = await startReceiver(ground)
  receiver.status = 500
  const env = settingsOver(first.url("carteiro"), makeFolder(join(folder, "product")), {
    CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.origin,
    CARTEIRO_WEBHOOK_RETRY_SANDBOX: "0s,4s,4s,4s,4s,4s"
  })
  const lostProduct = await startNode(ground, env)
  const before = caller(lostProduct.dev)
  await before.call("POST", "webhook-endpoints", {
    url: `${receiver.origin}/hook`,
    subscribed_events: ["message.received"]
  })
  const data = join(makeFolder(join(folder, "restored")), "data")
  await run(
    "pg_basebackup",
    "-h",
    "127.0.0.1",
    "-p",
    String(first.port),
    "-U",
    "postgres",
    "-D",
    data,
    "-X",
    "none",
    "-c",
    "fast"
  )
  say("a base backup is taken")

  const one = async (server, statement) => (await server.query("carteiro", statement))[0][0]
  const writeAll = async (from, to) => {
    const ids = []
    for (let number = from; number < to; number++) ids.push((await before.write(number)).body.id)
    return ids
  }
  const kept = await writeAll(0, 5)
  const tried = "select count(*) from webhook_attempts where status = 'pending' and attempt > 1"
  await until(async () => (await one(first, tried)) === "5", "the first attempts")
  const point = await one(first, "select to_char(now() at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')")
  await pause(50)
  receiver.status = 200
  const lost = await writeAll(5, 8)
  await until(() => receiver.events.length === 8, "the deliveries")
  say(`the point is ${point}; after it 5 deliveries of before and 3 of later messages arrived`)

  const last = await one(first, "select pg_walfile_name(pg_switch_wal())")
  await until(() => existsSync(join(archive, last)), "the archiving")
  const missedFrom = performance.now()
  await lostProduct.stop("SIGKILL")
  await first.stop("immediate")
  rmSync(first.data, { recursive: true })
  say("the product and its database are gone")

  const second = await postgres.over("restored", data)
  const target = `recovery_target_time='${point.replace("T", " ").replace("Z", "+00")}'\nrecovery_target_action=promote\n`
  second.configure(`${archiving("off")}restore_command='cp ${archive}/%f %p'\n${target}`)
  writeFor(join(data, "recovery.signal"), "")
  await second.start()
  env.DATABASE_URL = second.url("carteiro")
  // A server that still starts refuses connections.
  const isPromoted = () => one(second, "select pg_is_in_recovery()").catch(() => "true")
  await until(async () => (await isPromoted()) === "false", "the promotion")
  const { held } = operator(env, "restore", "accept", "--to", point)
  say(`held: ${JSON.stringify(held)}`)

  receiver.events.length = 0
  const { dev } = await startNode(ground, env)
  const missed = performance.now() - missedFrom
  const after = caller(dev)
  const standing = async (ids) => {
    const answers = await Promise.all(ids.map((id) => after.call("GET", `messages/${id}`)))
    return answers.filter(({ status }) => status === 200).length
  }
  const present = await standing(kept)
  const gone = lost.length - (await standing(lost))
  await after.write(8)
  await until(() => receiver.events.length > 0, "a delivery of a new message")
  await pause(6000)
  const twice = receiver.events.length - 1
  const { released } = operator(env, "restore", "release", "--all", "--kind", "deliveries")
  await until(() => receiver.events.length >= 1 + released, "the released deliveries")
  const audit = operator(env, "ledger", "verify")
  expect(`kept of what was older than the point: ${present} of ${kept.length} messages`, present === kept.length)
  expect(`lost as told, accepted after it: ${gone} of ${lost.length} messages`, gone === lost.length)
  const isReleased = twice === 0 && released === held.deliveries
  expect(`left twice unseen: ${twice}; released by the operator: ${released}`, isReleased)
  const wrong = audit.data.filter(({ broken }) => broken.length > 0).length
  expect(`broken invariants of the ledger: ${wrong}`, wrong === 0)
  say(`missed for ${seconds(missed)} seconds`)
})
