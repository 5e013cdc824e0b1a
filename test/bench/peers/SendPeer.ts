import { createHmac, randomUUID, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import { Queue, Worker } from "bullmq"
import { createClient } from "redis"
import { Agent, request } from "undici"
import { pool, serve } from "./Deliver.ts"

// Peer for production sends: BullMQ, whose queue is Redis; results and statuses are recorded in PostgreSQL.
// Environment: DATABASE_URL, TARGET, TOKEN, APP_SECRET, NUMBERS, PORT, REDIS_PORT.

interface Send {
  readonly id: string
  readonly number: string
  readonly to: string
}

const { APP_SECRET = "", PORT, REDIS_PORT = "6379", TARGET = "", TOKEN = "" } = process.env
const numbers = (process.env.NUMBERS ?? "").split(",")
const agent = new Agent({ connections: 256 })
const connection = await createClient({ url: `redis://127.0.0.1:${REDIS_PORT}` }).connect()
const queue = new Queue<Send>("send", { connection })
let worker: Worker<Send> | undefined
const batch = 1000

const fill = async (count: number) => {
  await worker?.close()
  await pool.query(`create schema if not exists peer;
    create table if not exists peer.messages (
      id uuid primary key, number text, recipient text, provider_message_id text, response text,
      sent_at timestamptz, delivered_at timestamptz, read_at timestamptz
    );
    truncate peer.messages`)
  for (let at = 0; at < count; at += batch) {
    const some = Array.from({ length: Math.min(batch, count - at) }, (_, n) => ({
      id: randomUUID(),
      number: numbers[(at + n) % numbers.length] ?? "",
      to: `+55119${String(at + n).padStart(8, "0")}`
    }))
    await pool.query(
      "insert into peer.messages (id, number, recipient) select * from unnest($1::uuid[], $2::text[], $3::text[])",
      [some.map(({ id }) => id), some.map(({ number }) => number), some.map(({ to }) => to)]
    )
    await queue.addBulk(some.map((data) => ({ name: "send", data, opts: { removeOnComplete: true } })))
  }
}

const send = async ({ id, number, to }: Send): Promise<void> => {
  const answer = await request(`${TARGET}/v23.0/${number}/messages`, {
    method: "POST",
    dispatcher: agent,
    headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to,
      biz_opaque_callback_data: id,
      type: "template",
      template: {
        name: "welcome",
        language: { code: "pt_BR" },
        components: [{ type: "body", parameters: [{ type: "text", text: "Maria" }] }]
      }
    })
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(text)
  await pool.query({
    name: "result",
    text: "update peer.messages set provider_message_id = $2, response = $3 where id = $1",
    values: [id, JSON.parse(text).messages[0].id, text]
  })
}

interface Told {
  readonly entry: ReadonlyArray<{
    readonly changes: ReadonlyArray<{
      readonly value: {
        readonly statuses?: ReadonlyArray<{ readonly status: string; readonly biz_opaque_callback_data?: string }>
      }
    }>
  }>
}

const record = async (text: string): Promise<void> => {
  const { entry } = JSON.parse(text) as Told
  const statuses = entry.flatMap(({ changes }) => changes.flatMap(({ value }) => value.statuses ?? []))
  const ids = (wanted: string) =>
    statuses.flatMap(({ biz_opaque_callback_data: id, status }) => (status === wanted && id !== undefined ? [id] : []))
  await pool.query({
    name: "statuses",
    text: `update peer.messages set
        sent_at = case when id = any($1::uuid[]) then coalesce(sent_at, now()) else sent_at end,
        delivered_at = case when id = any($2::uuid[]) then coalesce(delivered_at, now()) else delivered_at end,
        read_at = case when id = any($3::uuid[]) then coalesce(read_at, now()) else read_at end
      where id = any($1::uuid[] || $2::uuid[] || $3::uuid[])`,
    values: [ids("sent"), ids("delivered"), ids("read")]
  })
}

const signed = (body: Buffer, signature: unknown): boolean => {
  const expected = Buffer.from(`sha256=${createHmac("sha256", APP_SECRET).update(body).digest("hex")}`)
  const given = Buffer.from(String(signature))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const receiver = createServer((asked, response) => {
  if (asked.method === "GET") {
    return response.end(new URL(asked.url ?? "/", "http://peer").searchParams.get("hub.challenge"))
  }
  const chunks: Array<Buffer> = []
  asked.on("data", (chunk: Buffer) => chunks.push(chunk))
  asked.on("end", async () => {
    const body = Buffer.concat(chunks)
    const good = signed(body, asked.headers["x-hub-signature-256"])
    // Two statements that update the same rows in another order may end in a deadlock: the platform tells again.
    response.statusCode = good && (await record(body.toString()).then(...answered)) ? 200 : 500
    response.end()
  })
})
const answered = [() => true, () => false] as const

receiver.listen(Number(PORT), "127.0.0.1", () =>
  serve(fill, () => {
    worker = new Worker<Send>("send", ({ data }) => send(data), { connection, concurrency: 256 })
  })
)
