import { readFileSync } from "node:fs"
import { Carteiro, CarteiroApiError, type RequestOptions, type WithResponse } from "@carteiro/sdk"
import type { Vitest } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { committedFile } from "../../packages/openapi/Committed.ts"
import { operationsOf } from "../../packages/sdk/codegen/Description.ts"
import { methodPath } from "../../packages/sdk/codegen/Resources.ts"
import { type Answer, Api } from "./ApiTest.ts"

type Method = (...given: ReadonlyArray<unknown>) => { withResponse(): Promise<WithResponse<unknown>> }

const operations = operationsOf(JSON.parse(readFileSync(committedFile, "utf8")))

/** Returns the operation of a path; an exact path wins over one with a parameter in place of a fixed segment. */
const operationOf = (method: string, path: string) => {
  const asked = path.split("/")
  const fits = (one: string, at: number) => one === asked[at] || one.startsWith("{")
  return operations
    .filter((one) => one.method === method && one.path.split("/").length === asked.length)
    .filter((one) => one.path.split("/").every(fits))
    .toSorted((left, right) => left.path.split("{").length - right.path.split("{").length)[0]
}

/** Returns the client's method for an operation, bound to its resource. */
const methodOf = (client: Carteiro, names: ReadonlyArray<string>): Method => {
  const resource = names
    .slice(0, -1)
    .reduce((at, name) => at[name] as Record<string, unknown>, client as unknown as Record<string, unknown>)
  return (resource[names.at(-1) ?? ""] as Method).bind(resource)
}

const queryOf = (search: URLSearchParams) =>
  Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    })
  )

/** Makes a caller with one key that uses the client's methods, and returns responses like plain HTTP. */
export const sdkCaller = (baseUrl: string, apiKey: string) => {
  const client = new Carteiro({ apiKey, baseUrl, maxRetries: 0 })
  return async (method: string, target: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> => {
    const { pathname, searchParams } = new URL(target, baseUrl)
    const operation = operationOf(method, pathname)
    if (operation === undefined) throw new Error(`the client has no method for ${method} ${pathname}`)
    const given = pathname.split("/").filter((_, at) => operation.path.split("/")[at]?.startsWith("{"))
    const hasQuery = operation.parameters?.some((parameter) => parameter.in === "query") === true
    const asked = methodOf(client, methodPath(operation))(
      ...given.map(decodeURIComponent),
      ...(operation.requestBody === undefined ? [] : [body]),
      ...(hasQuery ? [queryOf(searchParams)] : []),
      options
    )
    return asked.withResponse().then(
      ({ data, headers, status }) => answerOf(status, headers, data ?? {}),
      (error: unknown) => {
        if (!(error instanceof CarteiroApiError)) throw error
        const { code, details, docUrl, feedback, message, param, requestId, retryable, retryAfterMs, traceId, type } =
          error
        const shown = { type, code, message, param, details, retryable, feedback }
        const ids = { request_id: requestId, trace_id: traceId, retry_after_ms: retryAfterMs, doc_url: docUrl }
        return answerOf(error.status, error.headers, { error: { ...shown, ...ids } })
      }
    )
  }
}

const answerOf = (status: number, headers: Headers, body: unknown): Answer => ({
  status,
  headers: Object.fromEntries(headers),
  body,
  text: JSON.stringify(body)
})

/** Sends the calls of a key through the client where it has a method; other calls stay unchanged. */
const throughTheSdk = Layer.effect(
  Api,
  Effect.map(Api, (api) => {
    const call: (typeof api)["call"] = (method, path, body, options = {}) => {
      const { headers, idempotencyKey, key } = options
      if (key === undefined || headers !== undefined) return api.call(method, path, body, options)
      return Effect.promise(() => sdkCaller(api.baseUrl, key)(method, path, body, { idempotencyKey }))
    }
    return Api.of({
      ...api,
      call,
      get: (path, options) => call("GET", path, undefined, options),
      post: (path, body, options) => call("POST", path, body, options),
      patch: (path, body, options) => call("PATCH", path, body, options),
      delete: (path, options) => call("DELETE", path, undefined, options)
    })
  })
)

/** The tests of a story, which run on a product of that type. */
export type Story<Product> =
  Product extends Layer.Layer<infer A, infer _E, infer _R> ? (it: Vitest.MethodsNonLive<A>) => void : never

/** Runs a story in both ways: over plain HTTP, and with the client's methods. */
export const bothWays = <A, E, R>(product: Layer.Layer<A | Api, E, R>) =>
  [
    ["over HTTP", product],
    ["through the SDK", Layer.provideMerge(throughTheSdk, product)]
  ] as const
