// A drill of backup and point-in-time restore: PostgreSQL archives its log, a base backup is taken, the product works,
// all of it is lost, and the database is restored to an earlier point. It prints what was lost, what was held, and for
// how long the product was missed. Ends with 1 when something left twice, or when something older than the point is gone.
//
//   node deploy/drills/restore.mjs
//
// Needs the server programs of PostgreSQL (Debian: postgresql); PGBIN says where they are. Run as root they run as postgres.
import { execFileSync, spawn } from "node:child_process"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:http"
import { createServer as createTcpServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "carteiro-restore-"))
const isRoot = process.getuid?.() === 0
const say = (line) => process.stdout.write(`${line}\n`)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const until = async (holds, what, withinMs = 60_000) => {
  const end = performance.now() + withinMs
  while (performance.now() < end) {
    const found = await holds()
    if (found) return found
    await pause(100)
  }
  throw new Error(`${what} did not happen within ${withinMs / 1000} seconds`)
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createTcpServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

// PostgreSQL

const debian = "/usr/lib/postgresql"
const newest = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one))[0] : undefined
const bin = process.env.PGBIN ?? (newest === undefined ? undefined : join(debian, newest, "bin"))
if (bin === undefined || !existsSync(join(bin, "pg_basebackup"))) {
  process.stderr.write("The server programs of PostgreSQL are missing: install Debian's postgresql, or set PGBIN.\n")
  process.exit(1)
}

/** Runs a program of PostgreSQL, which refuses to work as root. */
const pg = (program, ...args) => {
  const command = [join(bin, program), ...args]
  const [file, ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", ...command] : command
  return execFileSync(file, rest, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
}

const written = (path, text) => {
  writeFileSync(path, text)
  give(path)
}

const owned = (path) => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  give(path)
  return path
}

const give = (path) => {
  if (!isRoot) return
  const user = execFileSync("id", ["-u", "postgres"], { encoding: "utf8" }).trim()
  const group = execFileSync("id", ["-g", "postgres"], { encoding: "utf8" }).trim()
  chownSync(path, Number(user), Number(group))
}

chmodSync(folder, 0o755)
const sockets = owned(join(folder, "sockets"))
const archive = owned(join(folder, "archive"))
const first = owned(join(folder, "first"))
const second = join(owned(join(folder, "restored")), "data")
const port = await freePort()
const start = (data) =>
  pg("pg_ctl", "-D", data, "-w", "-l", join(sockets, "log"), "-o", `-p ${port} -k ${sockets} -h 127.0.0.1`, "start")
const psql = (database, statement) =>
  pg("psql", "-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-d", database, "-Atc", statement).trim()

// The product, and a receiver of its webhooks

const env = {
  ...process.env,
  DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/carteiro`,
  CARTEIRO_DATA_DIR: owned(join(folder, "product")),
  CARTEIRO_LOG: "warn",
  CARTEIRO_WEBHOOK_RETRY_SANDBOX: "0s,4s,4s,4s,4s,4s"
}

const startProduct = async () => {
  const child = spawn(process.execPath, [join(root, "runtime/main.ts")], {
    env: {
      ...env,
      PORT: String(await freePort()),
      CARTEIRO_ADMIN_PORT: "0",
      CARTEIRO_RUNNER_PORT: String(await freePort())
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  let printed = ""
  child.stdout.on("data", (chunk) => {
    printed += chunk
  })
  await until(() => /^ready /m.test(printed) || child.exitCode !== null, "the start of the product")
  if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}`)
  return { child, dev: JSON.parse(readFileSync(join(env.CARTEIRO_DATA_DIR, "dev.json"), "utf8")) }
}

const operator = (...words) =>
  JSON.parse(
    execFileSync(process.execPath, [join(root, "runtime/cli/main.ts"), ...words, "--json"], { env, encoding: "utf8" })
  )

const received = []
let broken = true
const receiver = createServer((request, response) => {
  if (!broken) received.push(request.headers["svc-webhook-id"])
  request.resume().on("end", () => response.writeHead(broken ? 500 : 200).end())
})
await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve))
const origin = `http://127.0.0.1:${receiver.address().port}`
env.CARTEIRO_WEBHOOK_TARGET_ALLOWLIST = origin

