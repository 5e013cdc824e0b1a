import { telnyxWebhooks } from "@carteiro/provider-telnyx/TelnyxWebhooks.ts"
import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { numprovSimulator } from "@carteiro/runtime/boot/simulators/NumprovSimulator.ts"
import { startSimulators } from "@carteiro/runtime/boot/simulators/SimulatorProcess.ts"
import { parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { startReceiver } from "../support/VendorReceiver.ts"

it.live(
  "the simulator of the number provider speaks its driver's wire, and its notices are verified by the key that it tells",
  () =>
    Effect.gen(function* () {
      const settings = yield* Effect.provide(readSettings, ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} })))
      const keys = Redacted.make(parseMasterKeys("7".repeat(64)) ?? assert.fail("no key"))
      const name = numprovSimulator.program?.(settings) ?? assert.fail("no program")
      assert.strictEqual(name, "telnyx")
      const environment = numprovSimulator.environment(settings, keys, undefined)
      const [simulator] = yield* startSimulators([{ name, options: numprovSimulator.options(settings) }], environment)
      const { facts, url } = simulator ?? assert.fail("no simulator")
      const { numprovWebhookSecret = assert.fail("no secret"), ...agreed } = numprovSimulator.settings(
        settings,
        keys,
        url,
        facts
      )
      assert.strictEqual(agreed.numprovApiBaseUrl, url)

      const receiver = yield* startReceiver
      const control = (path: string, body: object) =>
        Effect.promise(() => fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body) }))
      yield* control("/webhook-url", { url: receiver.url })
      yield* control("/accounts", { key: "k", id: "acc_1", numbers: [{ number_id: "n1", number: "+5511930000000" }] })
      yield* control("/sms", { to: "+5511930000000", text: "123-456" })
      const [{ at, body, headers } = assert.fail("no notice")] = yield* receiver.heard(1)
      assert.isTrue(telnyxWebhooks.isSigned(headers, body, [numprovWebhookSecret], at))
      const other = numprovSimulator.environment(
        settings,
        Redacted.make(parseMasterKeys("8".repeat(64)) ?? assert.fail("no key")),
        undefined
      )
      assert.notStrictEqual(other.CARTEIRO_NUMPROV_WEBHOOK_SECRET, environment.CARTEIRO_NUMPROV_WEBHOOK_SECRET)
    }).pipe(Effect.scoped)
)
