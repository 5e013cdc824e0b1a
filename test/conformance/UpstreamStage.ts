import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import { makeUpstream } from "@carteiro/provider-upstream/Upstream.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startUpstream } from "@carteiro/simulators/upstream/Simulator.ts"
import { Effect, Exit, Redacted } from "effect"
import { assert } from "vitest"
import { overSockets } from "../support/Vendors.ts"
import { isDescribed } from "./vendor/Description.ts"
import { trafficFlaws } from "./vendor/Traffic.ts"

/** The simulated account, its number and the token that reaches both. */
export const simulated = {
  biz_account_id: "209876543210001",
  phone_number_id: "109876543210001",
  token: "simulated-token"
}

/** Long enough for any answer on a busy machine, and short enough to wait for one that never comes. */
const patience = { patientMs: 15_000, hastyMs: 400 }

/** A simulated platform and the adapter over sockets to it: as its customer, as a stranger to it, and in a hurry. */
export const platform = Effect.gen(function* () {
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startUpstream({
        now: vendorClock,
        appId: "app",
        appSecret: "secret",
        verifyToken: "verify",
        records: true,
        statusUnitMs: 0,
        reviewMs: 0
      })
    ),
    (started) => Effect.promise(() => started.close())
  )
  // What went over the wire in a test that passes is as the vendor describes it. U-SIM-02
  yield* Effect.addFinalizer((exit) =>
    Effect.sync(() => {
      if (isDescribed && Exit.isSuccess(exit)) assert.deepStrictEqual(trafficFlaws(simulator.log.read(0, null)), [])
    })
  )
  const { biz_account_id, phone_number_id, token } = simulated
  simulator.world.add({
    biz_account_id,
    token,
    subscribed: true,
    numbers: [{ id: phone_number_id, display_phone_number: "+5511900000001" }],
    templates: [
      { name: "welcome", language: "pt_BR", category: "UTILITY", body: 1 },
      { name: "promo", language: "pt_BR", category: "MARKETING", body: ["first_name"], header: "IMAGE" }
    ]
  })
  const adapter = (totalTimeoutMs: number, baseUrl: string = simulator.url) =>
    overSockets(
      makeUpstream(
        { url: operatorUrl(baseUrl), version: "v23.0", messagingProduct: "whatsapp", totalTimeoutMs },
        { id: "app", secrets: [Redacted.make("secret")] }
      )
    )
  const portsOf = (
    { chat, flows, health, media, templates }: Effect.Success<ReturnType<typeof adapter>>,
    by = token
  ) => {
    const number = { upstream_phone_number_id: phone_number_id, token: Redacted.make(by) }
    const account = { biz_account_id, token: Redacted.make(by) }
    return {
      chat: chat(number),
      media: media(number),
      health: health(number),
      templates: templates(account),
      flows: flows(account)
    }
  }
  const patient = yield* adapter(patience.patientMs)
  return {
    simulator,
    ...portsOf(patient),
    stranger: portsOf(patient, "unknown"),
    hasty: portsOf(yield* adapter(patience.hastyMs)),
    /** Nobody listens there. */
    nowhere: portsOf(yield* adapter(patience.patientMs, "http://127.0.0.1:1")),
    fault: (name: string, operation: string, value?: number) => {
      const unknown = simulator.faults.set(
        [{ name, operation, times: 1, ...(value === undefined ? {} : { value }) }],
        1
      )
      if (unknown.length > 0) throw new Error(`no such fault: ${unknown.join()}`)
    },
    /** A call of the wire itself. */
    wire: (method: string, path: string, body?: object, by = token) =>
      Effect.promise(async () => {
        const answer = await fetch(`${simulator.url}/v23.0${path}`, {
          method,
          headers: { authorization: `Bearer ${by}`, "content-type": "application/json" },
          body: body === undefined ? null : JSON.stringify(body)
        })
        return { status: answer.status, json: await answer.json() }
      })
  }
})
