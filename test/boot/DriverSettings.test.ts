import { rmSync } from "node:fs"
import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { settingsFindings } from "@carteiro/runtime/cli/doctor/SettingsFindings.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { runProgram } from "../support/Program.ts"
import { dataFolder } from "../support/RunFolder.ts"

type Env = Readonly<Record<string, string>>

const read = (env: Env) =>
  Effect.provide(readSettings, ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true })))

/** The roles whose default is a vendor's wire. Boot contract, "Amendments of November 2026" */
const roles = [
  ["cardproc", "stripe"],
  ["pixprov2", "mercadopago"],
  ["numprov", "telnyx"],
  ["speechprov1", "openai"],
  ["speechprov2", "elevenlabs"]
] as const

it.effect("each role has the driver of the boot contract", () =>
  Effect.gen(function* () {
    const settings = yield* read({})
    for (const [role, driver] of roles) assert.strictEqual(settings[`${role}Driver`], driver)
    assert.strictEqual(settings.pixprov1Driver, "bridge")
    assert.strictEqual(settings.speechprov3Driver, "bridge")
    assert.deepStrictEqual(settings.assumedBridges, [])
  })
)

it.effect("an address without a driver means the bridge, and the doctor says what to set", () =>
  Effect.gen(function* () {
    for (const [role, driver] of roles) {
      const variable = (end: string) => `CARTEIRO_${role.toUpperCase()}_${end}`
      const address = { [variable("API_BASE_URL")]: "https://vendor.example" }
      for (const unnamed of [address, { ...address, [variable("DRIVER")]: " " }]) {
        const settings = yield* read(unnamed)
        assert.strictEqual(settings[`${role}Driver`], "bridge")
        const told = settingsFindings(settings).filter(({ found }) => found.includes("the bridge is spoken there"))
        assert.deepStrictEqual(told, [
          {
            status: "attention",
            found: `${variable("API_BASE_URL")} is set without ${variable("DRIVER")}: the bridge is spoken there, and in the next release ${driver}.`,
            remedy: `Set ${variable("DRIVER")} to bridge on every node, or to ${driver} where the address is that vendor's.`
          }
        ])
      }
      for (const named of [driver, "bridge"]) {
        const settings = yield* read({ ...address, [variable("DRIVER")]: named })
        assert.strictEqual(settings[`${role}Driver`], named)
        assert.deepStrictEqual(settings.assumedBridges, [])
      }
    }
  })
)

it.live("the start warns once of each role that speaks the bridge for want of a driver", () =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => dataFolder("carteiro-drivers-")),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    // The start ends at its database, after the warnings.
    const start = (env: Env) =>
      runProgram("main.ts", {
        DATABASE_URL: "postgres://nobody:x@127.0.0.1:1/none",
        CARTEIRO_DATA_DIR: folder,
        CARTEIRO_LOG: "warn",
        PORT: "0",
        ...env
      })
    const warnings = (stderr: string) =>
      stderr
        .split("\n")
        .filter((line) => line.includes("the bridge is spoken there"))
        .map((line) => JSON.parse(line))
        .map(({ do: remedy, level, msg }) => [level, msg, remedy])
    const addresses = {
      CARTEIRO_NUMPROV_API_BASE_URL: "https://numbers.example",
      CARTEIRO_SPEECHPROV1_API_BASE_URL: "https://speech.example"
    }
    const unnamed = yield* start(addresses)
    const named = yield* start({
      ...addresses,
      CARTEIRO_NUMPROV_DRIVER: "bridge",
      CARTEIRO_SPEECHPROV1_DRIVER: "openai"
    })
    const told = (role: string, driver: string) => [
      "warn",
      `CARTEIRO_${role}_API_BASE_URL is set without CARTEIRO_${role}_DRIVER: the bridge is spoken there, and in the next release ${driver}.`,
      `Set CARTEIRO_${role}_DRIVER to bridge on every node, or to ${driver} where the address is that vendor's.`
    ]
    assert.deepStrictEqual(warnings(unnamed.stderr), [told("NUMPROV", "telnyx"), told("SPEECHPROV1", "openai")])
    assert.deepStrictEqual(warnings(named.stderr), [])
    // Both starts came as far as their database.
    for (const { stderr } of [unnamed, named]) assert.match(stderr, /^DATABASE_URL: no PostgreSQL answers/m)
  }).pipe(Effect.scoped)
)
