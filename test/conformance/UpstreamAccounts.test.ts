import type { FlowProvider } from "@carteiro/provider/FlowProvider.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { platform, simulated } from "./UpstreamStage.ts"

const flow = (external_id: string) => ({ external_id, name: "Agendamento", categories: ["APPOINTMENT_BOOKING"] })
const screens = { version: "7.1", screens: [{ id: "START" }] }

const made = Effect.fnUntraced(function* (flows: FlowProvider, external_id: string) {
  const answer = yield* flows.create(flow(external_id))
  if (answer._tag !== "Done") throw new Error(`${external_id}: ${answer._tag}`)
  return answer.value.provider_flow_id
})

const lost = ["reset_before", "reset_after", "error_500", "malformed"] as const

it.live(
  'a flow is made, defined, published and deprecated; a draft alone is removed gaps-2 E "Who calls the upstream"',
  () =>
    Effect.gen(function* () {
      const { flows } = yield* platform
      const id = yield* made(flows, "flow_1")
      const read = Effect.map(flows.read(id), (answer) => (answer._tag === "Done" ? answer.value : answer))
      assert.deepStrictEqual(yield* read, { status: "draft", validation_errors: [] })
      assert.deepStrictEqual(yield* flows.upload(id, { version: "7.1", screens: [] }), {
        _tag: "Done",
        value: { validation_errors: ["A flow needs a screen."] }
      })
      assert.deepStrictEqual(yield* read, { status: "draft", validation_errors: ["A flow needs a screen."] })
      assert.strictEqual((yield* flows.publish(id))._tag, "Refused")
      assert.deepStrictEqual(yield* flows.upload(id, screens), { _tag: "Done", value: { validation_errors: [] } })
      assert.strictEqual((yield* flows.publish(id))._tag, "Done")
      assert.deepStrictEqual(yield* read, { status: "published", validation_errors: [] })
      assert.strictEqual((yield* flows.publish(id))._tag, "Refused")
      assert.strictEqual((yield* flows.remove(id))._tag, "Refused")
      assert.strictEqual((yield* flows.deprecate(id))._tag, "Done")
      assert.strictEqual((yield* flows.deprecate(id))._tag, "Refused")
      assert.deepInclude(yield* read, { status: "deprecated" })
      const draft = yield* made(flows, "flow_2")
      assert.strictEqual((yield* flows.remove(draft))._tag, "Done")
      assert.strictEqual((yield* flows.read(draft))._tag, "Refused")
    }).pipe(Effect.scoped)
)

it.live(
  "a flow requested twice is created once, and one whose answer was lost is found by the name that has our id U-FLW-01",
  () =>
    Effect.gen(function* () {
      const { fault, flows, simulator } = yield* platform
      const id = yield* made(flows, "flow_1")
      assert.strictEqual(yield* made(flows, "flow_1"), id)
      const found = (external_id: string) =>
        Effect.map(flows.find(external_id), (answer) =>
          answer._tag === "Done" ? answer.value.provider_flow_id : answer._tag
        )
      assert.strictEqual(yield* found("flow_1"), id)
      assert.isNull(yield* found("flow_2"))
      for (const name of ["reset_before", "error_500"]) {
        fault(name, "flows")
        assert.strictEqual((yield* flows.create(flow("flow_2")))._tag, "Failed", name)
      }
      assert.isNull(yield* found("flow_2"))
      for (const name of ["reset_after", "malformed"]) {
        fault(name, "flows")
        assert.strictEqual((yield* flows.create(flow(name)))._tag, "Failed", name)
        assert.isString(yield* found(name))
      }
      assert.strictEqual(simulator.world.flows.size, 3)
      assert.deepStrictEqual(
        [...simulator.world.flows.values()].map(({ categories, name }) => [name, categories]),
        ["flow_1", "reset_after", "malformed"].map((one) => [`Agendamento ${one}`, ["APPOINTMENT_BOOKING"]])
      )
    }).pipe(Effect.scoped)
)

