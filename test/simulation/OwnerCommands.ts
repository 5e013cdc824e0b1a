import { type Scenario, scenarios } from "@carteiro/runtime/messages/sandbox/SandboxScenario.ts"
import { Effect } from "effect"
import fc from "fast-check"
import type { ProviderAnswer, ReceiverAnswer } from "./Outside.ts"
import type { OwnersModel } from "./OwnersModel.ts"
import { type OwnersRun, patch } from "./OwnersRun.ts"
import { day, hour, minute, second } from "./World.ts"

/** The real thing as commands meet it. */
export interface Real {
  readonly run: OwnersRun
  readonly go: (effect: Effect.Effect<unknown>) => Promise<void>
}

/** One command of a schedule. */
export type Step = fc.AsyncCommand<OwnersModel, Real>

const command = (name: string, act: (model: OwnersModel, run: OwnersRun) => Effect.Effect<unknown>): Step => ({
  check: () => true,
  run: (model, { go, run }) => go(Effect.andThen(act(model, run), model.fine)),
  toString: () => name
})

export const customers = ["5511911111111", "5511922222222"] as const
const customer = fc.constantFrom(...customers)
const nth = fc.nat(2)

const hearing = fc
  .record({ customer, text: fc.constantFrom("oi", "STOP", "start", "start") })
  .map(({ customer, text }) => command(`${customer} says ${text}`, (model) => model.hears(customer, text)))

const storms = fc
  .record({ customer, times: fc.integer({ min: 5, max: 30 }) })
  .map(({ customer, times }) =>
    command(`${customer} writes ${times} times`, (model) => model.hears(customer, "oi", times))
  )

// A key belongs to one request; the same key to another customer would be another request.
const keyOf = (name: string | undefined, customer: string) => name && `${name} ${customer}`

const ofOtherTypes: ReadonlySet<Scenario> = new Set(["template_rejected", "flow_completed"])

const sending = fc
  .record({
    customer,
    name: fc.constantFrom(undefined, undefined, undefined, "a", "b"),
    copies: fc.integer({ min: 1, max: 12 }),
    scenario: fc.constantFrom<Scenario>("success", "success", ...scenarios.filter((name) => !ofOtherTypes.has(name))),
    waits: fc.boolean()
  })
  .map(({ copies, customer, name, scenario, waits }) =>
    command(`send ${copies} to ${customer} under ${name ?? scenario}${waits ? "" : " and do not wait"}`, (model, run) =>
      Effect.gen(function* () {
        const key = keyOf(name, customer)
        const plays = name === undefined && run.environment.kind === "sandbox" ? scenario : "success"
        const calls = yield* Effect.replicateEffect(model.sendsTo(customer, key, plays), copies)
        if (waits) for (const call of calls) yield* run.nodes.wait(call)
      })
    )
  )

const outages = fc
  .record({ nth, mode: fc.constantFrom<ReceiverAnswer>("up", "down", "down", "flaky", "slow", "gone") })
  .map(({ mode, nth }) =>
    command(`receiver ${nth} is ${mode}`, (model, run) =>
      Effect.sync(() => {
        if (mode !== "up") model.disturbed.add(nth)
        run.outside.receivers.set(run.endpoints[nth]?.url ?? "", mode)
      })
    )
  )

const patches = fc
  .record({
    nth,
    status: fc.constantFrom("active" as const, "active" as const, "active" as const, "disabled" as const)
  })
  .map(({ nth, status }) =>
    command(`endpoint ${nth} is set ${status}`, (model, run) => {
      if (status === "disabled") model.disturbed.add(nth)
      return Effect.orDie(Effect.retry(run.nodes.on(patch(run, nth, status)), { times: 20 }))
    })
  )

const providers = fc
  .constantFrom<ProviderAnswer>("accepts", "rejects", "busy", "loses", "mixed")
  .map((mode) =>
    command(`the provider ${mode}`, (_model, run) => Effect.sync(() => run.outside.answers(mode, run.course.now)))
  )

const turns = fc
  .constantFrom(second, second, 10 * second, 10 * second, minute, minute, 10 * minute, hour, 5 * hour, day)
  .map((millis) => command(`${millis / second} s pass`, (_model, run) => run.nodes.turn(millis)))

const fences = fc.constant(command("the shards are lost", (model) => model.losesShards))

/** So many things after what was done last, the node goes. */
const ends = fc.record({ after: fc.integer({ min: 0, max: 40 }), orderly: fc.boolean() }).map(({ after, orderly }) =>
  command(`${orderly ? "the node stops" : "another node takes over"} after ${after}`, (model, run) =>
    Effect.gen(function* () {
      yield* run.nodes.few(after)
      model.upset(true)
      yield* orderly ? run.nodes.stop : run.nodes.takeOver
    })
  )
)

const wakes = fc.constant(
  command("a node wakes whose place was taken", (model, run) =>
    Effect.sync(() => {
      model.upset(true)
      run.nodes.wake()
    })
  )
)

const farewells = fc.constant(
  command("nodes whose place was taken end", (model, run) =>
    Effect.suspend(() => {
      model.upset(true)
      return run.nodes.endFormer
    })
  )
)

const troubles = fc
  .oneof(
    fc.record({ losses: fc.integer({ min: 1, max: 20 }), slowness: fc.constant(0) }),
    fc.record({ losses: fc.constant(0), slowness: fc.constantFrom(0, 30, 500) })
  )
  .map(({ losses, slowness }) =>
    command(`the database loses ${losses} and takes ${slowness} ms`, (model, run) =>
      Effect.sync(() => {
        model.upset()
        Object.assign(run.nodes.trouble, { losses, slowness })
        model.sends.slow = slowness >= 500
      })
    )
  )

const reads = fc.integer({ min: 1, max: 20 }).map((limit) => command(`read ${limit}`, (model) => model.reads(limit)))

const polls = fc
  .record({ limit: fc.integer({ min: 1, max: 20 }), millis: fc.constantFrom(second, 10 * second, 25 * second) })
  .map(({ limit, millis }) => command(`poll ${limit} for ${millis} ms`, (model) => model.polls(limit, millis)))

const key = fc.nat(1)

/** What only keys of production can do. */
const inProduction = (name: string, act: (model: OwnersModel) => Effect.Effect<unknown>): Step =>
  command(name, (model, run) => (run.environment.kind === "production" ? act(model) : Effect.void))

const opens = fc
  .record({ key, ttl: fc.constantFrom(20, 60, 300, 3600) })
  .map(({ key, ttl }) => inProduction(`key ${key} listens for ${ttl} s`, (model) => model.opens(key, ttl)))

const closings = fc.oneof(
  key.map((key) => inProduction(`key ${key} ends the session`, (model) => model.ends(key))),
  key.map((key) => inProduction(`key ${key} is revoked`, (model) => model.revokes(key)))
)

/** Schedules of at most thirty commands. */
export const commands = fc.commands(
  [
    ...[hearing, storms, storms, sending, sending, sending, sending, outages, outages, patches, patches, providers],
    ...[turns, turns, turns, turns, fences, ends, wakes, farewells, troubles, reads, polls, opens, opens, closings]
  ],
  { maxCommands: 30, size: "max" }
)
