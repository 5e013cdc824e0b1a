import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AddressRefused } from "@carteiro/owners/AddressRefused.ts"
import { UnprotectedRunner } from "@carteiro/owners/Cluster.ts"
import * as EmbeddedPostgres from "@carteiro/runtime/boot/EmbeddedPostgres.ts"
import { listenerRefused, runnerRefused } from "@carteiro/runtime/boot/StartProblems.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Ended, runProgram } from "../support/Program.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** Real processes, on a machine that may be busy with other files. In milliseconds. */
const patience = 240_000

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "carteiro-refused-"))
    chmodSync(path, 0o755)
    return path
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A port that somebody listens at while the scope is open. */
const takenPort = Effect.map(
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer()
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
  ),
  (server) => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }
)

/** One line, on stderr, and the exit code of a refusal. */
const assertRefused = ({ code, stderr, stdout }: Ended, line: RegExp) => {
  assert.deepStrictEqual([code, stdout], [1, ""])
  assert.match(stderr, line)
  assert.strictEqual(stderr.split("\n").length, 2, stderr)
}

it.layer(TestDatabase.layer, { excludeTestServices: true })("npm start", (it) => {
  it.effect(
    "ends in one line that names the setting and the remedy: a port in use, an unreachable database, an unknown name (Boot contract, Settings)",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const port = yield* takenPort
        const CARTEIRO_DATA_DIR = yield* folder
        const start = (env: Readonly<Record<string, string>>) =>
          runProgram("main.ts", { DATABASE_URL: url, CARTEIRO_DATA_DIR, CARTEIRO_LOG: "error", PORT: "0", ...env })
        const taken = `another process listens at 127\\.0\\.0\\.1:${port}; stop it, or set`
        assertRefused(yield* start({ PORT: `${port}` }), new RegExp(`^PORT: ${taken} PORT to a free port\n$`))
        const database = `postgres://nobody:x@127.0.0.1:${port + 1}/none`
        const wrong = { password: Object.assign(new URL(url), { password: "wrong" }).href }
        assertRefused(
          yield* start({ DATABASE_URL: Object.assign(new URL(url), { pathname: "/gone" }).href }),
          /^DATABASE_URL: PostgreSQL at \S+ has no database gone; create it \(createdb gone\), or correct the name\n$/
        )
        assertRefused(yield* start({ DATABASE_URL: wrong.password }), /^DATABASE_URL: .* does not let \w+ in: .*\n$/)
        assertRefused(yield* start({ DATABASE_URL: database }), /^DATABASE_URL: no PostgreSQL answers at 127\.0\.0\.1:/)
        const unknown = ["CARTEIRO", "LOGS"].join("_")
        assertRefused(yield* start({ [unknown]: "1" }), /^\w+: no setting has this name; did you mean CARTEIRO_LOG\? /)
        const option = yield* runProgram("main.ts", {}, "--port", "80")
        assert.deepStrictEqual([option.code, option.stdout], [2, ""])
        assert.match(option.stderr, /^--port: npm start takes no options but --help; [^\n]*\n$/)
      }),
    patience
  )
})

it("a listener whose address is refused names its variable", () => {
  const line = (listener: AddressRefused["listener"], code: string) =>
    listenerRefused(new AddressRefused({ listener, host: "10.9.8.7", port: 80, code })).message
  assert.match(line("public", "EADDRNOTAVAIL"), /^HOST: 10\.9\.8\.7 is no address of this machine \(EADDRNOTAVAIL\); /)
  assert.match(line("public", "ENOTFOUND"), /^HOST: /)
  assert.match(line("public", "EACCES"), /^PORT: this user may not listen at port 80; set PORT to one above 1023$/)
  assert.match(line("admin", "EADDRINUSE"), /^CARTEIRO_ADMIN_PORT: another process listens at 10\.9\.8\.7:80; /)
  assert.match(line("runner", "EADDRINUSE"), /^CARTEIRO_RUNNER_PORT: .* set CARTEIRO_RUNNER_PORT to a free port$/)
  assert.match(line("runner", "EADDRNOTAVAIL"), /^CARTEIRO_RUNNER_HOST: /)
  assert.match(line("public", "EMFILE"), /^PORT: cannot listen at 10\.9\.8\.7:80 \(EMFILE\); /)
})

it("a runner that others could reach without certificates names its variable", () => {
  assert.strictEqual(
    runnerRefused(new UnprotectedRunner({ host: "10.9.8.7" })).message,
    'CARTEIRO_RUNNER_HOST: expected a loopback address, as no CARTEIRO_RUNNER_TLS_ certificates are set, not "10.9.8.7"'
  )
})

it.live("a damaged data directory is reported with the folder, the server's log and the remedy", () =>
  Effect.gen(function* () {
    const whole = yield* folder
    const settings = ["fsync=off"]
    const home = yield* Effect.scoped(
      Effect.map(EmbeddedPostgres.acquire({ dataDir: whole, settings }), ({ log }) => join(log, ".."))
    )
    const damaged = Effect.fnUntraced(function* (damage: (cluster: string) => void) {
      const kept = `${home}.kept`
      cpSync(home, kept, { recursive: true, preserveTimestamps: true })
      damage(join(home, "cluster"))
      const error = yield* Effect.flip(Effect.scoped(EmbeddedPostgres.acquire({ dataDir: whole, settings })))
      rmSync(home, { recursive: true })
      cpSync(kept, home, { recursive: true, preserveTimestamps: true })
      rmSync(kept, { recursive: true })
      return error.message
    })
    const start = `CARTEIRO_DATA_DIR: the database in ${whole} `
    const end = `; see ${join(home, "postgres.log")}, then restore the folder from a copy, or remove it to start afresh`
    const gone = yield* damaged((cluster) => rmSync(join(cluster, "global", "pg_control")))
    assert.isTrue(gone.startsWith(`${start}does not start: `) && gone.endsWith(end), gone)
    assert.include(gone, "pg_control")
    const older = yield* damaged((cluster) => writeFileSync(join(cluster, "PG_VERSION"), "9\n"))
    assert.match(older.slice(start.length), /^was made by PostgreSQL 9, this release brings \d+; start the release/)
    assert.notInclude(`${gone}${older}`, "\n")
  }).pipe(Effect.scoped)
)
