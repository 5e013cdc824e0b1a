import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Calls } from "@carteiro/outbound/Calls.ts"
import { startElevenLabs } from "@carteiro/simulators/elevenlabs/Simulator.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startMercadopago } from "@carteiro/simulators/mercadopago/Simulator.ts"
import { startOpenAi } from "@carteiro/simulators/openai/Simulator.ts"
import { startTelnyx } from "@carteiro/simulators/telnyx/Simulator.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { simulatedBank } from "../support/PixApi.ts"
import { simulatedStripe, stripeKey } from "../support/StripeVendor.ts"
import { vendorCalls } from "../support/Vendors.ts"
import { runVendors, testedVendors } from "./Vendors.ts"

/** A simulated vendor, what its variable holds, and calls that reach it. */
interface Stage {
  readonly url: string
  readonly value: string
  readonly calls: Layer.Layer<Calls>
  /** How many orders the vendor's log shows. */
  readonly orders: () => number
}

interface Logged {
  readonly url: string
  readonly log: { readonly read: (after: number, kind: string) => ReadonlyArray<unknown> }
  readonly close: () => Promise<void>
}

const key = "TEST-key"

const keyed = (start: () => Promise<Logged>): Effect.Effect<Stage, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(Effect.promise(start), (running) => Effect.promise(() => running.close())),
    ({ log, url }) => ({
      url,
      value: key,
      calls: vendorCalls(),
      orders: () => log.read(0, "order").length
    })
  )

const bank: Effect.Effect<Stage, never, Scope.Scope> = Effect.gen(function* () {
  const { calls, credential, simulator } = yield* simulatedBank
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-vendors-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  const value = join(folder, "credential.json")
  writeFileSync(value, JSON.stringify(credential))
  return { url: "", value, calls, orders: () => simulator.log.read(0, "order").length }
})

const stages: Readonly<Record<string, Effect.Effect<Stage, never, Scope.Scope>>> = {
  stripe: Effect.map(simulatedStripe, ({ log, url }) => ({
    url,
    value: stripeKey,
    calls: vendorCalls(),
    orders: () => log.read(0, "order").length
  })),
  mercadopago: keyed(() => startMercadopago({ now: vendorClock, accounts: [{ key, webhook_secret: "secret" }] })),
  "pix-api": bank,
  telnyx: keyed(() => startTelnyx({ apiKey: key, webhookSecret: "secret", workMs: 0, now: vendorClock })),
  openai: keyed(() => startOpenAi({ apiKey: key, now: vendorClock })),
  elevenlabs: keyed(() => startElevenLabs({ apiKey: key, now: vendorClock }))
}

describe("The checks of vendors' test modes", () => {
  it.live.each(testedVendors)("hold at the simulator of $name", (vendor) =>
    Effect.gen(function* () {
      const stage = yield* stages[vendor.name] ?? Effect.die(`no simulator of ${vendor.name}`)
      const lines: Array<string> = []
      const run = runVendors([{ ...vendor, url: stage.url }], { [vendor.variable]: stage.value }, "chk_1", (line) =>
        lines.push(line)
      )
      assert.strictEqual(yield* Effect.provide(run, stage.calls), 0, lines.join("\n"))
      const [head, ...promises] = lines
      assert.strictEqual(head, `${vendor.name}:`)
      assert.isAtLeast(promises.length, 3)
      const leftOut = promises.filter((line) => line.startsWith("left out"))
      assert.strictEqual(leftOut.length, vendor.writes ? 0 : 1, lines.join("\n"))
      if (!vendor.writes) assert.strictEqual(stage.orders(), 0)
    }).pipe(Effect.scoped)
  )

  it.live("count each promise that a vendor breaks, with what was expected", () =>
    Effect.gen(function* () {
      const { calls, url } = yield* stages.elevenlabs ?? Effect.die("no simulator")
      const lines: Array<string> = []
      const vendors = testedVendors.filter(({ name }) => name === "elevenlabs").map((one) => ({ ...one, url }))
      const env = { CARTEIRO_TEST_ELEVENLABS_KEY: "another" }
      const run = runVendors(vendors, env, "chk_1", (line) => lines.push(line))
      assert.strictEqual(yield* Effect.provide(run, calls), 2)
      assert.deepStrictEqual(
        lines.map((line) => line.slice(0, 9).trim()),
        ["elevenlab", "ok", "BROKEN", "BROKEN"]
      )
      assert.include(lines.at(-1), "expected audio from the first call; the answer was ")
    }).pipe(Effect.scoped)
  )

  it.live("name each variable that is missing, and run nothing without it", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const run = runVendors(testedVendors, { CARTEIRO_TEST_OPENAI_KEY: "" }, "chk_1", (line) => lines.push(line))
      assert.strictEqual(yield* Effect.provide(run, vendorCalls()), 0)
      assert.deepStrictEqual(
        lines,
        testedVendors.map(({ name, variable }) => `${name}: nothing was run, because ${variable} is not set`)
      )
    })
  )

  it.live("refuse a key of Stripe that charges real cards, and a credential that is not there", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const env = { CARTEIRO_TEST_STRIPE_KEY: "sk_live_1", CARTEIRO_TEST_PIX_API_FILE: "/nowhere.json" }
      const vendors = testedVendors.filter(({ variable }) => variable in env)
      const run = runVendors(vendors, env, "chk_1", (line) => lines.push(line))
      assert.strictEqual(yield* Effect.provide(run, vendorCalls()), 2)
      assert.deepStrictEqual(lines, [
        "stripe: nothing was run; CARTEIRO_TEST_STRIPE_KEY: it is no key of the test mode: sk_test_… or rk_test_…",
        "pix-api: nothing was run; CARTEIRO_TEST_PIX_API_FILE: the file /nowhere.json does not exist"
      ])
    })
  )
})
