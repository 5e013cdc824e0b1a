import { Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import type { NumberProvider } from "@carteiro/provider/NumberProvider.ts"
import type { AgenticProvider } from "@carteiro/provider/payments/AgenticProvider.ts"
import type { CardProvider } from "@carteiro/provider/payments/CardProvider.ts"
import type { ApprovingPix, PixProvider } from "@carteiro/provider/payments/PixProvider.ts"
import type { SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import { makeCardproc } from "@carteiro/provider-cardproc/Cardproc.ts"
import { makeNumprov } from "@carteiro/provider-numprov/Numprov.ts"
import { makePixprov1 } from "@carteiro/provider-pixprov1/Pixprov1.ts"
import { makePixprov2 } from "@carteiro/provider-pixprov2/Pixprov2.ts"
import { makeSpeech } from "@carteiro/provider-speech/Speech.ts"
import { Effect, Layer, type Redacted } from "effect"

/** The adapters of the bridge to one address, for the check of a bridge that someone writes. */
export interface BridgeAdapters {
  readonly numbers: NumberProvider
  readonly speech: SpeechProvider
  /** Makes the adapter of cards, whose key belongs to it. */
  readonly cards: (key: Redacted.Redacted) => Effect.Effect<CardProvider>
  readonly pixprov1: PixProvider
  readonly pixprov2: ApprovingPix
  readonly agentic: AgenticProvider
}

/** Runs what needs the adapters; their connections end with it. */
export const withBridge = <A>(url: string, use: (adapters: BridgeAdapters) => Effect.Effect<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    const at = { url: operatorUrl(url) }
    const calls = yield* Calls
    const { agentic, pix } = yield* makePixprov1(at)
    if (pix === undefined) return yield* Effect.die("Pix provider 1 has an address, and so takes payments")
    return yield* use({
      numbers: yield* makeNumprov(at),
      speech: yield* makeSpeech(at),
      cards: (apiKey) => Effect.provideService(makeCardproc({ ...at, apiKey }), Calls, calls),
      pixprov1: pix,
      pixprov2: yield* makePixprov2(at),
      agentic
    })
  }).pipe(Effect.provide(Layer.provide(Calls.layer({ allowlist: new Set() }), NameResolver.layer)))
