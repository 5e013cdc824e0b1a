import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import { makeUpstream } from "@carteiro/provider-upstream/Upstream.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startUpstream } from "@carteiro/simulators/upstream/Simulator.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { overSockets } from "../support/Vendors.ts"

const phone = "+5511970000001"

/** A simulated platform, and the adapter over sockets. */
const stage = Effect.gen(function* () {
  const codes: Array<string> = []
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startUpstream({
        now: vendorClock,
        appId: "app",
        appSecret: "secret",
        verifyToken: "verify",
        statusUnitMs: 0,
        reviewMs: 0,
        sms: (to, text) => {
          assert.strictEqual(to, phone)
          codes.push(text.replace(/\D/g, ""))
        }
      })
    ),
    (running) => Effect.promise(() => running.close())
  )
  simulator.world.add({ biz_account_id: "2001", token: "token", numbers: [], templates: [] })
  const platform = yield* overSockets(
    makeUpstream({
      url: operatorUrl(simulator.url),
      version: "v23.0",
      messagingProduct: "whatsapp",
      totalTimeoutMs: 500
    })
  )
  const registrar = platform.registrar({ biz_account_id: "2001", token: Redacted.make("token") })
  return { codes, registrar, simulator }
})

const done = <A>(call: ChatCall<A>): A => {
  if (call._tag !== "Done") return assert.fail(JSON.stringify(call))
  return call.value
}

it.effect("a number is added, verified by the code of a text message, and registered under its pin", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { codes, registrar } = yield* stage
      assert.isNull(done(yield* registrar.find(phone)))
      const { upstream_phone_number_id: id } = done(yield* registrar.add({ phone, display_name: "Loja" }))
      const found = { upstream_phone_number_id: id, is_verified: false, is_registered: false }
      assert.deepStrictEqual(done(yield* registrar.find(phone)), found)
      assert.strictEqual((yield* registrar.add({ phone, display_name: "Loja" }))._tag, "Refused")
      assert.strictEqual((yield* registrar.register(id, "123456"))._tag, "Refused")
      done(yield* registrar.requestCode(id))
      assert.strictEqual((yield* registrar.verifyCode(id, "000000"))._tag, "Refused")
      done(yield* registrar.verifyCode(id, codes[0] ?? ""))
      // Registered again under the same pin it stays so; another pin is refused.
      for (let n = 0; n < 2; n++) done(yield* registrar.register(id, "123456"))
      assert.strictEqual((yield* registrar.register(id, "654321"))._tag, "Refused")
      assert.deepStrictEqual(done(yield* registrar.find(phone)), { ...found, is_verified: true, is_registered: true })
    })
  )
)

it.effect("a number is found under the platform's spelling without the ninth digit U-CON-08", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { registrar, simulator } = yield* stage
      simulator.world.addNumber("9101", "2001", "+55 11 7000-0001")
      assert.strictEqual(done(yield* registrar.find(phone))?.upstream_phone_number_id, "9101")
    })
  )
)

it.effect("a lost answer is no refusal, and a look-up finds the outcome", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { registrar, simulator } = yield* stage
      simulator.faults.set([{ name: "cut_registration", operation: "add", times: 1 }], undefined)
      assert.strictEqual((yield* registrar.add({ phone, display_name: "Loja" }))._tag, "Failed")
      const id = done(yield* registrar.find(phone))?.upstream_phone_number_id ?? ""
      simulator.faults.set([{ name: "fail_registration", operation: "request_code", times: 1 }], undefined)
      assert.strictEqual((yield* registrar.requestCode(id))._tag, "Failed")
      simulator.faults.set([{ name: "refuse_registration", operation: "request_code", times: 1 }], undefined)
      assert.strictEqual((yield* registrar.requestCode(id))._tag, "Refused")
    })
  )
)
