import { Effect } from "effect"
import type { RawRequest } from "../platform/http/ApiRequest.ts"
import { httpException } from "../platform/http/HttpException.ts"

/** Largest form the dashboard takes, in bytes. */
export const formLimit = 65_536

/** The fields of a posted form. */
export const readForm = Effect.fnUntraced(function* (request: RawRequest) {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase()
  if (type !== "application/x-www-form-urlencoded") return yield* httpException(415, "Expected a form.")
  const bytes = yield* request.body.bytes(formLimit)
  return new URLSearchParams(Buffer.from(bytes).toString("utf8"))
})

/** One field as typed; empty when it is missing. */
export const field = (form: URLSearchParams, name: string): string => storable(form.get(name) ?? "")

/** A parameter of the address; undefined when it is missing or empty. */
export const asked = (request: RawRequest, name: string): string | undefined =>
  storable(new URLSearchParams(request.search).get(name) ?? "") || undefined

// PostgreSQL takes no NUL in any text, and no id holds one.
const storable = (text: string): string => text.replaceAll("\u0000", "\ufffd")
