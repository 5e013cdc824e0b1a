import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { numprovSimulator } from "@carteiro/runtime/boot/simulators/NumprovSimulator.ts"
import { parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startTelnyx } from "@carteiro/simulators/telnyx/Simulator.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"

it.live("the simulator of the number provider speaks its driver's wire, and its notices are verified", () =>
  Effect.gen(function* () {
    const env = { CARTEIRO_NUMPROV_DRIVER: "telnyx" }
    const settings = yield* Effect.provide(
      readSettings,
      ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true }))
    )
    const keys = Redacted.make(parseMasterKeys("7".repeat(64)) ?? assert.fail("no key"))
    const simulator = yield* Effect.acquireRelease(
      Effect.promise(() => startTelnyx({ apiKey: "ours", webhookSecret: "demo", workMs: 0, now: vendorClock })),
      (running) => Effect.promise(() => running.close())
    )
    assert.strictEqual(numprovSimulator.program?.(settings), "telnyx")
    const { numprovWebhookSecret } = numprovSimulator.settings(settings, keys, simulator.url)
    assert.strictEqual(numprovWebhookSecret && Redacted.value(numprovWebhookSecret), simulator.publicKey)
  }).pipe(Effect.scoped)
)
