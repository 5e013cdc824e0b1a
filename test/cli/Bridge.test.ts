import { type BridgeAdapters, withBridge } from "@carteiro/runtime/app/BridgeAdapters.ts"
import { agenticChecks } from "@carteiro/runtime/cli/bridge/AgenticChecks.ts"
import { type BridgeCheck, runChecks } from "@carteiro/runtime/cli/bridge/BridgeCheck.ts"
import { cardChecks } from "@carteiro/runtime/cli/bridge/CardChecks.ts"
import { numberChecks } from "@carteiro/runtime/cli/bridge/NumberChecks.ts"
import { pixChecks } from "@carteiro/runtime/cli/bridge/PixChecks.ts"
import { speechChecks } from "@carteiro/runtime/cli/bridge/SpeechChecks.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startNumprov } from "@carteiro/simulators/numprov/Simulator.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, type Scope } from "effect"
import { cardprocKey, simulatedCardproc } from "../support/Cardproc.ts"
import { simulatedPix } from "../support/Pix.ts"
import { simulatedSpeechprov, speechKey } from "../support/Speechprov.ts"
import { flaws } from "./BridgeFlaws.ts"
import { type Flaw, flawedBridge } from "./FlawedBridge.ts"

const simulatedNumprov = Effect.acquireRelease(
  Effect.promise(() => startNumprov({ apiKey: "ours", webhookSecret: "secret", workMs: 0, now: vendorClock })),
  (running) => Effect.promise(() => running.close())
)

const id = "chk_1"
const pixKey = Redacted.make("merchant-key")

/** A role of the protocol: a bridge that keeps it, and its checks. */
interface Role {
  readonly name: keyof typeof flaws
  readonly simulated: Effect.Effect<{ readonly url: string }, never, Scope.Scope>
  readonly checks: (adapters: BridgeAdapters) => Effect.Effect<ReadonlyArray<BridgeCheck>>
  /** False for a role whose refusals are seen by calls that would make something. */
  readonly readsByGet: boolean
}

const roles: ReadonlyArray<Role> = [
  {
    name: "numprov",
    simulated: simulatedNumprov,
    checks: ({ numbers }) => Effect.succeed(numberChecks(numbers, { key: Redacted.make("ours"), ddd: "11", id })),
    readsByGet: true
  },
  {
    name: "speechprov1",
    simulated: simulatedSpeechprov(1),
    checks: ({ speech }) =>
      Effect.succeed(speechChecks(speech, { key: speechKey, voice: "ana", id, transcribes: true })),
    readsByGet: false
  },
  {
    name: "cardproc",
    simulated: simulatedCardproc,
    checks: ({ cards }) =>
      Effect.gen(function* () {
        return cardChecks({
          own: yield* cards(Redacted.make(cardprocKey)),
          stranger: yield* cards(Redacted.make("another")),
          id,
          card: "pm_card_ok",
          declined: "pm_card_declined",
          authenticated: "pm_card_authentication"
        })
      }),
    readsByGet: true
  },
  {
    name: "pixprov1",
    simulated: simulatedPix("pixprov1"),
    checks: ({ agentic, pixprov1 }) =>
      Effect.succeed([
        ...pixChecks(pixprov1, { key: pixKey, id, modes: ["hosted_checkout"] }),
        ...agenticChecks(agentic, { key: pixKey, id, participant: "part_1", agent: "agent_1" })
      ]),
    readsByGet: true
  },
  {
    name: "pixprov2",
    simulated: simulatedPix("pixprov2"),
    checks: ({ pixprov2 }) =>
      Effect.succeed(pixChecks(pixprov2, { key: pixKey, id, modes: ["hosted_checkout", "transparent_pix"] })),
    readsByGet: true
  }
]

const checked = (url: string, { checks }: Role, writes: boolean, promise?: string) =>
  withBridge(url, (adapters) =>
    Effect.flatMap(checks(adapters), (all) =>
      runChecks(
        all.filter((one) => promise === undefined || one.promise === promise),
        writes
      )
    )
  )

describe.each(roles)("the check of a bridge of $name", (role) => {
  const unkept = (results: ReadonlyArray<{ readonly status: string }>) =>
    results.filter(({ status }) => status !== "kept")

  it.live("finds that a bridge keeps all promises, and makes nothing without --write", () =>
    Effect.gen(function* () {
      const { url } = yield* role.simulated
      const bridge = yield* flawedBridge(url)
      const read = yield* checked(bridge.url, role, false)
      assert.deepStrictEqual(
        unkept(read).map(({ status }) => status),
        read.slice(read.length - unkept(read).length).map(() => "left_out")
      )
      assert.isNotEmpty(unkept(read))
      assert.strictEqual(
        bridge.received.every(({ method }) => method === "GET"),
        role.readsByGet
      )
      assert.deepStrictEqual(unkept(yield* checked(bridge.url, role, true)), [])
    }).pipe(Effect.scoped)
  )

  it.live("says of each promise what was expected and what came, where a bridge breaks it", () =>
    Effect.gen(function* () {
      const { url } = yield* role.simulated
      const promises = yield* Effect.map(
        withBridge(url, (adapters) => role.checks(adapters)),
        (all) => all.map(({ promise }) => promise)
      )
      const table: Readonly<Record<string, ReadonlyArray<readonly [Flaw, string]>>> = flaws[role.name]
      assert.deepStrictEqual(Object.keys(table), promises)
      for (const promise of promises) {
        for (const [flaw, problem] of table[promise] ?? []) {
          // Each flaw meets a bridge that has made nothing yet.
          const results = yield* Effect.scoped(
            Effect.gen(function* () {
              const bridge = yield* flawedBridge((yield* role.simulated).url, flaw)
              return yield* checked(bridge.url, role, true, promise)
            })
          )
          assert.deepStrictEqual(
            results.map(({ problem: seen, status }) => [status, seen?.slice(0, problem.length)]),
            [["broken", problem]],
            promise
          )
        }
      }
    }).pipe(Effect.scoped)
  )
})

describe("the check of a bridge of speech", () => {
  it.live("takes the audio whichever way it comes", () =>
    Effect.gen(function* () {
      for (const vendor of [1, 2, 3] as const) {
        const { url } = yield* simulatedSpeechprov(vendor)
        const results = yield* withBridge(url, ({ speech }) =>
          runChecks(speechChecks(speech, { key: speechKey, voice: "ana", id, transcribes: false }), true)
        )
        assert.deepStrictEqual(
          results.map(({ status }) => status),
          ["kept", "kept", "kept"]
        )
      }
    }).pipe(Effect.scoped)
  )
})
