import { Effect } from "effect"
import { sdkCaller } from "../support/SdkCaller.ts"

/** What a program that uses the API sees of an answer. */
export interface Heard {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a scenario reads members of answers it has not declared
  readonly body: any
}

/** A caller with one key, as any program would write it. */
export const callerOf =
  (baseUrl: string, key: string) =>
  (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {}
  ): Effect.Effect<Heard> =>
    Effect.promise(async (signal) => {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        signal,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: text === "" ? {} : JSON.parse(text) }
    })

/** A caller that asks the methods of the client SDK instead. */
export const sdkCallerOf: typeof callerOf = (baseUrl, key) => {
  const call = sdkCaller(baseUrl, key)
  return (method, path, body, headers = {}) =>
    Effect.promise(async (signal) => {
      const answer = await call(method, path, body, { signal, idempotencyKey: headers["idempotency-key"] })
      return { ...answer, headers: new Headers(answer.headers) }
    })
}

/** Both ways to drive a story against a process of the product. */
export const callers = [
  ["over HTTP", callerOf],
  ["through the SDK", sdkCallerOf]
] as const
