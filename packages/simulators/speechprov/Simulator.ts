import { CallLog } from "../kit/CallLog.ts"
import { logAndFaults } from "../kit/Control.ts"
import { Faults } from "../kit/Faults.ts"
import { type Call, type Handler, listen, type RouteList, serverOf } from "../kit/Routes.ts"
import { strikeAfter } from "../kit/Strikes.ts"
import type { Done } from "./Done.ts"
import { Files } from "./Files.ts"
import { Recordings } from "./Recordings.ts"
import { speechError } from "./SpeechErrors.ts"
import { type SpeechOperation, speechFaultNames, strikeBefore } from "./SpeechFaults.ts"
import { Texts } from "./Texts.ts"
import type { SpeechprovOptions } from "./Vendor.ts"

/** A simulated vendor of speech that listens. */
export interface SpeechprovSimulator {
  readonly url: string
  readonly log: CallLog
  readonly faults: Faults
  readonly close: () => Promise<void>
}

/** Starts one on loopback; port 0 takes any free one. */
export const startSpeechprov = async (options: SpeechprovOptions, port = 0): Promise<SpeechprovSimulator> => {
  const log = new CallLog(options.now)
  const faults = new Faults(speechFaultNames)
  const files = new Files(options, faults)
  const texts = new Texts(options, files, faults)
  const recordings = new Recordings(options, faults)

  const isKnown = ({ headers }: Call): boolean => headers.authorization === `Bearer ${options.apiKey}`

  /** Makes a route: credential, faults before its effect, the effect, faults after it; the log records the result. */
  const of =
    (operation: SpeechOperation, handle: (call: Call) => Done, isOpen = isKnown): Handler =>
    (call) => {
      const note = (outcome: string, facts: object = {}) => log.add(operation, { outcome, ...facts })
      if (!isOpen(call)) {
        note("credentials_invalid")
        return speechError("credentials_invalid")
      }
      const struck = strikeBefore(faults, operation, call)
      if (struck !== undefined) {
        note(struck.name)
        return struck.answer
      }
      const { answer, facts, outcome } = handle(call)
      const struckAfter = strikeAfter(faults, operation, call)
      note(struckAfter?.name ?? outcome, facts)
      return struckAfter === undefined ? answer : struckAfter.answer
    }

  const routes: RouteList = [
    ...logAndFaults(log, faults),
    ["POST /v1/speech", of("speech", (call) => texts.post(call))],
    ["GET /v1/speech/{}", of("speech_status", (call) => texts.show(call))],
    [
      "GET /files/{}",
      of(
        "file",
        (call) => files.show(call),
        (call) => files.isSigned(call) || isKnown(call)
      )
    ],
    ...(options.vendor === 1
      ? ([
          ["POST /v1/transcriptions", of("transcriptions", (call) => recordings.post(call))],
          ["GET /v1/transcriptions/{}", of("transcription_status", (call) => recordings.show(call))]
        ] satisfies RouteList)
      : [])
  ]
  const server = serverOf(routes, () => ({ status: 404, body: { error: { code: "not_found", message: "no route" } } }))
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
