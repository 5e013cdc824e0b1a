import { Draining } from "@carteiro/http-edge/Listener.ts"
import type { BytesReply } from "@carteiro/http-edge/Reply.ts"
import { type RawRequest, Routes } from "@carteiro/http-edge/Routes.ts"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Clock, Effect, Layer, Option, Stream } from "effect"
import { EnvironmentEvents } from "../../webhooks/Webhooks.ts"
import { chosenEnvironment } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { send, signInAddress, visitOf } from "../kit/Pages.ts"
import { NotHere } from "../kit/Refusals.ts"
import { scriptRoute } from "../kit/Scripts.ts"
import { Sessions } from "../sessions/Sessions.ts"
import { chatScript } from "./ChatScript.ts"

/**
 * The live stream of an environment for the pages of people who are signed in: it tells that something happened, and the
 * page fetches itself again. A stream that finds twenty others open says `full`, and its page asks now and then instead.
 */
export const ChatStreamHttp = Layer.unwrap(
  Effect.gen(function* () {
    const events = yield* EnvironmentEvents
    const draining = yield* Draining
    const sessions = yield* Sessions

    /** One step: the stream's end, then whatever comes after it while the session stands. */
    const follow = (environmentId: string, token: string) => (after: number | undefined) =>
      Effect.gen(function* () {
        if (after === undefined) {
          const end = yield* events.end(environmentId)
          return [[frame("ready", end)], Option.some(end)] as const
        }
        const session = yield* sessions.find(token, yield* Clock.currentTimeMillis)
        if (session === undefined || draining.isDraining()) return [[], Option.none<number>()] as const
        const { position } = yield* events.follow(environmentId, after)
        return [[position > after ? frame("happened", position) : alive], Option.some(position)] as const
      }).pipe(Effect.catch(() => Effect.succeed([[frame("full", 0)], Option.none<number>()] as const)))

    const stream = Effect.fnUntraced(function* (request: RawRequest) {
      const visit = yield* visitOf(request)
      if (visit === undefined) return send({ to: signInAddress }, undefined)
      const { environment } = yield* chosenEnvironment(visit)
      if (environment === undefined || asked(request, "environment") === undefined) return yield* new NotHere()
      const text = Stream.paginate(undefined as number | undefined, follow(environment.id, visit.token))
      const answer: BytesReply = {
        status: 200,
        body: yield* NodeStream.toReadable(Stream.encodeText(text)),
        headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" }
      }
      return answer
    })

    return Layer.mergeAll(
      Routes.raw({ operation: "console.stream", method: "GET", path: "/dashboard/chat/stream", handler: stream }),
      scriptRoute("console.script", chatScript)
    )
  })
)

const frame = (event: string, position: number): string => `event: ${event}\ndata: ${position}\n\n`

/** Keeps the connection open through whatever stands between, and says nothing. */
const alive = ": nothing yet\n\n"
