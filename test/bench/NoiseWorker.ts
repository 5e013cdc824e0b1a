import { parentPort, workerData } from "node:worker_threads"
import { Agent, request } from "undici"
import type { Noise } from "./Noise.ts"

/**
 * Posts bodies one after another over each of some connections until it is told to end. It runs in a thread of its own,
 * so that writing megabytes does not delay the measured requests of the main thread.
 */
const { bodies, clients, key, path, url } = workerData as Noise
const dispatcher = new Agent({ connections: clients, pipelining: 1 })
const counts: Record<number, number> = {}
let ended = false
let next = 0

const post = async (): Promise<void> => {
  while (!ended) {
    const body = Buffer.from(bodies[next++ % bodies.length] ?? "")
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const { body: answer, statusCode } = await request(`${url}${path}`, { method: "POST", dispatcher, headers, body })
    await answer.dump()
    counts[statusCode] = (counts[statusCode] ?? 0) + 1
  }
}

const all = Promise.all(Array.from({ length: clients }, post))
parentPort?.once("message", async () => {
  ended = true
  await all
  await dispatcher.destroy()
  parentPort?.postMessage(counts)
})
