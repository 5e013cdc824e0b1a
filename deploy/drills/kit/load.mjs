import { pause } from "./drill.mjs"

const customers = 20
const againMs = 100

/** Opens the windows of the customers that `startLoad` sends to. */
export const openWindows = async ({ write }) => {
  for (let number = 0; number < customers; number++) {
    const { status } = await write(number)
    if (status >= 300) throw new Error(`a customer's message was answered ${status}`)
  }
}

/**
 * Sends a message every `everyMs`, each with its own Idempotency-Key, and repeats a call that failed or was answered 5xx
 * or 429 with its key until it is answered. `stop` waits for the open calls and returns what a caller knows: `accepted`
 * (ids), `refused` (other answers), `repeated` (calls that needed more than one try) and `missedMs` (the longest time
 * from an instant at which a message was to be sent until any call was answered).
 */
export const startLoad = ({ send }, everyMs = 25) => {
  const accepted = []
  const refused = []
  const unanswered = []
  let repeated = 0
  let answeredAt = performance.now()
  let missedMs = 0
  let isStopped = false
  const open = new Set()

  const insist = async (number) => {
    for (let tries = 1; tries < 600; tries++) {
      const answer = await send(number % customers, `load ${number}`, `load-${number}`).catch(() => undefined)
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) {
        missedMs = Math.max(missedMs, performance.now() - answeredAt)
        answeredAt = performance.now()
        if (tries > 1) repeated++
        if (answer.status === 202) accepted.push(answer.body.id)
        else refused.push(answer)
        return
      }
      await pause(againMs)
    }
    unanswered.push(number)
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
