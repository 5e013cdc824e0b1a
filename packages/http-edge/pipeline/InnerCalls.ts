import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { RouteNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Context, Effect } from "effect"
import type { Person } from "../admission/Admission.ts"
import type { RawRequest } from "../contract/ApiRequest.ts"
import type { BytesReply, Reply } from "../contract/Reply.ts"
import { RouteTable } from "../contract/RouteTable.ts"
import { Pipeline } from "./Pipeline.ts"

/** A request to an operation of the contract that another route makes on behalf of its caller. */
export interface InnerRequest {
  readonly method: string
  /** Percent-encoded, without the query. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON; undefined where the operation takes no body. */
  readonly body?: unknown
  readonly idempotencyKey?: string | undefined
  /** The rows of a page of a list, in place of its `limit`, which bounds pages for callers from outside. */
  readonly rows?: number | undefined
}

/** Returns the response that the operation gives the caller of `outer`: the person, or the key of that request. */
export type InnerCall = (
  outer: RawRequest,
  inner: InnerRequest,
  person?: Person | undefined
) => Effect.Effect<Reply | BytesReply, ApiError>

const none = Buffer.alloc(0)

/**
 * Returns a function that calls operations from within the process. A call runs the whole pipeline with the key of the
 * outer request, or for a person who is signed in: admission, scope, rate, idempotency and tenancy work as from outside.
 */
export const makeInnerCalls: Effect.Effect<InnerCall, never, RouteTable | Pipeline> = Effect.gen(function* () {
  const table = yield* RouteTable
  const pipeline = yield* Pipeline
  const joinedContext = makeJoinedContexts()
  return (outer, { body, idempotencyKey, method, path, query = {}, rows }, person) =>
    Effect.suspend(() => {
      const match = person === undefined ? table.match(method, path) : table.matchForPerson(method, path)
      if (match?.route.kind !== "operation") return Effect.fail(new RouteNotFound())
      const { route: operation } = match
      const params = operation.decodeParams === undefined ? match.params : operation.decodeParams(match.params)
      if (params === undefined) return Effect.fail(new RouteNotFound())
      const bytes = body === undefined ? none : Buffer.from(JSON.stringify(body))
      const sent: Array<() => void> = []
      const answer = pipeline.run({
        head: {
          method,
          path,
          search: new URLSearchParams(query).toString(),
          authorization: outer.authorization,
          cookie: undefined,
          csrfToken: undefined,
          idempotencyKeys: idempotencyKey === undefined ? [] : [idempotencyKey],
          contentType: body === undefined ? undefined : "application/json",
          contentEncoding: undefined,
          contentLength: body === undefined ? undefined : bytes.length,
          hasBody: body !== undefined,
          hosts: 1,
          traceId: outer.traceId,
          traceparent: undefined,
          forwardedFor: undefined,
          range: undefined
        },
        operation,
        params,
        requestId: outer.requestId,
        traceId: outer.traceId,
        now: outer.now,
        realNow: outer.now,
        ip: outer.ip,
        ...(person && { person }),
        ...(rows !== undefined && { rows }),
        bytes,
        early: undefined,
        left: Effect.never,
        incoming: undefined,
        admitted: {
          keyId: undefined,
          environmentId: undefined,
          region: undefined,
          onOwner: undefined,
          onSent: (done) => void sent.push(done)
        }
      })
      return Effect.ensuring(
        Effect.updateContext(answer, (outer: Services) => joinedContext(outer, operation.context)),
        Effect.sync(() => {
          for (const done of sent) done()
        })
      )
    })
})

/**
 * Returns what gives the context of a request the services of an operation. Both belong to routes, which stay, and hold
 * hundreds of services, so that two are put together once.
 */
const makeJoinedContexts = () => {
  const joined = new WeakMap<Services, WeakMap<Services, Services>>()
  return (outer: Services, services: Services): Services => {
    const known = joined.get(outer) ?? new WeakMap<Services, Services>()
    const before = known.get(services)
    if (before !== undefined) return before
    const both = Context.merge(outer, services)
    joined.set(outer, known.set(services, both))
    return both
  }
}

type Services = Context.Context<never>
