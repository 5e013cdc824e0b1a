import { createHash, randomUUID } from "node:crypto"
import Fastify from "fastify"
import pg from "pg"
import { columns, type Stored, shown } from "./FastifyRead.ts"
import { bodySchema, type Send, schemaSql } from "./FastifySchema.ts"

// What a good engineer writes without this project: Fastify and node-postgres, one transaction a request. The key is
// looked up (remembered for a second), a bucket taken, the idempotency row made, the service window read, the message
// and its outbox row written, the response stored. Environment: DATABASE_URL, PORT, POOL.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL ?? 16) })
await pool.query(schemaSql(sha256("sk_test")))

interface Key {
  readonly env: string
  readonly scopes: ReadonlyArray<string>
  readonly revoked: boolean
}
const keys = new Map<string, { readonly at: number; readonly key: Key | undefined }>()
const buckets = new Map<string, { tokens: number; at: number }>()
const app = Fastify()

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

const admit = async (authorization: string | undefined): Promise<Key | undefined> => {
  const hash = sha256((authorization ?? "").slice(7))
  let known = keys.get(hash)
  if (known === undefined || known.at < Date.now() - 1000) {
    const text = "select env, scopes, revoked from peer.keys where hash = $1"
    const { rows } = await pool.query<Key>({ name: "key", text, values: [hash] })
    known = { at: Date.now(), key: rows[0] }
    keys.set(hash, known)
  }
  if (known.key === undefined || known.key.revoked) return undefined
  const bucket = buckets.get(known.key.env) ?? { tokens: 1e9, at: Date.now() }
  bucket.tokens--
  buckets.set(known.key.env, bucket)
  return known.key
}

const refused = (code: string) => ({ error: { code } })

app.post<{ Body: Send }>("/v1/messages", { schema: bodySchema }, async (request, reply) => {
  const key = await admit(request.headers.authorization)
  if (key === undefined) return reply.code(401).send(refused("authentication_error"))
  const send = request.body
  const id = randomUUID()
  const idempotencyKey = request.headers["idempotency-key"]
  const answer = {
    id,
    object: "message",
    status: "queued",
    status_reason: null,
    channel: send.channel,
    environment: "sandbox",
    template_id: null,
    template_version_id: null,
    template_version: null,
    created_at: new Date().toISOString(),
    trace_id: randomUUID()
  }
  const client = await pool.connect()
  try {
    await client.query("begin")
    if (idempotencyKey !== undefined) {
      const claimed = await client.query({
        name: "claim",
        text: "insert into peer.idem values ($1, $2, $3, null, null, now() + interval '24 hours') on conflict do nothing",
        values: [key.env, idempotencyKey, sha256(JSON.stringify(send))]
      })
      if (claimed.rowCount === 0) {
        const text = "select body_hash, status, response from peer.idem where env = $1 and key = $2"
        const { rows } = await client.query({ name: "replay", text, values: [key.env, idempotencyKey] })
        await client.query("rollback")
        if (rows[0]?.body_hash !== sha256(JSON.stringify(send))) {
          return reply.code(409).send(refused("idempotency_key_conflict"))
        }
        if (rows[0].status === null) return reply.code(409).send(refused("idempotency_key_in_progress"))
        return reply.code(rows[0].status).send(rows[0].response)
      }
    }
    const window = await client.query({
      name: "window",
      text: "select last_inbound from peer.windows where env = $1 and phone = $2 and recipient = $3",
      values: [key.env, send.sender.id, send.recipient.id]
    })
    if (window.rows[0] === undefined) {
      await client.query("rollback")
      return reply.code(400).send(refused("service_window_required"))
    }
    await client.query({
      name: "message",
      text: `insert into peer.msgs (id, env, channel, sender, recipient, body, status, trace_id)
        values ($1, $2, $3, $4, $5, $6, 'queued', $7)`,
      values: [
        id,
        key.env,
        send.channel,
        send.sender.id,
        send.recipient.id,
        JSON.stringify(send.message),
        answer.trace_id
      ]
    })
    await client.query({
      name: "outbox",
      text: `insert into peer.outbox (id, env, type, source_id, payload, status)
        values ($1, $2, 'message.queued', $3, $4, 'pending')`,
      values: [randomUUID(), key.env, id, JSON.stringify(answer)]
    })
    if (idempotencyKey !== undefined) {
      await client.query({
        name: "respond",
        text: "update peer.idem set status = 202, response = $3 where env = $1 and key = $2",
        values: [key.env, idempotencyKey, JSON.stringify(answer)]
      })
    }
    await client.query("commit")
  } catch (error) {
    await client.query("rollback").catch(() => {})
    throw error
  } finally {
    client.release()
  }
  return reply.code(202).send(answer)
})

app.get<{ Params: { readonly id: string } }>("/v1/messages/:id", async (request, reply) => {
  const key = await admit(request.headers.authorization)
  if (key === undefined) return reply.code(401).send(refused("authentication_error"))
  const text = `select ${columns} from peer.msgs where id = $1 and env = $2`
  const { rows } = await pool.query<Stored>({ name: "one", text, values: [request.params.id, key.env] })
  const [row] = rows
  if (row === undefined) return reply.code(404).send(refused("message_not_found"))
  return reply.send({ ...shown(row), context: null, payload: row.body })
})

app.get<{ Querystring: { readonly limit?: string } }>("/v1/messages", async (request, reply) => {
  const key = await admit(request.headers.authorization)
  if (key === undefined) return reply.code(401).send(refused("authentication_error"))
  const limit = Math.min(100, Number(request.query.limit ?? 20))
  const text = `select ${columns} from peer.msgs where env = $1 order by created_at desc, id desc limit $2`
  const { rows } = await pool.query<Stored>({ name: "list", text, values: [key.env, limit + 1] })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const cursor = last && Buffer.from(`${last.created_at.toISOString()} ${last.id}`).toString("base64url")
  return reply.send({ data: page.map(shown), has_more: rows.length > limit, next_cursor: cursor ?? null })
})

await app.listen({ port: Number(process.env.PORT ?? 4010), host: "127.0.0.1" })
process.stdout.write("ready\n")
