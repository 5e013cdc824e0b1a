// Callers of the public API for drills: they send, repeat and read until they are stopped, and never retry.
import { pause, until } from "./drill.mjs"

/** Asks one node once. */
export const call = async (url, key, method, path, body, headers = {}) => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000)
  })
  const text = await answer.text()
  return { status: answer.status, text, headers: answer.headers, body: /^\s*[{[]/.test(text) ? JSON.parse(text) : text }
}

const readsAtOnce = 10

/** Waits until each of these messages, as `read` answers it, is delivered; returns the ids of the others. */
export const settled = async (read, ids, withinMs = 60_000) => {
  let left = ids
  const look = async () => {
    const open = []
    for (let from = 0; from < left.length; from += readsAtOnce) {
      const ids = left.slice(from, from + readsAtOnce)
      const answers = await Promise.all(ids.map((id) => read(id).catch(() => undefined)))
      open.push(...ids.filter((_, n) => !["read", "delivered"].includes(answers[n]?.body.status)))
    }
    left = open
    return left.length === 0
  }
  await until(look, "the delivery of all messages", withinMs).catch(() => {})
  return left
}

const customer = (n) => `+55119${String(70_000_000 + n)}`
const subscribed_events = ["message.sent", "message.delivered", "message.read", "message.failed"]
const writers = 3

/** Returns callers of both environments over the edges that `targets` returns at the time of each call. */
const callersOf = (targets, dev) => {
  let turn = 0
  return (environment, ...asked) => {
    const list = targets()
    return call(list[turn++ % list.length].url, dev[environment].api_key, ...asked)
  }
}

/** Registers the receiver and opens the customers' windows, which a node that is still warming up may refuse. */
const prepare = async (ask, dev, origin) => {
  const insist = (...asked) =>
    until(async () => (await ask(...asked).catch(() => undefined))?.status < 300, `an answer to ${asked[2]}`, 120_000)
  for (const environment of ["sandbox", "production"]) {
    const endpoint = { url: `${origin}/${environment}`, subscribed_events }
    await insist(environment, "POST", "/v1/webhook-endpoints", endpoint, { "idempotency-key": "drill endpoint" })
  }
  for (let n = 0; n < writers; n++) {
    const said = { channel: "chatapp", from: customer(n), to: dev.sandbox.phone_number_id, type: "text" }
    await insist("sandbox", "POST", "/v1/sandbox/inbound-messages", { ...said, text: { body: "Oi" } })
  }
}

const messageOf = (dev, environment, to, marker) => ({
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: dev[environment].phone_number_id },
  recipient: { type: "phone_e164", id: to },
  message:
    environment === "sandbox"
      ? { type: "text", text: { body: marker } }
      : { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: marker } } }
})

/**
 * Starts callers who send in both environments, repeat each call under its key, and read. Nothing is tried again: each
 * call that does not succeed is a failure.
 */
export const startCallers = async ({ dev, origin, targets }) => {
  const call = callersOf(targets, dev)
  await prepare(call, dev, origin)
  const failures = []
  const sent = { sandbox: [], production: [] }
  let lap = { answers: 0, failedBefore: 0, longestGapMs: 0, slowestMs: 0 }
  let lastAnswer = performance.now()
  let stopped = false

  const ask = async (environment, method, path, body, headers) => {
    const begun = performance.now()
    try {
      const answer = await call(environment, method, path, body, headers)
      const now = performance.now()
      lap.answers++
      lap.longestGapMs = Math.max(lap.longestGapMs, now - lastAnswer)
      lap.slowestMs = Math.max(lap.slowestMs, now - begun)
      lastAnswer = now
      if (answer.status < 300) return answer
      failures.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
    } catch (error) {
      failures.push(`${method} ${path}: ${error.cause?.code ?? error.message}`)
    }
    return undefined
  }

  const send = async (environment, to, marker) => {
    const key = { "idempotency-key": `drill ${marker}` }
    const body = messageOf(dev, environment, to, marker)
    const accepted = await ask(environment, "POST", "/v1/messages", body, key)
    if (accepted === undefined) return
    sent[environment].push(accepted.body.id)
    const repeated = await ask(environment, "POST", "/v1/messages", body, key)
    if (repeated !== undefined && repeated.text !== accepted.text) failures.push(`${marker}: its replay differs`)
    await ask(environment, "GET", `/v1/messages/${accepted.body.id}`)
  }
  const forever = async (name, pauseMs, work) => {
    for (let n = 0; !stopped; n++) {
      await work(`${name}-${n}`)
      await pause(pauseMs)
    }
  }
  const running = [
    ...Array.from({ length: writers }, (_, n) => forever(`s${n}`, 50, (it) => send("sandbox", customer(n), it))),
    forever("p", 50, (it) => send("production", customer(100), it)),
    forever("list", 100, () => ask("sandbox", "GET", "/v1/messages?limit=20"))
  ]
  return {
    failures,
    sent,
    /** Returns what was measured since the last lap. */
    lap: () => {
      const { failedBefore, ...seen } = lap
      lap = { answers: 0, failedBefore: failures.length, longestGapMs: 0, slowestMs: 0 }
      return { ...seen, failed: failures.length - failedBefore }
    },
    /** Waits for so many more answers, or for a failure. */
    goOn: (more) => {
      const goal = lap.answers + more
      return until(() => lap.answers >= goal || failures.length > 0, `${more} more answers`)
    },
    stop: async () => {
      stopped = true
      await Promise.all(running)
    },
    /** Waits until every accepted message is delivered; returns the ids of those that are not within that time. */
    settled: async (withinMs = 60_000) => {
      const left = []
      for (const [environment, ids] of Object.entries(sent)) {
        left.push(...(await settled((id) => call(environment, "GET", `/v1/messages/${id}`), ids, withinMs)))
      }
      return left
    },
    /**
     * Waits until each accepted message was told of as delivered, or as read where the platform told of that first;
     * returns the ids that were not within that time.
     */
    unannounced: async (events, withinMs = 60_000) => {
      const lacking = () => {
        const told = new Set(
          events.filter(({ type }) => /delivered|read/.test(type)).map(({ data }) => data.message_id)
        )
        return [...sent.sandbox, ...sent.production].filter((id) => !told.has(id))
      }
      await until(() => lacking().length === 0, "the webhooks", withinMs).catch(() => {})
      return lacking()
    }
  }
}
