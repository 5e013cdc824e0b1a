import { Calls } from "@carteiro/outbound/Calls.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Random } from "effect"
import { runVendors, testedVendors } from "./Vendors.ts"

/** `npm run test:vendors`: the checks of the ports against the vendors' own test modes. docs/testing.md */
const main = Effect.gen(function* () {
  const { log } = yield* Console.Console
  const id = `chk_${(yield* Random.nextIntBetween(0, 2 ** 40)).toString(36).padStart(8, "0")}`
  const broken = yield* runVendors(testedVendors, process.env, id, log)
  if (broken > 0) process.exitCode = 1
}).pipe(Effect.provide(Layer.provide(Calls.layer({ allowlist: new Set() }), NameResolver.layer)))

NodeRuntime.runMain(main)
