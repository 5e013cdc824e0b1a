import { Draining } from "@carteiro/http-edge/Listener.ts"
import type { BytesReply } from "@carteiro/http-edge/Reply.ts"
import { type RawRequest, Routes } from "@carteiro/http-edge/Routes.ts"
import { realNow } from "@carteiro/owners/RealTime.ts"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Layer, Option, Stream } from "effect"
import { chosenEnvironment } from "../kit/Environments.ts"
import { queryParameter } from "../kit/Forms.ts"
import { streamPath } from "../kit/LiveScript.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { send, signInAddress, visitOf } from "../kit/Pages.ts"
import { NotHere } from "../kit/Refusals.ts"
import type { Visit } from "../kit/Visit.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { Sessions } from "../ports/Sessions.ts"

/** Where a stream stands. */
interface Standing {
  readonly position: number
  /** It has waited once already. */
  readonly rests: boolean
}

/**
 * Between two waits a stream rests for so many milliseconds: a page looks once for all that happened, and a wait that ends
 * at once, for whatever reason, is not begun again at once.
 */
const restMs = 500

/**
 * The live stream of an environment for the pages of people who are signed in: it tells that something happened, and the
 * page fetches itself again. A stream that finds twenty others open says `full`, and its page asks now and then instead.
 */
export const StreamHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { eventLog } = yield* Operations
    const draining = yield* Draining
    const sessions = yield* Sessions

    /**
     * One step: the stream's end, then whatever comes after it while the session stands. Each is a request of its own
     * moment: waits end, and rates count, by when a request came.
     */
    const follow = (visit: Visit, environment: Pick<EnvironmentEntry, "id">) => (at: Standing | undefined) =>
      Effect.gen(function* () {
        if (at?.rests === true) yield* Effect.sleep(restMs)
        const now = yield* realNow
        const caller = asVisitor({ ...visit, request: { ...visit.request, now } }, environment)
        if (at === undefined) {
          const { position } = yield* eventLog.end(caller)
          return [[frame("ready", position)], Option.some<Standing>({ position, rests: false })] as const
        }
        if ((yield* sessions.find(visit.token, now)) === undefined || draining.isDraining())
          return [[], Option.none<Standing>()] as const
        const { position } = yield* eventLog.follow(caller, { params: { position: String(at.position) } })
        const said = position > at.position ? frame("happened", position) : alive
        return [[said], Option.some<Standing>({ position, rests: true })] as const
      }).pipe(Effect.catch(() => Effect.succeed([[frame("full", 0)], Option.none<Standing>()] as const)))

    const stream = Effect.fnUntraced(function* (request: RawRequest) {
      const visit = yield* visitOf(request)
      if (visit === undefined) return send({ to: signInAddress }, undefined)
      const { environment } = yield* chosenEnvironment(visit)
      if (environment === undefined || queryParameter(request, "environment") === undefined) return yield* new NotHere()
      const text = Stream.paginate(undefined as Standing | undefined, follow(visit, environment))
      const answer: BytesReply = {
        status: 200,
        body: yield* NodeStream.toReadable(Stream.encodeText(text)),
        headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
        isEndless: true
      }
      return answer
    })

    return Routes.raw({ operation: "console.stream", method: "GET", path: streamPath, handler: stream })
  })
)

const frame = (event: string, position: number): string => `event: ${event}\ndata: ${position}\n\n`

/** Keeps the connection open through whatever stands between, and says nothing. */
const alive = ": nothing yet\n\n"
