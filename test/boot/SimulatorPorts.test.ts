import { rmSync } from "node:fs"
import { createServer } from "node:net"
import { type DevFile, type SimulatorMembers, writeDevFile } from "@carteiro/runtime/boot/DevFile.ts"
import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { runSimulators } from "@carteiro/runtime/boot/simulators/Simulators.ts"
import { parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Logger, Redacted } from "effect"
import { dataFolder } from "../support/RunFolder.ts"

const keys = Redacted.make(parseMasterKeys("7".repeat(64)) ?? assert.fail("no key"))

const environment = { environment_id: "env_1", api_key: "svc_1", phone_number_id: null }

const devFile = (simulators: SimulatorMembers): DevFile => ({
  base_url: "http://127.0.0.1:8080",
  organization_id: "org_1",
  project_id: "prj_1",
  sandbox: environment,
  production: environment,
  dashboard: { url: null, email: null, sign_in_url: null },
  simulators,
  database_url: "postgres://127.0.0.1/carteiro",
  admin_url: "http://127.0.0.1:9090"
})

const addresses = ["upstream", "numprov", "pixprov1", "pixprov2", "cardproc", "pix_api", "pix_api_control"] as const

/** Holds a port of this machine until the scope closes. */
const holdPort = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer().listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
  )

it.live(
  "simulators keep their addresses across starts of one data directory, unless a port is taken, which is said",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* Effect.acquireRelease(
        Effect.sync(() => dataFolder("carteiro-ports-")),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
      )
      const settings = yield* Effect.provide(
        readSettings,
        ConfigProvider.layer(ConfigProvider.fromEnv({ env: { CARTEIRO_DATA_DIR: dataDir } }))
      )
      const lines: Array<unknown> = []
      const log = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
      /** Starts all simulators, writes dev.json as a node does, and stops them. */
      const start = Effect.gen(function* () {
        const { members } = yield* runSimulators(settings, keys)
        yield* writeDevFile(dataDir, devFile(members))
        return members
      }).pipe(Effect.scoped, Effect.provide(log))

      const first = yield* start
      const second = yield* start
      for (const name of addresses) assert.isString(first[name])
      assert.deepStrictEqual(second, first)
      assert.deepStrictEqual(lines, [])

      const taken = Number(new URL(first.pix_api_control ?? "").port)
      const third = yield* Effect.scoped(Effect.andThen(holdPort(taken), start))
      assert.notStrictEqual(third.pix_api_control, first.pix_api_control)
      assert.deepStrictEqual({ ...third, pix_api_control: null }, { ...first, pix_api_control: null })
      assert.deepStrictEqual(lines.length, 1)
      assert.include(
        JSON.stringify(lines),
        `port ${taken} of a simulated vendor is taken; it listens at ${new URL(third.pix_api_control ?? "").port} from now on`
      )
      assert.deepStrictEqual(yield* start, third)
    }).pipe(Effect.scoped)
)