it.live('calls about flows that are refused, lost or late are told apart gaps-2 E "Retry policy"', () =>
  Effect.gen(function* () {
    const { fault, flows, hasty, nowhere, stranger } = yield* platform
    const id = yield* made(flows, "flow_1")
    const calls = (port: FlowProvider) => ({
      create: port.create(flow("flow_2")),
      find: port.find("flow_1"),
      upload: port.upload(id, screens),
      publish: port.publish(id),
      read: port.read(id)
    })
    for (const [name, call] of Object.entries(calls(flows))) {
      fault("refuse", "flows", 131031)
      assert.deepInclude(yield* call, { _tag: "Refused", code: "upstream_business_account_locked" }, name)
      fault("refuse", "flows", 80007)
      assert.strictEqual((yield* call)._tag, "Failed", name)
    }
    for (const [name, call] of Object.entries(calls(stranger.flows))) {
      assert.deepInclude(yield* call, { _tag: "Refused", code: "provider_connection_unauthorized" }, name)
    }
    for (const name of lost) {
      fault(name, "flows")
      assert.strictEqual((yield* flows.read(id))._tag, "Failed", name)
    }
    fault("timeout_before", "flows")
    assert.strictEqual((yield* hasty.flows.read(id))._tag, "Failed")
    assert.deepStrictEqual(yield* nowhere.flows.read(id), { _tag: "Failed", error: null })
    assert.strictEqual((yield* flows.read("404"))._tag, "Refused")
  }).pipe(Effect.scoped)
)

it.live('the health of a number is read in the platform\'s words and in ours U-LIM-01 gaps-2 K "Health sweep"', () =>
  Effect.gen(function* () {
    const { health, simulator } = yield* platform
    assert.deepStrictEqual(yield* health.read, {
      _tag: "Done",
      value: {
        verified_name: "Demo",
        quality_rating: "green",
        upstream_quality_rating: "GREEN",
        messaging_limit_tier: "TIER_2K",
        is_portfolio_limit: true,
        upstream_throughput_tier: "2",
        pending_name: null,
        name_status: "APPROVED",
        is_registered: true,
        is_on_phone_app: false
      }
    })
    const number = simulator.world.numbers.get(simulated.phone_number_id)
    assert.isDefined(number)
    Object.assign(number ?? {}, {
      quality_rating: "RED",
      messaging_limit_tier: "TIER_UNLIMITED",
      throughput: "HIGH",
      verified_name: "",
      name_status: "PENDING_REVIEW"
    })
    const answer = yield* health.read
    assert.deepInclude(answer._tag === "Done" ? answer.value : {}, {
      verified_name: null,
      quality_rating: "red",
      messaging_limit_tier: "TIER_UNLIMITED",
      upstream_throughput_tier: "unlimited",
      name_status: "PENDING_REVIEW"
    })
    Object.assign(number ?? {}, { quality_rating: "UNKNOWN", throughput: "NOT_APPLICABLE" })
    const unknown = yield* health.read
    assert.deepInclude(unknown._tag === "Done" ? unknown.value : {}, {
      quality_rating: "unknown",
      upstream_throughput_tier: null
    })
  }).pipe(Effect.scoped)
)

it.live("a number that the token may not read is distinguished from one without a response", () =>
  Effect.gen(function* () {
    const { fault, hasty, health, nowhere, stranger, wire } = yield* platform
    assert.deepInclude(yield* stranger.health.read, { _tag: "Refused", code: "provider_connection_unauthorized" })
    fault("refuse", "numbers", 133010)
    assert.deepInclude(yield* health.read, { _tag: "Refused", code: "upstream_registration_required" })
    for (const name of lost) {
      fault(name, "numbers")
      assert.strictEqual((yield* health.read)._tag, "Failed", name)
    }
    fault("timeout_before", "numbers")
    assert.strictEqual((yield* hasty.health.read)._tag, "Failed")
    assert.strictEqual((yield* nowhere.health.read)._tag, "Failed")
    const { json } = yield* wire("GET", `/${simulated.phone_number_id}?fields=id,throughput`)
    assert.deepInclude(json, { id: simulated.phone_number_id, throughput: { level: "STANDARD" } })
  }).pipe(Effect.scoped)
)
