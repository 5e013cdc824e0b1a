import { rmSync } from "node:fs"
import { lockDataDir } from "@carteiro/runtime/boot/DataDir.ts"
import * as EmbeddedPostgres from "@carteiro/runtime/boot/EmbeddedPostgres.ts"
import * as Migrations from "@carteiro/tables/Migrations.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"
import { productOfRun } from "./ProductOfRun.ts"
import { runFolder } from "./RunFolder.ts"

declare module "vitest" {
  interface ProvidedContext {
    /**
     * Connects as the owner of the run's server; databases named `test_…` are clones of `template`. `socketUrl` is as
     * cheap as the product's own connection, and equal to `url` where there is no Unix socket.
     */
    readonly postgres: { readonly url: string; readonly socketUrl: string; readonly template: string }
  }
}

/**
 * Starts one embedded PostgreSQL with one migrated template once for each run of vitest. Commits stay synchronous, as
 * in production; only the wait for the disk is left out.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const started = await Effect.runPromiseExit(Scope.provide(start(1), scope))
  if (Exit.isFailure(started)) {
    await close()
    return await Effect.runPromise(Effect.failCause(started.cause))
  }
  project.provide("postgres", started.value)
  const product = productOfRun(started.value)
  return () => product.close().then(close)
}

const folder = runFolder()
const runsAtOnce = 16

// Parallel runs use separate folders. The folder of a killed run is used again, which also stops the server that it
// left.
const start = (slot: number): ReturnType<typeof prepare> =>
  Effect.catchTag(prepare(slot), "StartRefused", (error) => {
    if (error.busy === true && slot < runsAtOnce) return start(slot + 1)
    if (error.busy === true) return Effect.fail(error)
    return Effect.andThen(remove(slot), prepare(slot))
  })

const prepare = Effect.fnUntraced(function* (slot: number) {
  const dataDir = `${folder.path}${slot}`
  const settings = ["fsync=off", "full_page_writes=off", "max_wal_size=512MB"]
  if (folder.inMemory) yield* Effect.addFinalizer(() => giveBack(dataDir))
  const { socketUrl, url } = yield* EmbeddedPostgres.acquire({ dataDir, settings })
  const template = "template_migrated"
  yield* Effect.provide(recreate(template), Sql.layer(url, { applicationName: "carteiro-test-run", maxConnections: 2 }))
  const migrated = Sql.layer(withDatabase(url, template), { applicationName: "carteiro-test-migrate" })
  yield* Effect.provide(Migrations.migrate(), migrated)
  return { url, socketUrl: socketUrl ?? url, template }
})

const recreate = Effect.fnUntraced(function* (template: string) {
  const sql = yield* SqlClient.SqlClient
  const left = yield* sql<{ readonly name: string }>`
    select datname as name from pg_database where datname like 'test\\_%' or datname = ${template}`
  for (const { name } of left) yield* sql`drop database ${sql(name)} with (force)`.unprepared
  yield* sql`create database ${sql(template)}`.unprepared
})

const remove = (slot: number) => Effect.sync(() => rmSync(`${folder.path}${slot}`, { recursive: true, force: true }))

/** Frees the memory of a server that has stopped, unless another run has taken its folder already. */
const giveBack = (dataDir: string) =>
  lockDataDir(dataDir).pipe(
    Effect.tap((held) => Effect.sync(() => held && rmSync(dataDir, { recursive: true, force: true }))),
    Effect.scoped,
    Effect.orDie
  )

const withDatabase = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href
