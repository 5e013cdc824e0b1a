// A drill of full disks: first that of the files, then that of the database, each a small disk in memory. Callers are
// answered 503 with Retry-After while there is no room; nothing answered is lost, and work goes on when there is room.
// Ends with 1 when a caller was answered anything else, when an upload left something, or when a message is missing.
//
//   node_modules/.bin/node deploy/drills/full-disk.mjs
//
// Needs root, who alone may mount.
import { execFileSync } from "node:child_process"
import { closeSync, globSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { call, settled } from "./kit/callers.mjs"
import { drill, pause, say, seconds, until } from "./kit/drill.mjs"
import { servers } from "./kit/postgres.mjs"
import { settingsOver, startNode } from "./kit/product.mjs"

/** Makes a folder that is a disk of so many megabytes, in memory. */
const smallDisk = ({ atEnd }, path, megabytes) => {
  mkdirSync(path, { recursive: true })
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path])
  atEnd(() => void execFileSync("umount", ["--lazy", path]))
  say(`${path} is a disk of ${megabytes} MB`)
  return path
}

/** Takes all room of a disk; returns what gives it back. */
const fill = (disk) => {
  const path = join(disk, "filler")
  const file = openSync(path, "w")
  for (let block = 1024 * 1024; block >= 512; block >>= 1) {
    try {
      for (;;) writeSync(file, Buffer.alloc(block))
    } catch (error) {
      if (error.code !== "ENOSPC") throw error
    }
  }
  closeSync(file)
  return () => rmSync(path)
}

/** A refusal that tells a caller when to come again. */
const isPatient = ({ headers, status }) => status === 503 && Number(headers.get("retry-after")) > 0

await drill("full-disk", async (ground) => {
  const { expect, folder } = ground
  if (process.getuid?.() !== 0) throw new Error("only root may mount a small disk: run this drill as root")
  const dataDir = smallDisk(ground, join(folder, "data"), 64)
  const databaseDisk = smallDisk(ground, join(folder, "database"), 256)
  const server = await servers(ground).init("database", "min_wal_size=32MB\nmax_wal_size=48MB")
  await server.query("postgres", "create database carteiro")
  const { dev } = await startNode(ground, {
    ...settingsOver(server.url("carteiro"), dataDir),
    CARTEIRO_RATE_LIMITS: "off",
    CARTEIRO_LOG: "fatal"
  })
  const { base_url: url, sandbox } = dev
  const ask = (method, path, body, headers) => call(url, sandbox.api_key, method, path, body, headers)
  const customer = "+5511987654321"
  const said = { channel: "chatapp", from: customer, to: sandbox.phone_number_id, type: "text", text: { body: "Oi" } }
  await ask("POST", "/v1/sandbox/inbound-messages", said)
  const send = (n) =>
    ask(
      "POST",
      "/v1/messages",
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: sandbox.phone_number_id },
        recipient: { type: "phone_e164", id: customer },
        message: { type: "text", text: { body: `${n} ${"x".repeat(2000)}` } }
      },
      { "idempotency-key": `full disk ${n}` }
    )

  say("the disk of the files is full")
  const bytes = Buffer.concat([Buffer.from("%PDF-1.4\n"), Buffer.alloc(2 * 1024 * 1024, "a"), Buffer.from("\n%%EOF\n")])
  const announced = await ask("POST", "/v1/media/uploads", {
    kind: "document",
    mime_type: "application/pdf",
    byte_length: bytes.length,
    filename: "boleto.pdf",
    lifecycle: "library"
  })
  const put = () =>
    fetch(announced.body.upload_url, { method: "PUT", headers: { "content-type": "application/pdf" }, body: bytes })
  const asset = async () => (await ask("GET", `/v1/media/${announced.body.id}`)).body.status
  const files = () => globSync(join(dataDir, "blobs/**/*.part")).length
  const giveBack = fill(dataDir)
  const refused = await put()
  expect(
    `the upload is answered ${refused.status}, Retry-After ${refused.headers.get("retry-after")}`,
    isPatient(refused)
  )
  expect(
    `the asset is ${await asset()}, half-written files: ${files()}`,
    (await asset()) === "pending" && files() === 0
  )
  expect(`a message is answered ${(await send("beside")).status} meanwhile`, (await send("beside")).status === 202)
  giveBack()
  const stored = await put()
  await ask("POST", `/v1/media/${announced.body.id}/complete`)
  const ready = await asset()
  expect(
    `with room again the same upload is answered ${stored.status}, and the asset is ${ready}`,
    stored.ok && ready === "ready"
  )

  say("the disk of the database is full")
  const free = fill(databaseDisk)
  const answers = new Map()
  const begun = performance.now()
  const until503 = () => [...answers.values()].filter(({ status }) => status === 503).length >= 8
  for (let n = 0; n < 20_000 && !until503(); n += 4) {
    const batch = [n, n + 1, n + 2, n + 3]
    for (const [index, answer] of (await Promise.all(batch.map(send))).entries()) answers.set(n + index, answer)
  }
  const taken = [...answers].filter(([, { status }]) => status === 202)
  const others = [...answers.values()].filter(({ status }) => status !== 202)
  say(`accepted until there was no room: ${taken.length} messages, in ${seconds(performance.now() - begun)} seconds`)
  const impatient = others.filter((answer) => !isPatient(answer))
  for (const { status, text } of impatient.slice(0, 3)) say(`${status} ${text}`)
  expect(
    `answered 503 with Retry-After: ${others.length}, anything else: ${impatient.length}`,
    impatient.length === 0 && others.length > 0
  )
  await pause(3000)
  const freed = performance.now()
  free()
  if (!server.isRunning()) {
    say("PostgreSQL had ended for want of room: it is started again")
    server.start()
  }
  await until(
    async () => (await send("after").catch(() => undefined))?.status === 202,
    "a message after there was room"
  )
  const missedMs = performance.now() - freed
  for (const [n, { status }] of answers) if (status !== 202) answers.set(n, await send(n))
  const again = [...answers.values()].filter(({ status }) => status !== 202).length
  expect(`refused messages that are accepted when they are sent again with their key: all but ${again}`, again === 0)
  const ids = [...answers.values()].map(({ body }) => body.id)
  const lost = await settled(async (id) => ask("GET", `/v1/messages/${id}`), ids)
  expect(`accepted messages that are lost or not delivered: ${lost.length} of ${ids.length}`, lost.length === 0)
  const [[rows, sent]] = await server.query(
    "carteiro",
    `select count(*), count(distinct id) from messages where direction = 'outbound' and id in (${ids.map((id) => `'${id}'`)})`
  )
  expect(`rows of these messages: ${rows}, messages: ${sent}`, rows === sent && Number(rows) === new Set(ids).size)
  say(`missed for ${seconds(missedMs)} seconds after there was room`)
})
