import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { withoutSettings } from "../support/Program.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const project = fileURLToPath(new URL("../../", import.meta.url))
const unit = readFileSync(join(project, "deploy/carteiro@.service"), "utf8")
const analyze = "systemd-analyze"
const isInstalled = (program: string, ...words: ReadonlyArray<string>) => spawnSync(program, words).error === undefined
const hasSystemd = isInstalled(analyze, "--version")
const hasStrace = isInstalled("strace", "-V")
const named = (name: string, can: boolean, what: string) => (can ? name : `${name} (${what} is not installed)`)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-unit-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** The values of a directive of the unit, in their order. */
const valuesOf = (directive: string): ReadonlyArray<string> =>
  [...unit.matchAll(new RegExp(`^${directive}=(.*)$`, "gm"))].map(([, value = ""]) => value)

it("the unit starts a node as npm start does, as a user of its own, and waits until it has handed its owners over", () => {
  const { scripts } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"))
  assert.deepStrictEqual(valuesOf("ExecStart"), [`/opt/carteiro/${scripts.start.replace("exec ", "")}`])
  assert.deepStrictEqual([valuesOf("User"), valuesOf("KillSignal")], [["carteiro"], ["SIGTERM"]])
  assert.isAbove(Number(valuesOf("TimeoutStopSec")[0]), 15)
})

it.live.skipIf(!hasSystemd)(
  named("systemd takes the unit, and rates its exposure 2.0 or better", hasSystemd, "systemd"),
  () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "carteiro@.service")
      writeFileSync(path, unit.replace("/opt/carteiro/node_modules/.bin/node", process.execPath))
      const { status, stderr } = spawnSync(analyze, ["verify", "--man=no", path], { encoding: "utf8" })
      // It reads the units of the machine as well, and complains of theirs.
      const ofOurs = stderr.split("\n").filter((line) => line.includes("carteiro"))
      assert.deepStrictEqual([status, ofOurs], [0, []], stderr)
      const rated = spawnSync(analyze, ["security", "--offline=true", "--threshold=20", "--no-pager", path], {
        encoding: "utf8"
      })
      assert.strictEqual(rated.status, 0, rated.stdout)
    }).pipe(Effect.scoped)
)

/** The system calls of a set such as `@system-service`, those of the sets in it included. */
const callsOf = (set: string): ReadonlyArray<string> => {
  const text = execFileSync(analyze, ["syscall-filter", "--no-pager", set], { encoding: "utf8" })
  const lines = text.split("\n").filter((line) => /^\s+[@\w]/.test(line))
  return lines.map((line) => line.trim()).flatMap((name) => (name.startsWith("@") ? callsOf(name) : [name]))
}

/** The system calls that the unit lets a node make. */
const allowedCalls = (): ReadonlyArray<string> => {
  const allowed = new Set<string>()
  for (const words of valuesOf("SystemCallFilter")) {
    const denies = words.startsWith("~")
    for (const call of words.replace("~", "").split(" ").flatMap(callsOf)) {
      if (denies) allowed.delete(call)
      else allowed.add(call)
    }
  }
  return [...allowed]
}

it.live.skipIf(!hasSystemd || !hasStrace)(
  named(
    "a node of two processes starts, answers and stops with the system calls that the unit leaves it",
    hasSystemd && hasStrace,
    "systemd or strace"
  ),
  () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      assert.deepStrictEqual(valuesOf("SystemCallErrorNumber"), ["EPERM"])
      // Strace answers every other call with EPERM; a name that this kernel does not know is no fault.
      const others = `!${allowedCalls()
        .map((call) => `?${call}`)
        .join(",")}`
      const log = join(yield* folder, "calls")
      const program = valuesOf("ExecStart")[0]?.split(" ").slice(1) ?? []
      const traced = [
        "-f",
        "--seccomp-bpf",
        "-qq",
        "-o",
        log,
        "-e",
        `trace=${others}`,
        "-e",
        `inject=${others}:error=EPERM`
      ]
      const tracer = spawn("strace", [...traced, process.execPath, ...program], {
        cwd: project,
        env: {
          ...withoutSettings(),
          CARTEIRO_MODE: "production",
          CARTEIRO_DATA_DIR: yield* folder,
          CARTEIRO_MASTER_KEY: "07".repeat(32),
          CARTEIRO_PUBLIC_URL: "https://api.example.com",
          CARTEIRO_SMTP_URL: "smtp://127.0.0.1:9",
          CARTEIRO_MAIL_FROM: "billing@example.com",
          CARTEIRO_PROCESSES: "2",
          CARTEIRO_RUNNER_PORT: "0",
          DATABASE_URL: url,
          PORT: "0"
        },
        stdio: ["ignore", "pipe", "pipe"]
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => tracer.kill("SIGKILL")))
      let errors = ""
      tracer.stderr.on("data", (chunk) => {
        errors += String(chunk)
      })
      const lines = createInterface({ input: tracer.stdout })[Symbol.asyncIterator]()
      const line = yield* Effect.promise(() => lines.next())
      assert.strictEqual(line.value, "ready https://api.example.com", errors)
      const ended = once(tracer, "exit")
      process.kill(childOf(tracer.pid ?? 0), "SIGTERM")
      assert.deepStrictEqual(yield* Effect.promise(() => ended), [0, null], errors)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
  240_000
)

/** The process that a tracer started. */
const childOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0])
