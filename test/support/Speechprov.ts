import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startSpeechprov } from "@carteiro/simulators/speechprov/Simulator.ts"
import { Effect } from "effect"

/** The key of the simulated vendors. */
export const speechKey = "speech-key"

/** A simulated vendor of speech while the scope is open. */
export const simulatedSpeechprov = (vendor: 1 | 2 | 3) =>
  Effect.acquireRelease(
    Effect.promise(() => startSpeechprov({ vendor, apiKey: speechKey, now: vendorClock, workMs: 0 })),
    (simulator) => Effect.promise(() => simulator.close())
  )
