import { Effect } from "effect"
import { Agent, type Dispatcher, request } from "undici"
import { BenchFailure } from "./BenchFailure.ts"

/** What is sent at one tick. */
export interface Send {
  /** Whom it concerns, by a number of the caller's. */
  readonly sender: number
  /** Where it may go: the next one is asked when a connection is refused or breaks. */
  readonly urls: ReadonlyArray<string>
  readonly key: string
  readonly body: string
  /** Its Idempotency-Key; a send with several addresses needs one. */
  readonly id?: string
}

/** One send and what became of it. Milliseconds on the clock of `performance`. */
export interface Sent {
  readonly sender: number
  readonly sentAt: number
  readonly endedAt: number
  /** Undefined for a 2xx answer. */
  readonly failure: string | undefined
  /** How often it went to another address. */
  readonly again: number
}

/** What a constant rate of sends met. */
export interface SteadyLoad {
  /** In the order they ended. */
  readonly sent: ReadonlyArray<Sent>
  readonly seconds: number
  /** How late the generator itself was, in the worst hundredth of the sends. */
  readonly lateP99Ms: number
}

/**
 * POSTs to /v1/messages at a constant rate while `meanwhile` runs. One caller that waits for its answers would hide a
 * pause behind its own patience; here every send leaves on the clock, whatever became of those before it.
 */
export const steadily = <A, E, R>(perSecond: number, next: (n: number) => Send, meanwhile: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const agent = new Agent({ connections: 1_024, pipelining: 1 })
      return { agent, generator: generate(agent, perSecond, next) }
    }),
    ({ generator }) =>
      Effect.flatMap(meanwhile, (result) => Effect.map(Effect.promise(generator.end), (load) => ({ result, load }))),
    ({ agent, generator }) =>
      Effect.promise(() => {
        generator.stop()
        return agent.destroy()
      })
  )

const generate = (agent: Agent, perSecond: number, next: (n: number) => Send) => {
  const sent: Array<Sent> = []
  const late: Array<number> = []
  const open = new Set<Promise<void>>()
  const started = performance.now()
  const intervalMs = 1000 / perSecond
  let n = 0
  let timer: NodeJS.Timeout
  const tick = () => {
    for (let due = started + n * intervalMs; performance.now() >= due; due = started + n * intervalMs) {
      late.push(performance.now() - due)
      const going = post(agent, next(n++)).then((ended) => {
        sent.push(ended)
        open.delete(going)
      })
      open.add(going)
    }
    timer = setTimeout(tick, Math.max(0, started + n * intervalMs - performance.now()))
  }
  tick()
  const stop = () => clearTimeout(timer)
  const end = async (): Promise<SteadyLoad> => {
    stop()
    const seconds = (performance.now() - started) / 1000
    await Promise.all(open)
    return { sent, seconds, lateP99Ms: percentile(late, 0.99) }
  }
  return { stop, end }
}

const post = async (dispatcher: Dispatcher, { body, id, key, sender, urls }: Send): Promise<Sent> => {
  const headers: Record<string, string> = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  if (id !== undefined) headers["idempotency-key"] = id
  const sentAt = performance.now()
  let failure: string | undefined
  for (const [again, url] of urls.entries()) {
    try {
      const answer = await request(`${url}/v1/messages`, { dispatcher, method: "POST", headers, body })
      const text = await answer.body.text()
      failure = answer.statusCode < 300 ? undefined : `${answer.statusCode} ${text.slice(0, 300)}`
      return { sender, sentAt, endedAt: performance.now(), failure, again }
    } catch (error) {
      failure = String(error)
    }
  }
  return { sender, sentAt, endedAt: performance.now(), failure, again: urls.length - 1 }
}

/** The smallest value that a share of all does not exceed; 0 of none. */
export const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** How long the answered sends took, in milliseconds. */
export const latencies = (sent: ReadonlyArray<Sent>): ReadonlyArray<number> =>
  sent.filter(answered).map(({ endedAt, sentAt }) => endedAt - sentAt)

/** Whether it was answered 2xx. */
export const answered = ({ failure }: Sent): boolean => failure === undefined

/** The longest time without an answer, from the first send to the last answer, in milliseconds. */
export const longestPause = (sent: ReadonlyArray<Sent>): number => {
  const began = Math.min(...sent.map(({ sentAt }) => sentAt))
  const ends = sent.filter(answered).map(({ endedAt }) => endedAt)
  return [began, ...ends.toSorted((a, b) => a - b)].reduce(
    (most, at, n, all) => Math.max(most, at - (all[n - 1] ?? at)),
    0
  )
}

/** Fails when anything but a 2xx came back. */
export const allAnswered = ({ sent }: SteadyLoad): Effect.Effect<void, BenchFailure> => {
  const failures = sent.filter((send) => !answered(send))
  return failures.length === 0
    ? Effect.void
    : Effect.fail(
        new BenchFailure({ message: `${failures.length} of ${sent.length} sends failed: ${failures[0]?.failure}` })
      )
}
