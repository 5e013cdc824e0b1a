import { Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import type { NumberProvider } from "@carteiro/provider/NumberProvider.ts"
import type { SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import { makeNumprov } from "@carteiro/provider-numprov/Numprov.ts"
import { makeSpeech } from "@carteiro/provider-speech/Speech.ts"
import { Effect, Layer } from "effect"

/** The adapters of the bridge to one address, for the check of a bridge that someone writes. */
export interface BridgeAdapters {
  readonly numbers: NumberProvider
  readonly speech: SpeechProvider
}

/** Runs what needs the adapters; their connections end with it. */
export const withBridge = <A>(url: string, use: (adapters: BridgeAdapters) => Effect.Effect<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    const at = { url: operatorUrl(url) }
    return yield* use({ numbers: yield* makeNumprov(at), speech: yield* makeSpeech(at) })
  }).pipe(Effect.provide(Layer.provide(Calls.layer({ allowlist: new Set() }), NameResolver.layer)))
