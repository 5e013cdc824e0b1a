import type { AgenticProvider } from "@carteiro/provider/payments/AgenticProvider.ts"
import type { PixProvider } from "@carteiro/provider/payments/PixProvider.ts"
import { pixWire } from "@carteiro/vendor-http/PixWire.ts"
import { makeVendorCalls } from "@carteiro/vendor-http/VendorCalls.ts"
import { Effect, type Scope } from "effect"
import { type AgenticOptions, makeAgentic } from "./Agentic.ts"

/** What Pix provider 1 offers. */
export interface Pixprov1 {
  /** Undefined without a base URL. */
  readonly pix: PixProvider | undefined
  readonly agentic: AgenticProvider
}

/** Pix provider 1 over HTTP, connections kept while the scope is open. gaps-3 G "pixprov1 and pixprov2 calls" */
export const makePixprov1 = (options: AgenticOptions): Effect.Effect<Pixprov1, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { baseUrl, ...rest } = options
    const calls = baseUrl === undefined ? undefined : yield* makeVendorCalls({ baseUrl, ...rest })
    return {
      pix: calls === undefined ? undefined : pixWire(calls, "/v1/charges", () => ({})),
      agentic: yield* makeAgentic(calls, options)
    }
  })
