import { rmSync } from "node:fs"
import { provePaymentKeys } from "@carteiro/runtime/app/CredentialProofs.ts"
import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { pixApiSimulator } from "@carteiro/runtime/boot/simulators/PixApiSimulator.ts"
import { startSimulators } from "@carteiro/runtime/boot/simulators/SimulatorProcess.ts"
import { parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { dataFolder } from "../support/RunFolder.ts"
import { until } from "../support/Until.ts"

type Env = Readonly<Record<string, string>>

const read = (env: Env) =>
  Effect.provide(readSettings, ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true })))

const keys = Redacted.make(parseMasterKeys("7".repeat(64)) ?? assert.fail("no key"))

it.live("the simulated institution has the service's own account where its driver is pix-api, for every node", () =>
  Effect.gen(function* () {
    const dataDir = yield* Effect.acquireRelease(
      Effect.sync(() => dataFolder("carteiro-pix-api-")),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const env = { CARTEIRO_DATA_DIR: dataDir, CARTEIRO_PIXPROV2_DRIVER: "pix-api" }
    const settings = yield* read(env)
    const options = pixApiSimulator.options(settings)
    const [simulator] = yield* startSimulators([{ name: "pix-api", options }], {})
    const { facts, tell, url } = simulator ?? assert.fail("no simulator")
    const present = { ...settings, ...pixApiSimulator.settings(settings, keys, url, facts) }
    const proofs = Effect.map(provePaymentKeys(present), (all) => all.map(({ proof }) => proof))
    assert.deepStrictEqual(yield* proofs, ["refused"])
    tell(pixApiSimulator.begins?.(keys, () => undefined, present) ?? {})
    assert.strictEqual(present.pixprov2ApiBaseUrl, url)
    yield* until(Effect.map(proofs, ([proof]) => proof === "accepted"))
    // A node that is started with the environment has the same account.
    const other = yield* read({ ...env, ...pixApiSimulator.environment(present, keys, url) })
    assert.deepStrictEqual(
      (yield* provePaymentKeys(other)).map(({ proof }) => proof),
      ["accepted"]
    )
    const webhookSecret = ({ pixprov2PlatformWebhookSecret: secret }: typeof other) => secret && Redacted.value(secret)
    assert.isString(webhookSecret(other))
    assert.strictEqual(webhookSecret(other), webhookSecret(present))
    // Another driver, or an address, leaves that account alone.
    for (const more of [
      { CARTEIRO_PIXPROV2_DRIVER: "mercadopago" },
      { CARTEIRO_PIXPROV2_API_BASE_URL: "https://bank.example" }
    ]) {
      const apart = yield* read({ ...env, ...more })
      assert.deepStrictEqual(Object.keys(pixApiSimulator.settings(apart, keys, url, facts)), ["pixApiSimulatorUrl"])
      assert.deepStrictEqual(Object.keys(pixApiSimulator.environment(apart, keys, url)), [
        "CARTEIRO_PIX_API_SIMULATOR_URL"
      ])
    }
  }).pipe(Effect.scoped)
)
