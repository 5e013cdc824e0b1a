import { createServer } from "node:http"
import { webhooks } from "@carteiro/sdk"
import { onEvent } from "./bot.js"

// A receiver of webhooks. It verifies each delivery, and answers it when the bot has done its work: a delivery that is answered with
// an error comes again, and the idempotency keys of the bot keep the second try from sending twice.

const port = Number(process.env.PORT ?? 3000)
const secrets = (process.env.CARTEIRO_WEBHOOK_SECRET ?? "").split(",").filter((secret) => secret !== "")
if (secrets.length === 0)
  throw new Error("CARTEIRO_WEBHOOK_SECRET is the signing secret of your endpoint; README.md tells how to get it")

/** Events are smaller; what is larger is not from Carteiro. */
const mostBytes = 1024 * 1024

/** Ids of the latest events that were done, as an event may be delivered twice. */
const done = new Set()

const bytesOf = async (request) => {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the status with which a delivery is answered. */
const received = async (request) => {
  const rawBody = await bytesOf(request)
  if (rawBody === undefined) return 413
  let event
  try {
    event = await webhooks.verify(rawBody, request.headers, secrets)
  } catch (error) {
    console.error(`refused: ${error.message}`)
    return 400
  }
  if (done.has(event.id)) return 204
  try {
    await onEvent(event)
  } catch (error) {
    console.error(`${event.type} ${event.id} failed: ${error.message}`)
    return 500
  }
  done.add(event.id)
  if (done.size > 10_000) done.delete(done.values().next().value)
  console.log(`${event.type} ${event.id}`)
  return 204
}

const server = createServer(async (request, response) => {
  const isHook = request.method === "POST" && request.url === "/hook"
  const status = isHook ? await received(request).catch(() => 400) : request.url === "/" ? 200 : 404
  response.writeHead(status, status === 413 ? { connection: "close" } : {}).end()
})

server.listen(port, () => console.log(`listening on ${server.address().port}`))
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.close())
