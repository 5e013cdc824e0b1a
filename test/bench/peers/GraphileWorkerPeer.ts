import { makeWorkerUtils, type Runner, run } from "graphile-worker"
import { deliver, type Job, jobs, pool, prepareAttempts, serve } from "./Deliver.ts"

// Peer for webhook dispatch: graphile-worker, whose queue is PostgreSQL. Environment: DATABASE_URL, TARGET.

const tools = await makeWorkerUtils({ connectionString: process.env.DATABASE_URL ?? "" })
await tools.migrate()
let runner: Runner | undefined

const fill = async (deliveries: number) => {
  await runner?.stop()
  await prepareAttempts()
  await pool.query("select graphile_worker.add_job('hook', payload := row) from json_array_elements($1::json) as row", [
    JSON.stringify(jobs(deliveries))
  ])
}

serve(fill, async () => {
  runner = await run({
    pgPool: pool,
    concurrency: 64,
    pollInterval: 100,
    noHandleSignals: true,
    taskList: { hook: (payload) => deliver(payload as Job) }
  })
})
