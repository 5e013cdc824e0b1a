import { Pipeline } from "@carteiro/http-edge/Pipeline.ts"
import { makeTypedCalls } from "@carteiro/http-edge/TypedCalls.ts"
import { Api } from "@carteiro/schema/Api.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PeopleApi } from "@carteiro/schema/PeopleApi.ts"
import { Effect, Layer, Schedule } from "effect"
import { Operations } from "./Operations.ts"
import { FormSentBefore } from "./Refusals.ts"

/** Milliseconds between two looks at a form that is under way, and the looks: 10 seconds in all. */
const lookEveryMs = 200
const mostLooks = 50

/**
 * Finishes the calls of forms. The second click of a double click waits for the answer to the first, since a browser shows
 * the last answer alone. Decision 0149
 */
const finishForm = (call: Effect.Effect<object, ApiError>): Effect.Effect<object, ApiError> =>
  call.pipe(
    // Nearly every call is no such second one, and asks once, in the context of its request.
    Effect.catchIf(isUnderWay, () =>
      call.pipe(
        Effect.retry({ while: isUnderWay, schedule: Schedule.spaced(lookEveryMs), times: mostLooks - 1 }),
        Effect.delay(lookEveryMs)
      )
    ),
    Effect.catchIf(
      ({ _tag }) => _tag === "idempotency_key_conflict",
      () => Effect.fail(new FormSentBefore())
    )
  )

const isUnderWay = ({ _tag }: ApiError): boolean => _tag === "idempotency_key_in_progress"

/** The operations behind a pipeline of their own, which shares the route table with the server. */
export const operationsLayer = Layer.effect(
  Operations,
  makeTypedCalls({ groups: { ...Api.groups, ...PeopleApi.groups } }, finishForm)
).pipe(Layer.provide(Pipeline.layer))
