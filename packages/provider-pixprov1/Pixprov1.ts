import { Calls } from "@carteiro/outbound/Calls.ts"
import type { AgenticProvider } from "@carteiro/provider/payments/AgenticProvider.ts"
import type { PixProvider } from "@carteiro/provider/payments/PixProvider.ts"
import { pixWire } from "@carteiro/vendor-http/PixWire.ts"
import { makeVendorCalls } from "@carteiro/vendor-http/VendorCalls.ts"
import { Effect } from "effect"
import { type AgenticOptions, makeAgentic } from "./Agentic.ts"

/** The ports of Pix provider 1. */
export interface Pixprov1 {
  /** Undefined without a base URL. */
  readonly pix: PixProvider | undefined
  readonly agentic: AgenticProvider
}

/** Pix provider 1 over HTTP. gaps-3 G "pixprov1 and pixprov2 calls" */
export const makePixprov1 = (options: AgenticOptions): Effect.Effect<Pixprov1, never, Calls> =>
  Effect.gen(function* () {
    const { url, ...times } = options
    const standard = url === undefined ? undefined : yield* makeVendorCalls({ url, ...times })
    return {
      pix: standard === undefined ? undefined : pixWire(standard, "/v1/charges", () => ({})),
      agentic: makeAgentic(yield* Calls, standard, options)
    }
  })
