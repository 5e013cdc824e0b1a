import { Ids } from "@carteiro/owners/Ids.ts"
import { ListenEntity, type ListenResult } from "@carteiro/runtime/webhooks/listen/ListenEntity.ts"
import { Effect, Schedule } from "effect"
import type { OwnersRun } from "./OwnersRun.ts"

/** Who reads the stream of an environment. */
export interface Listener {
  readonly api_key_id: string
  /** Undefined in sandbox only. */
  readonly session_id: string | undefined
}

const owner = ListenEntity.client

/** One page of the stream, answered at once. */
export const page = (run: OwnersRun, listener: Listener, after: number, limit: number) =>
  Effect.flatMap(owner, (owners) => owners.Read(run.environment.id, { ...listener, limit, types: undefined, after }))

/** A long poll as the edge makes it: at the next owner when its owner goes away. */
export const poll = (run: OwnersRun, listener: Listener, after: number, limit: number, deadline: number) =>
  Effect.gen(function* () {
    const owners = yield* owner
    const poll_id = (yield* Ids).mint("req", run.course.now)
    const item = { ...listener, limit, types: undefined, after, poll_id, deadline }
    return yield* Effect.retry(owners.Listen(run.environment.id, item), {
      while: (error) => error._tag === "service_unavailable",
      schedule: Schedule.spaced("250 millis"),
      times: 20
    })
  })

/** A session of a key, asked for until it is answered. */
export const openSession = (run: OwnersRun, api_key_id: string, ttl_seconds: number) =>
  Effect.gen(function* () {
    const owners = yield* owner
    const at = run.course.now
    const id = (yield* Ids).mint("wls", at)
    const item = { id, api_key_id, trace_id: "0".repeat(32), ttl_seconds, reason: null, at }
    return yield* untilAnswered(owners.OpenSession(run.environment.id, item))
  })

/** The end of a session, asked for by a key until it is answered. */
export const endSession = (run: OwnersRun, api_key_id: string, id: string) =>
  Effect.flatMap(owner, (owners) =>
    untilAnswered(owners.EndSession(run.environment.id, { id, api_key_id, at: run.course.now }))
  )

const untilAnswered = <A, E extends { readonly _tag: string }, R>(call: Effect.Effect<A, E, R>) =>
  Effect.retry(call, { while: (error) => error._tag === "service_unavailable", times: 20 })

export type { ListenResult as Found }
