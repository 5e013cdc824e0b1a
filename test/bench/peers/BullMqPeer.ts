import { Queue, Worker } from "bullmq"
import { createClient } from "redis"
import { deliver, type Job, jobs, prepareAttempts, serve } from "./Deliver.ts"

// Peer for webhook dispatch: BullMQ, whose queue is Redis. Environment: DATABASE_URL, TARGET, REDIS_PORT.

const url = `redis://127.0.0.1:${process.env.REDIS_PORT ?? 6379}`
const connection = await createClient({ url }).connect()
const queue = new Queue<Job>("hook", { connection })
let worker: Worker<Job> | undefined
const batch = 1000

const fill = async (deliveries: number) => {
  await worker?.close()
  await prepareAttempts()
  const all = jobs(deliveries)
  for (let at = 0; at < all.length; at += batch) {
    const some = all.slice(at, at + batch)
    await queue.addBulk(some.map((data) => ({ name: "hook", data, opts: { removeOnComplete: true } })))
  }
}

serve(fill, () => {
  worker = new Worker<Job>("hook", ({ data }) => deliver(data), { connection, concurrency: 64 })
})
