import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BroadcastChannel } from "node:worker_threads"
import type { DevFile } from "@carteiro/runtime/boot/DevFile.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Cause, Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { startedNode } from "./StartedNode.ts"

/** Returns the channel between vitest's own thread and those of the process that run test files. */
const channel = () => new BroadcastChannel(`carteiro-product-of-run-${process.pid}`)

type Told = { readonly file: DevFile } | { readonly failure: string } | "asked"

/** The master key of that product: 64 hexadecimal digits. Tests that make keys by hand share it. */
export const masterKeyOfRun = "07".repeat(32)

/** The server of the run. */
interface Server {
  readonly url: string
  readonly template: string
}

/**
 * Starts `npm start` when the first test asks for it, and ends it with the run: a start costs as much processor time as
 * all that a file does with the product. Limits are off, and simulated statuses come at once.
 */
export const productOfRun = (server: Server): { readonly close: () => Promise<void> } => {
  const scope = Scope.makeUnsafe()
  const ends = channel()
  let started: Promise<Told> | undefined
  let tries = 0
  const tried = async (): Promise<Told> => {
    const exit = await Effect.runPromiseExit(Scope.provide(start(server, ++tries), scope))
    if (Exit.isSuccess(exit)) return { file: exit.value }
    // A start that failed beside a busy machine is tried again for the next file.
    started = undefined
    return { failure: Cause.pretty(exit.cause) }
  }
  ends.onmessage = ({ data }) => {
    if (data !== "asked") return
    started ??= tried()
    void started.then((told) => ends.postMessage(told))
  }
  ends.unref()
  return {
    close: async () => {
      ends.close()
      await started
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}

const start = Effect.fnUntraced(function* (server: Server, nth: number) {
  const name = `test_product_of_run_${nth}`
  const asOwner = Sql.layer(server.url, { applicationName: "carteiro-test-run", maxConnections: 1 })
  yield* Effect.provide(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`create database ${sql(name)} template ${sql(server.template)} strategy file_copy`.unprepared
    ),
    asOwner
  )
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-run-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const node = yield* startedNode({
    DATABASE_URL: Object.assign(new URL(server.url), { pathname: `/${name}` }).href,
    CARTEIRO_DATA_DIR: folder,
    CARTEIRO_MASTER_KEY: masterKeyOfRun,
    CARTEIRO_RATE_LIMITS: "off",
    CARTEIRO_SANDBOX_STATUS_DELAY_MS: "0",
    CARTEIRO_WEBHOOK_RETRY_SANDBOX: "0s",
    PORT: "0"
  })
  return node.file
})

/** Returns the product that all files of the run share, started by the first that asks. */
export const sharedProduct = Effect.callback<DevFile>((resume) => {
  const asks = channel()
  asks.onmessage = ({ data }) => {
    const told = data as Told
    if (told === "asked") return
    asks.close()
    resume("file" in told ? Effect.succeed(told.file) : Effect.die(new Error(told.failure)))
  }
  asks.postMessage("asked")
  return Effect.sync(() => asks.close())
})