const caller = ({ base_url, sandbox }) => {
  const call = async (method, path, body) => {
    const answer = await fetch(`${base_url}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${sandbox.api_key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: answer.status, body: await answer.json() }
  }
  let customers = 0
  const write = async () => {
    const from = `+55119${String(80_000_000 + customers++)}`
    const told = { channel: "chatapp", from, to: sandbox.phone_number_id, type: "text", text: { body: "Oi" } }
    return (await call("POST", "sandbox/inbound-messages", told)).body.id
  }
  return { call, write }
}

let product
let failed = false
try {
  say(`PostgreSQL ${newest ?? ""} in ${folder}`)
  pg("initdb", "-D", first, "-U", "postgres", "--auth=trust", "--encoding=UTF8")
  const settings = `wal_level=replica\narchive_mode=on\narchive_command='cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f'\nmax_wal_senders=3\n`
  written(join(first, "postgresql.auto.conf"), settings)
  start(first)
  psql("postgres", "create database carteiro")
  product = await startProduct()
  const before = caller(product.dev)
  const endpoint = { url: `${origin}/hook`, subscribed_events: ["message.received"] }
  await before.call("POST", "webhook-endpoints", endpoint)
  pg("pg_basebackup", "-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-D", second, "-X", "none", "-c", "fast")
  say("a base backup is taken")

  const kept = []
  for (let n = 0; n < 5; n++) kept.push(await before.write())
  await until(
    () => psql("carteiro", "select count(*) from webhook_attempts where status = 'pending' and attempt > 1") === "5",
    "the first attempts"
  )
  const point = psql("carteiro", "select to_char(now() at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')")
  await pause(50)
  broken = false
  const lost = []
  for (let n = 0; n < 3; n++) lost.push(await before.write())
  await until(() => received.length === 8, "the deliveries")
  say(`the point is ${point}; after it 5 deliveries of before and 3 of later messages arrived`)

  const last = psql("carteiro", "select pg_walfile_name(pg_switch_wal())")
  await until(() => existsSync(join(archive, last)), "the archiving")
  const missedFrom = performance.now()
  product.child.kill("SIGKILL")
  pg("pg_ctl", "-D", first, "-m", "immediate", "stop")
  rmSync(first, { recursive: true })
  say("the product and its database are gone")

  const recovery = `restore_command='cp ${archive}/%f %p'\nrecovery_target_time='${point.replace("T", " ").replace("Z", "+00")}'\nrecovery_target_action=promote\n`
  writeFileSync(
    join(second, "postgresql.auto.conf"),
    settings.replace("archive_mode=on", "archive_mode=off") + recovery
  )
  written(join(second, "recovery.signal"), "")
  start(second)
  await until(() => psql("carteiro", "select pg_is_in_recovery()") === "f", "the promotion")
  const { held } = operator("restore", "accept", "--to", point)
  say(`held: ${JSON.stringify(held)}`)

  received.length = 0
  product = await startProduct()
  const missed = (performance.now() - missedFrom) / 1000
  const after = caller(product.dev)
  const standing = async (ids) => {
    const answers = await Promise.all(ids.map((id) => after.call("GET", `messages/${id}`)))
    return answers.filter(({ status }) => status === 200).length
  }
  const present = await standing(kept)
  const gone = lost.length - (await standing(lost))
  await after.write()
  await until(() => received.length > 0, "a delivery of a new message")
  await pause(6000)
  const twice = received.length - 1
  const { released } = operator("restore", "release", "--all", "--kind", "deliveries")
  await until(() => received.length >= 1 + released, "the released deliveries")
  const audit = operator("ledger", "verify")
  say(`kept of what was older than the point: ${present} of ${kept.length} messages`)
  say(`lost as told, accepted after it: ${gone} of ${lost.length} messages`)
  say(`left twice unseen: ${twice}; released by the operator: ${released}`)
  const wrong = audit.data.filter(({ broken }) => broken.length > 0).length
  say(`broken invariants of the ledger: ${wrong}`)
  say(`missed for ${missed.toFixed(1)} seconds`)
  failed = present !== kept.length || gone !== lost.length || twice !== 0 || wrong !== 0 || released !== held.deliveries
} catch (error) {
  process.stderr.write(readFileSync(join(sockets, "log"), "utf8").split("\n").slice(-15).join("\n"))
  throw error
} finally {
  product?.child.kill("SIGTERM")
  await (product && until(() => product.child.exitCode !== null || product.child.signalCode !== null, "the stop"))
  receiver.close()
  receiver.closeAllConnections()
  for (const data of [first, second]) {
    if (existsSync(join(data, "postmaster.pid"))) pg("pg_ctl", "-D", data, "-m", "immediate", "stop")
  }
  rmSync(folder, { recursive: true, force: true })
}
say(failed ? "FAILED" : "passed")
process.exit(failed ? 1 : 0)
