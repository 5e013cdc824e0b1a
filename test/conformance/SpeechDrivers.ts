import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import { makeElevenLabs } from "@carteiro/provider-elevenlabs/ElevenLabs.ts"
import { makeOpenAi } from "@carteiro/provider-openai/OpenAi.ts"
import { makeSpeech } from "@carteiro/provider-speech/Speech.ts"
import { startElevenLabs } from "@carteiro/simulators/elevenlabs/Simulator.ts"
import type { CallLog } from "@carteiro/simulators/kit/CallLog.ts"
import type { Fault } from "@carteiro/simulators/kit/Faults.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startOpenAi } from "@carteiro/simulators/openai/Simulator.ts"
import { Effect, type Scope } from "effect"
import { simulatedSpeechprov, speechKey } from "../support/Speechprov.ts"
import { overSockets } from "../support/Vendors.ts"

/** What a simulated vendor of any wire lets a test do. */
interface Simulated {
  readonly url: string
  readonly log: Pick<CallLog, "read">
  readonly faults: { readonly set: (faults: ReadonlyArray<Fault>, seed: number | undefined) => unknown }
}

/** A driver of the port of speech, its simulator, and what it does in its own way. */
export interface SpeechDriver {
  readonly name: string
  readonly stage: Effect.Effect<
    { readonly simulator: Simulated; readonly provider: SpeechProvider },
    never,
    Scope.Scope
  >
  /** Whether the vendor keeps a text under our id, so that a repeat costs nothing. */
  readonly keepsTexts: boolean
  /** The vendor's refusals of a text. */
  readonly refusals: ReadonlyArray<string>
  /** The fault of too many calls, which passes; an exhausted account is a refusal where the vendor tells it apart. */
  readonly busy: "quota_exceeded" | "rate_limited"
  /** The type of sound that is not Ogg with Opus: the vendor's own word, or one that nothing sends. */
  readonly judges: "driver" | "room"
  /** The languages of a recording: what is shown for each wish; undefined where the driver transcribes nothing. */
  readonly transcribes: { readonly model: string; readonly unnamed: string } | undefined
}

const bridgeStage = (vendor: 1 | 2 | 3): SpeechDriver["stage"] =>
  Effect.gen(function* () {
    const simulator = yield* simulatedSpeechprov(vendor)
    const options = { url: operatorUrl(simulator.url), totalTimeoutMs: 1000 }
    return { simulator, provider: yield* overSockets(makeSpeech(options)) }
  })

const vendorStage = (start: typeof startOpenAi | typeof startElevenLabs, make: typeof makeOpenAi) =>
  Effect.gen(function* () {
    const simulator = yield* Effect.acquireRelease(
      Effect.promise(() => start({ apiKey: speechKey, now: vendorClock })),
      (running) => Effect.promise(() => running.close())
    )
    const provider = yield* overSockets(make({ url: operatorUrl(simulator.url), totalTimeoutMs: 1000 }))
    return { simulator, provider }
  })

const bridge = {
  keepsTexts: true,
  refusals: ["voice_unknown", "text_rejected", "credentials_invalid"],
  busy: "quota_exceeded",
  judges: "room"
} as const

const vendor = {
  keepsTexts: false,
  refusals: ["text_rejected", "credentials_invalid", "quota_exceeded", "model_unknown"],
  busy: "rate_limited",
  judges: "driver",
  transcribes: undefined
} as const

/** Every driver of speech; of the bridge each way in which audio comes. */
export const speechDrivers: ReadonlyArray<SpeechDriver> = [
  {
    ...bridge,
    name: "bridge, at once",
    stage: bridgeStage(1),
    transcribes: { model: "speechprov1-sim", unnamed: "pt-BR" }
  },
  { ...bridge, name: "bridge, by polling", stage: bridgeStage(2), transcribes: undefined },
  { ...bridge, name: "bridge, at a signed URL", stage: bridgeStage(3), transcribes: undefined },
  {
    ...vendor,
    name: "openai",
    stage: vendorStage(startOpenAi, makeOpenAi),
    transcribes: { model: "whisper-1", unnamed: "pt" }
  },
  { ...vendor, name: "elevenlabs", stage: vendorStage(startElevenLabs, makeElevenLabs) }
]
