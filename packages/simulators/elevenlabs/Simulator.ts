import { CallLog } from "../kit/CallLog.ts"
import { logAndFaults } from "../kit/Control.ts"
import { Faults } from "../kit/Faults.ts"
import { type Call, type Handler, listen, ok, type SimulatedAnswer, serverOf } from "../kit/Routes.ts"
import { lostCallNames, strikeAfter, strikeBefore } from "../kit/Strikes.ts"
import type { Done } from "../speechprov/Done.ts"
import { elevenLabsError, elevenLabsRefusals } from "./ElevenLabsErrors.ts"
import { speak } from "./Speech.ts"

/** The settings of a simulated ElevenLabs account. */
export interface ElevenLabsOptions {
  readonly apiKey: string
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** A simulated ElevenLabs account that listens. */
export interface ElevenLabsSimulator {
  readonly url: string
  readonly log: CallLog
  readonly faults: Faults
  readonly close: () => Promise<void>
}

/**
 * Faults beside refusals and lost calls: `wrong_type`, `wrong_bytes` and `empty_audio` return unusable sound; `slow`
 * answers after `value` milliseconds.
 */
const faultNames = [
  ...elevenLabsRefusals,
  ...lostCallNames,
  "wrong_type",
  "wrong_bytes",
  "empty_audio",
  "slow"
] as const

/** Starts one on loopback; port 0 takes any free one. */
export const startElevenLabs = async (options: ElevenLabsOptions, port = 0): Promise<ElevenLabsSimulator> => {
  const log = new CallLog(options.now)
  const faults = new Faults(faultNames)
  let calls = 0

  /** Makes a route: credential, faults before its effect, the effect, faults after it; the log records the result. */
  const of =
    (operation: "speech" | "models", handle: (call: Call) => Done): Handler =>
    (call) => {
      const note = (outcome: string, facts: object = {}) => log.add(operation, { outcome, ...facts })
      const dress = (answer: SimulatedAnswer | undefined) =>
        answer && { ...answer, headers: { "request-id": `sim${++calls}`, ...answer.headers } }
      if (call.headers["xi-api-key"] !== options.apiKey) {
        note("credentials_invalid")
        return dress(elevenLabsError("credentials_invalid", "Invalid API key"))
      }
      const refuse = (name: (typeof elevenLabsRefusals)[number], value: number | undefined) =>
        elevenLabsError(name, "simulated", value)
      const struck = strikeBefore(faults, elevenLabsRefusals, refuse, operation, call)
      if (struck !== undefined) {
        note(struck.name)
        return dress(broken(struck.name, struck.answer))
      }
      const { answer, facts, outcome } = handle(call)
      const lost = strikeAfter(faults, operation, call)
      note(lost?.name ?? outcome, facts)
      if (lost !== undefined) return dress(broken(lost.name, lost.answer))
      const slow = faults.hit(["slow"], { operation })
      return slow === undefined ? dress(answer) : after(slow.value ?? 1000, dress(answer))
    }

  const server = serverOf(
    [
      ...logAndFaults(log, faults),
      ["POST /v1/text-to-speech/{}", of("speech", (call) => speak(call, faults))],
      ["GET /v1/models", of("models", () => ({ answer: ok(models), outcome: "found" }))]
    ],
    () => ({ status: 404, body: { detail: "Not Found" } })
  )
  const url = await listen(server, port)
  return {
    url,
    log,
    faults,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

const models = ["eleven_multilingual_v2", "eleven_flash_v2_5"].map((model_id) => ({
  model_id,
  name: model_id,
  can_do_text_to_speech: true
}))

/** Returns the body of a broken server as ElevenLabs writes it. */
const broken = (name: string, answer: SimulatedAnswer | undefined): SimulatedAnswer | undefined =>
  name.startsWith("error_500")
    ? { status: 500, body: { detail: { status: "internal_server_error", message: "Something went wrong." } } }
    : answer

const after = (millis: number, answer: SimulatedAnswer | undefined): Promise<SimulatedAnswer | undefined> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis, answer).unref()
  })
