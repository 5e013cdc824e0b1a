import { createHmac, randomUUID } from "node:crypto"
import pg from "pg"
import { Agent, request } from "undici"

// What both queue peers do with an event: sign it, post it over a kept connection, record the attempt durably.
// Environment: DATABASE_URL, TARGET.

const target = process.env.TARGET ?? "http://127.0.0.1:4020"
const agent = new Agent({ connections: 64 })

/** Connections of the peer. */
export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 })

/** One stored event for one of four endpoints. */
export interface Job {
  readonly id: string
  readonly endpoint: number
}

/** Makes the table of attempts, empty. */
export const prepareAttempts = () =>
  pool.query(`create schema if not exists peer;
    create table if not exists peer.attempts (
      id uuid primary key, event uuid, endpoint int, status int, at timestamptz default now()
    );
    truncate peer.attempts`)

/** Delivers one event and records how that went. */
export const deliver = async ({ endpoint, id }: Job): Promise<void> => {
  const body = JSON.stringify({
    id,
    type: "message.received",
    created_at: new Date().toISOString(),
    environment: "sandbox",
    trace_id: randomUUID(),
    data: {
      message_id: randomUUID(),
      status: "received",
      to: "+5511999998888",
      from: "pn_1",
      provider_message_id: randomUUID(),
      metadata: null
    }
  })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac("sha256", "whsec_secret").update(`${timestamp}.${body}`).digest("hex")
  const answer = await request(`${target}/hook/${endpoint}`, {
    method: "POST",
    dispatcher: agent,
    body,
    headers: {
      "content-type": "application/json",
      "svc-webhook-id": id,
      "svc-webhook-timestamp": timestamp,
      "svc-webhook-signature": signature
    }
  })
  await answer.body.dump()
  await pool.query({
    name: "attempt",
    text: "insert into peer.attempts (id, event, endpoint, status) values ($1, $2, $3, $4)",
    values: [randomUUID(), id, endpoint, answer.statusCode]
  })
}

/** `<event> <path>` jobs: every event goes to four endpoints. */
export const jobs = (deliveries: number): ReadonlyArray<Job> =>
  Array.from({ length: deliveries / 4 }, () => randomUUID()).flatMap((id) =>
    [0, 1, 2, 3].map((endpoint) => ({ id, endpoint }))
  )

/** Runs `round` for each line `fill <n>` (store n deliveries) and `go` (drain them) on stdin, saying when it is done. */
export const serve = (fill: (deliveries: number) => Promise<unknown>, go: () => unknown): void => {
  let text = ""
  process.stdin.on("data", async (chunk: Buffer) => {
    text += chunk.toString()
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
      const [command, count] = text.slice(0, end).split(" ")
      text = text.slice(end + 1)
      if (command === "fill") await fill(Number(count))
      else await go()
      process.stdout.write(`${command} done\n`)
    }
  })
  process.stdout.write("ready\n")
}
