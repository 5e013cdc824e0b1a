import { Effect, Exit } from "effect"
import fc from "fast-check"
import type { ProviderAnswer, ReceiverAnswer } from "./Outside.ts"
import { type OwnersModel, readOn } from "./OwnersModel.ts"
import { fence, listenTo, type OwnersRun, patch, send } from "./OwnersRun.ts"
import { day, hour, minute, second } from "./World.ts"

/** The real thing as commands meet it. */
export interface Real {
  readonly run: OwnersRun
  /** Epoch milliseconds of virtual time. */
  readonly now: () => number
  readonly go: (effect: Effect.Effect<unknown>) => Promise<void>
}

type Command = fc.AsyncCommand<OwnersModel, Real>

const command = (
  name: string,
  act: (model: OwnersModel, real: Real) => Effect.Effect<unknown>,
  may: (model: OwnersModel) => boolean = () => true
): Command => ({ check: may, run: (model, real) => real.go(act(model, real)), toString: () => name })

const customers = ["5511911111111", "5511922222222"] as const
const customer = fc.constantFrom(...customers)
const nth = fc.nat(2)

/** Customers who have written: sends to them are accepted until a day has passed. */
export const begin = (run: OwnersRun, model: OwnersModel, now: number) =>
  Effect.forEach(customers, (customer) => {
    model.heardAt.set(customer, now)
    return run.nodes.on(listenTo(run, customer, "oi"))
  })

const hearing = fc
  .record({ customer, text: fc.constantFrom("oi", "STOP", "start", "start") })
  .map(({ customer, text }) =>
    command(`${customer} says ${text}`, (model, { now, run }) =>
      Effect.map(Effect.orDie(run.nodes.on(listenTo(run, customer, text))), () => {
        model.heardAt.set(customer, now())
        if (text === "STOP") model.out.add(customer)
        if (text === "start") model.out.delete(customer)
      })
    )
  )

const sending = fc
  .record({
    customer,
    key: fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
    copies: fc.integer({ min: 1, max: 12 })
  })
  .map(({ copies, customer, key: name }) =>
    command(`send ${copies} to ${customer} under ${name}`, (model, { now, run }) => {
      // A key belongs to one request; the same key to another customer would be another request.
      const key = name && `${name} ${customer}`
      return Effect.map(
        Effect.suspend(() => {
          const one = Effect.exit(send(run, customer, key))
          return run.nodes.on(
            Effect.all(
              Array.from({ length: copies }, () => one),
              { concurrency: "unbounded" }
            )
          )
        }),
        (exits) => {
          const replays = model.replays(key, now())
          const expected = replays === true ? undefined : model.refusal(customer, now())
          if (replays === "either" || expected === "either") return
          for (const exit of exits) {
            if (Exit.isFailure(exit) && copies > 1 && isInProgress(exit)) continue
            model.sent(exit, key, expected, now())
          }
        }
      )
    })
  )

/** Several requests under one key at once: those that come while the first runs are told so. */
const isInProgress = (exit: Exit.Failure<unknown, { readonly _tag: string }>): boolean =>
  exit.cause.reasons.some((reason) => reason._tag === "Fail" && reason.error._tag === "idempotency_key_in_progress")

const outages = fc
  .record({ nth, mode: fc.constantFrom<ReceiverAnswer>("up", "down", "flaky", "gone") })
  .map(({ mode, nth }) =>
    command(`receiver ${nth} is ${mode}`, (model, { run }) =>
      Effect.sync(() => {
        if (mode !== "up") model.disturbed.add(nth)
        run.outside.receivers.set(run.endpoints[nth]?.url ?? "", mode)
      })
    )
  )

const patches = fc
  .record({ nth, status: fc.constantFrom("active" as const, "disabled" as const) })
  .map(({ nth, status }) =>
    command(`endpoint ${nth} is set ${status}`, (model, { run }) => {
      if (status === "disabled") model.disturbed.add(nth)
      return Effect.orDie(run.nodes.on(patch(run, nth, status)))
    })
  )

const providers = fc.constantFrom<ProviderAnswer>("accepts", "rejects", "loses", "mixed").map((mode) =>
  command(`the provider ${mode}`, (_model, { run }) =>
    Effect.sync(() => {
      run.outside.provider = mode
    })
  )
)

const turns = fc
  .constantFrom(second, 10 * second, minute, 5 * minute, hour, 5 * hour, day)
  .map((millis) => command(`${millis} ms pass`, (_model, { run }) => run.nodes.turn(millis)))

const reads = fc
  .integer({ min: 1, max: 20 })
  .map((limit) => command(`read ${limit}`, (model, { run }) => Effect.orDie(readOn(run, model, limit))))

const fences = fc.constant(command("the shards are lost", (_model, { run }) => run.nodes.on(fence)))

/** The node stops while sends are on their way: what was answered holds, what was not may have happened. */
const stops = fc
  .record({ customer, copies: fc.integer({ min: 0, max: 6 }), after: fc.integer({ min: 0, max: 40 }) })
  .map(({ after, copies, customer }) =>
    command(`the node stops ${after} turns into ${copies} sends to ${customer}`, (model, { run }) =>
      Effect.gen(function* () {
        const told: Array<Exit.Exit<string, { readonly _tag: string }>> = []
        const one = Effect.map(Effect.exit(send(run, customer, undefined)), (exit) => void told.push(exit))
        const all = Effect.all(
          Array.from({ length: copies }, () => one),
          { concurrency: "unbounded" }
        )
        yield* run.nodes.stopDuring(all, after)
        for (const exit of told) {
          if (Exit.isSuccess(exit)) model.accepted.add((JSON.parse(exit.value) as { readonly id: string }).id)
        }
      })
    )
  )

/** Schedules of at most fifteen commands. */
export const commands = fc.commands(
  [hearing, hearing, sending, sending, sending, outages, patches, providers, turns, turns, reads, fences, stops],
  { maxCommands: 15, size: "max" }
)
