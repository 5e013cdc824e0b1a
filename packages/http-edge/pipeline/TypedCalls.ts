import { ApiError, type ErrorEnvelope, type ErrorType } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Person } from "../admission/Admission.ts"
import type { RawRequest } from "../contract/ApiRequest.ts"
import { type BytesReply, isReplay, type Reply, readReply } from "../contract/Reply.ts"
import type { RouteTable } from "../contract/RouteTable.ts"
import { makeInnerCalls } from "./InnerCalls.ts"
import type { Pipeline } from "./Pipeline.ts"

/** Who calls an operation from within the process, and on behalf of which request. */
export interface CallerWithin {
  readonly request: RawRequest
  readonly person: Person
  /** Makes a repeat of the call the same call; undefined where the operation takes no key. */
  readonly idempotencyKey?: string | undefined
  /** Is told of each change that succeeded, and whether it is one of an earlier call with the same key. */
  readonly onChange?: ((isRepeated: boolean) => void) | undefined
  /** The rows of a page of a list, in place of its `limit`, which bounds pages for callers from outside. */
  readonly rows?: number | undefined
}

type Part<Name extends string, S> = [S] extends [never]
  ? unknown
  : S extends { readonly Type: infer A }
    ? Record<never, never> extends A
      ? { readonly [N in Name]?: A }
      : { readonly [N in Name]: A }
    : unknown

type RequestOf<E> = E extends HttpApiEndpoint.ConstraintRequest
  ? Part<"params", E["~Params"]> & Part<"query", E["~Query"]> & Part<"payload", E["~Payload"]>
  : never

type SuccessOf<E> = E extends HttpApiEndpoint.Constraint
  ? E["~Success"] extends { readonly Type: infer A }
    ? A
    : never
  : never

/** Every operation of an API as a function, by group and endpoint, with values as they are on the wire. */
export type TypedCalls<Groups extends { readonly [name: string]: HttpApiGroup.Constraint }> = {
  readonly [G in keyof Groups]: {
    readonly [E in keyof Groups[G]["endpoints"]]: (
      caller: CallerWithin,
      ...request: Record<never, never> extends RequestOf<Groups[G]["endpoints"][E]>
        ? [RequestOf<Groups[G]["endpoints"][E]>?]
        : [RequestOf<Groups[G]["endpoints"][E]>]
    ) => Effect.Effect<SuccessOf<Groups[G]["endpoints"][E]>, ApiError>
  }
}

/** The parts of a request, as every endpoint's type narrows them. */
interface AnyRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly payload?: unknown
}

/**
 * Returns the operations of an API as functions for people who are signed in. Each call is a request to the operation,
 * through the whole pipeline, and returns its success or fails with its refusal, as `finish` has it. Operations that answer
 * with bytes are not meant for it.
 */
export const makeTypedCalls = <Groups extends { readonly [name: string]: HttpApiGroup.Constraint }>(
  api: { readonly groups: Groups },
  finish: (call: Effect.Effect<object, ApiError>) => Effect.Effect<object, ApiError> = (call) => call
): Effect.Effect<TypedCalls<Groups>, never, RouteTable | Pipeline> =>
  Effect.map(makeInnerCalls, (call) => {
    const functionOf =
      ({ method, path }: HttpApiEndpoint.Top) =>
      (
        { idempotencyKey, onChange, person, request, rows }: CallerWithin,
        { params = {}, payload, query = {} }: AnyRequest = {}
      ) =>
        finish(
          Effect.flatMap(
            call(
              request,
              { method, path: pathWith(path, params), query: queryOf(query), body: payload, idempotencyKey, rows },
              person
            ),
            (answer) => {
              if (answer.status >= 400) return Effect.fail(refusalIn(answer))
              if (method !== "GET") onChange?.(isReplay(answer))
              return Effect.succeed(readReply(answer as Reply<object>))
            }
          )
        )
    const groups = Object.entries(api.groups as unknown as HttpApi.Top["groups"]).map(([name, group]) => [
      name,
      Object.fromEntries(Object.entries(group.endpoints).map(([id, endpoint]) => [id, functionOf(endpoint)]))
    ])
    return Object.fromEntries(groups) as TypedCalls<Groups>
  })

// A refusal that had an effect, such as a declined card, is stored under its key and comes as a response.
const refusalIn = (answer: Reply | BytesReply): ApiError => {
  const { code, details, message, param, retry_after_ms, type } = readReply(
    answer as Reply<typeof ErrorEnvelope.Type>
  ).error
  const { status } = answer
  return new ApiError({ _tag: code, status, type: type as ErrorType, message, param, retry_after_ms, details })
}

const pathWith = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))

const queryOf = (query: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  )
