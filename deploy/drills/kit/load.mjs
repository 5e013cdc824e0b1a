import { randomUUID } from "node:crypto"
import { pause, say, seconds, until } from "./drill.mjs"

const customers = 20
const againMs = 100
/** A call is repeated for so long: a manager of failovers may take minutes on a machine that has much else to do. */
const longestMs = 300_000

/** Opens the windows of the customers that `startLoad` sends to. */
export const openWindows = async ({ write }) => {
  for (let number = 0; number < customers; number++) {
    await until(async () => (await write(number, `window-${number}`)).status < 300, "the opening of a window")
  }
}

/**
 * Sends a message every `everyMs`, each with its own Idempotency-Key. A call that failed, or was answered 502 to 504, 429 or
 * 409 (its key is in use), is repeated with its key until it is answered. `stop` waits for the open calls and returns what a
 * caller knows: `accepted` (ids), `refused` (other answers), `unanswered` (what each of these calls met last), `repeated`
 * (calls that needed more than one try) and `missedMs` (the longest time between two answers to any calls).
 */
export const startLoad = ({ send }, everyMs = 25) => {
  const name = randomUUID()
  const accepted = []
  const refused = []
  const unanswered = []
  let repeated = 0
  let answeredAt = performance.now()
  let missedMs = 0
  let isStopped = false
  const open = new Set()

  const insist = async (number) => {
    const end = performance.now() + longestMs
    let last
    for (let tries = 1; performance.now() < end; tries++) {
      const answer = await send(number % customers, `load ${number}`, `${name}-${number}`).catch((error) => {
        last = error.cause?.code ?? error.message
      })
      if (answer !== undefined && answer.status <= 500 && ![409, 429].includes(answer.status)) {
        missedMs = Math.max(missedMs, performance.now() - answeredAt)
        answeredAt = performance.now()
        if (tries > 1) repeated++
        if (answer.status === 202) accepted.push(answer.body.id)
        else refused.push(answer)
        return
      }
      if (answer !== undefined) last = `${answer.status} ${JSON.stringify(answer.body)}`
      await pause(againMs)
    }
    unanswered.push(last)
  }

  const ticks = (async () => {
    for (let number = 0; !isStopped; number++) {
      const call = insist(number).finally(() => open.delete(call))
      open.add(call)
      await pause(everyMs)
    }
  })()

  return {
    accepted,
    /** Milliseconds since a call was answered last. */
    silentMs: () => performance.now() - answeredAt,
    stop: async () => {
      isStopped = true
      await ticks
      await Promise.all(open)
      return { accepted, refused, unanswered, repeated, missedMs }
    }
  }
}

/** The events of a message of the load that its receiver must be told. */
export const subscribed = ["message.sent", "message.delivered", "message.read"]

/**
 * Makes the function that plays a step under load and tells what was lost of it: every message that was answered is in
 * the database of `server()` once, is read in the end, and its receiver was told of each status.
 */
export const underLoad = ({ expect }, { client, receiver, server, everyMs }) => {
  const answered = []
  const rows = (statement) => server().query("carteiro", statement)
  const idsOf = async (condition) =>
    new Set((await rows(`select id from messages where direction = 'outbound' and ${condition}`)).map(([id]) => id))
  return async (name, play) => {
    const load = startLoad(client, everyMs)
    await until(() => load.accepted.length > 40, "the load", longestMs)
    await play(load)
    await until(() => load.silentMs() < 500, "answers after the step", longestMs)
    await pause(2000)
    const { accepted, missedMs, refused, repeated, unanswered } = await load.stop()
    answered.push(...accepted)
    await until(
      async () => (await idsOf("status in ('queued', 'sending', 'sent', 'delivered')")).size === 0,
      "the end of all messages",
      longestMs
    )
    const read = await idsOf("status = 'read'")
    const lost = accepted.filter((id) => !read.has(id)).length
    const extra = (await idsOf("true")).size - answered.length
    const untold = () => {
      const told = new Set(receiver.events.map(({ data, type }) => `${type} ${data.message_id}`))
      return accepted.flatMap((id) => subscribed.map((type) => `${type} ${id}`)).filter((event) => !told.has(event))
    }
    await until(() => untold().length === 0, "the webhooks", longestMs)
    say(
      `${name}: ${accepted.length} messages answered, ${repeated} of them to a repeated call, ${accepted.length * subscribed.length} events told`
    )
    expect(
      `${name}: lost ${lost}, there twice ${extra}, refused ${refused.length}, unanswered ${unanswered.length}`,
      lost + Math.abs(extra) + refused.length + unanswered.length === 0
    )
    for (const { body, status } of refused.slice(0, 3)) say(`${name}: refused: ${status} ${JSON.stringify(body)}`)
    for (const last of unanswered.slice(0, 3)) say(`${name}: an unanswered call met last: ${last}`)
    say(`${name}: missed for ${seconds(missedMs)} seconds`)
    return accepted
  }
}
