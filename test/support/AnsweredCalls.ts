import { type CallRequest, Calls } from "@carteiro/outbound/Calls.ts"
import { Effect } from "effect"

/** A call as it would go out: its form, or that of its query, decoded. */
export interface SeenCall {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly form: URLSearchParams
}

/** An answer to a call, as JSON unless it is a text; `broken` when there is none. */
export type GivenAnswer = readonly [status: number, body: unknown, headers?: Record<string, string>] | "broken"

/** An outbound stack that opens no socket, answers by a function, and keeps every call. */
export const answeredCalls = (answer: (call: SeenCall, count: number) => GivenAnswer) => {
  const seen: Array<SeenCall> = []
  const call = ({ body, headers, method, url }: CallRequest) =>
    Effect.sync(() => {
      const { path } = url.target
      const text = body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : ""
      const one = { method, path, headers, form: new URLSearchParams(text || path.split("?")[1]) }
      seen.push(one)
      const given = answer(one, seen.length)
      if (given === "broken") return { _tag: "Broken" as const, began: true }
      const [status, json, more] = given
      const bytes = Buffer.from(typeof json === "string" ? json : JSON.stringify(json))
      return { _tag: "Answered" as const, status, headers: { ...more }, bytes, isCut: false }
    })
  return { seen, calls: Calls.of({ call, open: () => Effect.undefined, tenantUrl: () => undefined }) }
}
