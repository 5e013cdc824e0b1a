import { Draining } from "@carteiro/http-edge/Listener.ts"
import type { BytesReply } from "@carteiro/http-edge/Reply.ts"
import { type RawRequest, Routes } from "@carteiro/http-edge/Routes.ts"
import type { CallerWithin } from "@carteiro/http-edge/TypedCalls.ts"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Clock, Effect, Layer, Option, Stream } from "effect"
import { chosenEnvironment } from "../kit/Environments.ts"
import { queryParameter } from "../kit/Forms.ts"
import { streamPath } from "../kit/LiveScript.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { send, signInAddress, visitOf } from "../kit/Pages.ts"
import { NotHere } from "../kit/Refusals.ts"
import { Sessions } from "../ports/Sessions.ts"

/** Where a stream stands. */
interface Standing {
  readonly position: number
  /** It has just told of events. */
  readonly rests: boolean
}

/** After telling that something happened, a stream is silent for so many milliseconds: a page looks once for all of it. */
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

    /** One step: the stream's end, then whatever comes after it while the session stands. */
    const follow = (caller: CallerWithin, token: string) => (at: Standing | undefined) =>
      Effect.gen(function* () {
        if (at === undefined) {
          const { position: end } = yield* eventLog.end(caller)
          return [[frame("ready", end)], Option.some<Standing>({ position: end, rests: false })] as const
        }
        if (at.rests) yield* Effect.sleep(restMs)
        const session = yield* sessions.find(token, yield* Clock.currentTimeMillis)
        if (session === undefined || draining.isDraining()) return [[], Option.none<Standing>()] as const
        const params = { position: String(at.position) }
        const { position } = yield* eventLog.follow(caller, { params })
        const rests = position > at.position
        return [[rests ? frame("happened", position) : alive], Option.some<Standing>({ position, rests })] as const
      }).pipe(Effect.catch(() => Effect.succeed([[frame("full", 0)], Option.none<Standing>()] as const)))

    const stream = Effect.fnUntraced(function* (request: RawRequest) {
      const visit = yield* visitOf(request)
      if (visit === undefined) return send({ to: signInAddress }, undefined)
      const { environment } = yield* chosenEnvironment(visit)
      if (environment === undefined || queryParameter(request, "environment") === undefined) return yield* new NotHere()
      const text = Stream.paginate(
        undefined as Standing | undefined,
        follow(asVisitor(visit, environment), visit.token)
      )
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
