import { rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { SandboxClockApi } from "@carteiro/schema/sandbox/SandboxClock.ts"
import { InvalidSandboxRequest, SandboxClockAdvanceNotFound } from "@carteiro/schema/sandbox/SandboxErrors.ts"
import { Effect } from "effect"
import { readAdvance, readClock } from "./ClockRead.ts"
import { ClockRepo } from "./ClockRepo.ts"
import { SandboxClockEntity } from "./SandboxClockEntity.ts"

/** Routes of the sandbox clock: GET /v1/sandbox/clock, its advances, and the routes that turn it. */
export const ClockHttp = Routes.group(
  SandboxClockApi,
  Effect.gen(function* () {
    const clocks = yield* SandboxClockEntity.client
    const repo = yield* ClockRepo
    const ids = yield* Ids
    return Routes.handlers(SandboxClockApi, {
      get: Effect.fnUntraced(function* (request) {
        const { environment_id } = request.caller
        const { advance, clock } = yield* Effect.all(
          { clock: repo.find(environment_id), advance: repo.findRunning(environment_id) },
          { concurrency: "unbounded" }
        )
        return reply(request, 200, readClock(clock, advance, request.now))
      }),
      getAdvance: Effect.fnUntraced(function* (request) {
        const { advance_id } = request.params
        const found = parseId("sca", advance_id)
          ? yield* repo.findAdvance(request.caller.environment_id, advance_id)
          : undefined
        if (found === undefined) return yield* new SandboxClockAdvanceNotFound()
        return reply(request, 200, readAdvance(found))
      }),
      advance: ({ body, caller, claim, now, traceId }) => {
        const id = ids.mint("sca", now)
        const { by_seconds, to } = body
        return Effect.map(
          clocks.Advance(caller.environment_id, { id, trace_id: traceId, claim, by_seconds, to }),
          ({ body, status }) => rawReply(status, body)
        )
      },
      reset: Effect.fnUntraced(function* ({ body, caller, claim, now, traceId }) {
        const { environment_id } = caller
        const slug = yield* repo.findSlug(environment_id)
        if (body.project_slug !== slug) {
          return yield* new InvalidSandboxRequest({
            param: "project_slug",
            message: `A reset empties the sandbox of this key's project: confirm it with the slug of that project, ${slug ?? "which GET /v1/projects shows"}.`
          })
        }
        const id = ids.mint("sca", now)
        const begun = yield* clocks.Reset(environment_id, { id, trace_id: traceId, claim })
        return rawReply(begun.status, begun.body)
      }),
      freeze: ({ caller, claim, traceId }) =>
        Effect.map(clocks.Freeze(caller.environment_id, { trace_id: traceId, claim }), ({ body, status }) =>
          rawReply(status, body)
        ),
      resume: ({ caller, claim, traceId }) =>
        Effect.map(clocks.Resume(caller.environment_id, { trace_id: traceId, claim }), ({ body, status }) =>
          rawReply(status, body)
        )
    })
  })
)
