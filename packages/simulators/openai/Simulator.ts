import { CallLog } from "../kit/CallLog.ts"
import { logAndFaults } from "../kit/Control.ts"
import { Faults } from "../kit/Faults.ts"
import { type Call, type Handler, listen, ok, type SimulatedAnswer, serverOf } from "../kit/Routes.ts"
import { lostCallNames, strikeAfter, strikeBefore } from "../kit/Strikes.ts"
import type { Done } from "../speechprov/Done.ts"
import { openAiError, openAiRefusals } from "./OpenAiErrors.ts"
import { speak } from "./Speech.ts"
import { transcribe } from "./Transcriptions.ts"

/** The settings of a simulated OpenAI account. */
export interface OpenAiOptions {
  readonly apiKey: string
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** A simulated OpenAI account that listens. */
export interface OpenAiSimulator {
  readonly url: string
  readonly log: CallLog
  readonly faults: Faults
  readonly close: () => Promise<void>
}

/**
 * Faults beside refusals and lost calls: `wrong_type`, `wrong_bytes` and `empty_audio` return unusable sound,
 * `empty_text` and `wrong_json` an unusable transcription; `slow` answers after `value` milliseconds.
 */
const faultNames = [
  ...openAiRefusals,
  ...lostCallNames,
  "wrong_type",
  "wrong_bytes",
  "empty_audio",
  "empty_text",
  "wrong_json",
  "slow"
] as const

/** Starts one on loopback; port 0 takes any free one. */
export const startOpenAi = async (options: OpenAiOptions, port = 0): Promise<OpenAiSimulator> => {
  const log = new CallLog(options.now)
  const faults = new Faults(faultNames)
  let calls = 0

  /** Makes a route: credential, faults before its effect, the effect, faults after it; the log records the result. */
  const of =
    (operation: "speech" | "transcriptions" | "models", handle: (call: Call) => Done): Handler =>
    (call) => {
      const note = (outcome: string, facts: object = {}) => log.add(operation, { outcome, ...facts })
      const dress = (answer: SimulatedAnswer | undefined) =>
        answer && { ...answer, headers: { "x-request-id": `req_${++calls}`, ...answer.headers } }
      if (call.headers.authorization !== `Bearer ${options.apiKey}`) {
        note("credentials_invalid")
        return dress(openAiError("credentials_invalid", "Incorrect API key provided."))
      }
      const refuse = (name: (typeof openAiRefusals)[number], value: number | undefined) =>
        openAiError(name, "simulated", undefined, value)
      const struck = strikeBefore(faults, openAiRefusals, refuse, operation, call)
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
      ["POST /v1/audio/speech", of("speech", (call) => speak(call, faults))],
      ["POST /v1/audio/transcriptions", of("transcriptions", (call) => transcribe(call, faults))],
      ["GET /v1/models", of("models", () => ({ answer: ok({ object: "list", data: models }), outcome: "found" }))]
    ],
    ({ method, path }) => ({
      status: 404,
      body: {
        error: { message: `Invalid URL (${method} ${path})`, type: "invalid_request_error", param: null, code: null }
      }
    })
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

const models = ["gpt-4o-mini-tts", "whisper-1"].map((id) => ({ id, object: "model", created: 0, owned_by: "system" }))

/** Returns the body of a broken server as OpenAI writes it. */
const broken = (name: string, answer: SimulatedAnswer | undefined): SimulatedAnswer | undefined =>
  name.startsWith("error_500")
    ? {
        status: 500,
        body: {
          error: {
            message: "The server had an error while processing your request.",
            type: "server_error",
            param: null,
            code: null
          }
        }
      }
    : answer

const after = (millis: number, answer: SimulatedAnswer | undefined): Promise<SimulatedAnswer | undefined> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis, answer).unref()
  })
