import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { fitsSocket } from "@carteiro/runtime/boot/postgres/ServerProcess.ts"
import { chooseUser } from "@carteiro/runtime/boot/postgres/ServerUser.ts"
import { isAlive } from "@carteiro/runtime/boot/RunningProcess.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { clusterOf, postmasterOf } from "../support/EmbeddedServer.ts"
import { runProgram } from "../support/Program.ts"

const support = (name: string) => fileURLToPath(new URL(`../support/${name}`, import.meta.url))

/** A data directory, and what a start as root keeps elsewhere. */
const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "carteiro-platform-"))
    chmodSync(path, 0o755)
    return path
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A process that runs the embedded PostgreSQL on a machine that looks as macOS does. */
const ownerOnMac = (dataDir: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const words = ["--import", support("MacHost.ts"), support("EmbeddedOwner.ts"), dataDir]
      const owner = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] })
      owner.stderr.resume()
      const lines = createInterface({ input: owner.stdout })
      for await (const line of lines) if (line.startsWith("postgres://")) return { owner, url: line }
      throw new Error("the embedded PostgreSQL did not start")
    }),
    ({ owner }) => ending(owner, "SIGTERM")
  )

const ending = (owner: ChildProcess, signal: NodeJS.Signals) =>
  Effect.promise(async () => {
    if (owner.exitCode !== null || owner.signalCode !== null) return
    const closed = once(owner, "close")
    owner.kill(signal)
    await closed
  })

it.live("on macOS a start takes over the server of a killed one, and leaves none behind when it stops", () =>
  Effect.gen(function* () {
    const dataDir = yield* folder
    const first = yield* ownerOnMac(dataDir)
    const pid = postmasterOf(dataDir)
    yield* ending(first.owner, "SIGKILL")
    assert.isTrue(isAlive(pid))
    const second = yield* ownerOnMac(dataDir)
    assert.deepStrictEqual([postmasterOf(dataDir), second.url], [pid, first.url])
    yield* ending(second.owner, "SIGTERM")
    assert.isFalse(isAlive(pid))
  })
)

it.live("on macOS a living process with the pid of a killed start does not hold the data directory", () =>
  Effect.gen(function* () {
    const dataDir = yield* folder
    writeFileSync(
      join(dataDir, "owner.json"),
      JSON.stringify({ pid: process.pid, started: "Thu Jan  1 00:00:00 2026" })
    )
    const { owner } = yield* ownerOnMac(dataDir)
    const held = JSON.parse(readFileSync(join(dataDir, "owner.json"), "utf8")) as { readonly started: string }
    assert.match(held.started, /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/)
    assert.include(clusterOf(dataDir), dataDir)
    yield* ending(owner, "SIGTERM")
  })
)

it("as root on macOS the server runs as _postgres, or as the owner of the database", () => {
  const passwd = [
    "##",
    "# User Database",
    "nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false",
    "root:*:0:0:System Administrator:/var/root:/bin/sh",
    "daemon:*:1:1:System Services:/var/root:/usr/bin/false",
    "_postgres:*:216:216:PostgreSQL Server:/var/empty:/usr/bin/false"
  ].join("\n")
  assert.strictEqual(chooseUser(passwd, 0)?.name, "_postgres")
  // macOS keeps people in a directory service. This machine's list stands for it.
  const [name, , uid, gid] =
    readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .find(([, , uid]) => Number(uid) > 1) ?? []
  assert.deepStrictEqual(chooseUser(passwd, Number(uid)), { name, uid: Number(uid), gid: Number(gid) })
})

it("the server makes no socket whose path would be too long for macOS or ambiguous", () => {
  assert.isTrue(fitsSocket(`/${"a".repeat(87)}`))
  assert.isFalse(fitsSocket(`/${"a".repeat(88)}`))
  assert.isFalse(fitsSocket("/home/ana/carteiro, old"))
})

const onWindows = "data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})"

it.effect("on Windows every command refuses with one line that names WSL", () =>
  Effect.gen(function* () {
    for (const program of ["main.ts", "cluster.ts", "migrate.ts"]) {
      const { code, stderr, stdout } = yield* runProgram(program, { NODE_OPTIONS: `--import=${onWindows}` })
      assert.deepStrictEqual([code, stdout], [1, ""], program)
      assert.match(stderr, /^[^\n]*Windows[^\n]*WSL[^\n]*\n$/, program)
    }
  })
)
