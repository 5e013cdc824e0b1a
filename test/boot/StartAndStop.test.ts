import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { banner } from "@carteiro/runtime/boot/Banner.ts"
import { devFilePath } from "@carteiro/runtime/boot/DevFile.ts"
import { migrationNames } from "@carteiro/tables/Migrations.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { clusterOf } from "../support/EmbeddedServer.ts"
import { countingOptions, readLoaded } from "../support/Loaded.ts"
import { childrenOf, commandOf, isRunning } from "../support/ProcessTable.ts"
import { startedNode } from "../support/StartedNode.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** Real processes, on a machine that may be busy with other files. In milliseconds. */
const patience = 240_000

/** Warnings about a server of the database that answers slowly, as beside a busy machine. */
const ofSlowServer = new Set([
  "PostgreSQL has not answered yet; the start waits",
  "Shard lock storage is unhealthy",
  "Shard lock storage is still unhealthy"
])

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "carteiro-start-"))
    chmodSync(path, 0o755)
    return path
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

it.layer(TestDatabase.layer, { excludeTestServices: true })("npm start", (it) => {
  it.effect(
    "piped, prints its ready line and nothing else beside JSON logs; Ctrl-C twice is one stop without a warning (Boot contract, Ready, Stopping)",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const dataDir = yield* folder
        const node = yield* startedNode({ DATABASE_URL: url, CARTEIRO_DATA_DIR: dataDir, PORT: "0" })
        const { file } = node
        assert.strictEqual(node.printed.stdout, `ready ${file.base_url}\n`)

        const simulators = childrenOf(node.pid).filter((pid) => commandOf(pid).includes("packages/simulators/"))
        assert.lengthOf(simulators, 1, "the simulators of all vendors share a process")
        const { cardproc, numprov, pixprov1, pixprov2, speechprov1, speechprov2, speechprov3, upstream } =
          file.simulators
        const vendors = [upstream, numprov, cardproc, pixprov1, pixprov2, speechprov1, speechprov2, speechprov3]
        assert.lengthOf([...new Set(vendors)], 8)
        for (const vendor of vendors) {
          const { status } = yield* Effect.promise(() => fetch(`${vendor}/log`))
          assert.strictEqual(status, 200, String(vendor))
        }

        const path = devFilePath(dataDir)
        const told = banner({
          version: "1.2.3",
          baseUrl: file.base_url,
          adminUrl: file.admin_url,
          demo: { file, path }
        })
        for (const place of [file.dashboard.sign_in_url ?? "", `${file.base_url}/docs`, path, file.admin_url]) {
          assert.include(told, place)
        }
        const [, address = "", authorization = ""] = /^ {2}curl (\S+) -H "Authorization: (.+)"$/m.exec(told) ?? []
        const answer = yield* Effect.promise(() => fetch(address, { headers: { authorization } }))
        assert.strictEqual(answer.status, 200, "the first request of the banner")
        for (const { api_key } of [file.sandbox, file.production]) {
          const headers = { authorization: `Bearer ${api_key}` }
          const list = yield* Effect.promise(() =>
            fetch(`${file.base_url}/v1/templates?status=approved&language=pt_BR`, { headers }).then((got) => got.json())
          )
          assert.deepStrictEqual(list.data.map(({ name }: { readonly name: string }) => name).sort(), [
            "code",
            "promo",
            "welcome"
          ])
        }

        node.signal("SIGINT")
        node.signal("SIGINT")
        assert.strictEqual(yield* node.exited, 0)
        for (const pid of simulators) assert.isFalse(isRunning(pid))
        assert.strictEqual(node.printed.stdout, `ready ${file.base_url}\n`)
        const lines = node.printed.stderr.trim().split("\n")
        const logged = lines.map((line) => JSON.parse(line) as { readonly level: string; readonly msg: string })
        const troubles = logged.filter(({ level, msg }) => level !== "info" && !ofSlowServer.has(msg))
        assert.deepStrictEqual(troubles, [])
      }),
    patience
  )
})

it.live(
  "in a terminal, prints a line for each step of a first start, the first before the server is loaded",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* folder
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => rmSync(join(clusterOf(dataDir), ".."), { recursive: true, force: true }))
      )
      const loadedFile = join(dataDir, "loaded")
      const terminal = "--import=data:text/javascript,process.stdout.isTTY=true"
      const settings = { CARTEIRO_DATA_DIR: dataDir, PORT: "0", CARTEIRO_LOG_PRETTY: "0" }
      const start = startedNode({
        ...settings,
        NODE_OPTIONS: `${terminal} ${countingOptions}`,
        LOADED_MODULES_FILE: loadedFile
      })
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const node = yield* start
          node.signal("SIGTERM")
          assert.strictEqual(yield* node.exited, 0)
          return node.printed.stdout
        })
      )
      const migrations = migrationNames().length
      const steps = first
        .split("\n")
        .slice(0, 5)
        .map((line) => line.trim())
      assert.match(steps[0] ?? "", /^Carteiro \S+ starts$/)
      assert.sameMembers(steps.slice(1), [
        `creating the database in ${dataDir}`,
        "starting the simulators of 9 vendors",
        `bringing the database up to date: ${migrations} migrations`,
        "making the demo organization"
      ])
      const loaded = readLoaded(loadedFile)
      assert.isBelow(loaded.indexOf("printed"), 10, "the first line waits for no library")
      const unused = /\/node_modules\/(?:@redis|@aws-sdk|@smithy|nodemailer|openai|redis|stripe|telnyx)\//
      assert.deepStrictEqual(
        loaded.filter((path) => unused.test(path)),
        []
      )

      const again = yield* Effect.scoped(
        Effect.gen(function* () {
          const node = yield* start
          node.signal("SIGTERM")
          assert.strictEqual(yield* node.exited, 0)
          return node.printed.stdout
        })
      )
      assert.include(again, `  starting the database of ${dataDir}\n`)
      assert.notMatch(again, /migrations|making/)
    }).pipe(Effect.scoped),
  patience
)

it("the banner of a node without a demo organization shows no key and no curl line", () => {
  const told = banner({ version: "1", baseUrl: "https://a.example", adminUrl: "http://127.0.0.1:9", demo: undefined })
  assert.include(told, "https://a.example/dashboard\n")
  assert.notMatch(told, /curl|Keys|svc_/)
})
