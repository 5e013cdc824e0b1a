import { httpException } from "@carteiro/http-edge/Refusals.ts"
import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import { Effect } from "effect"
import { type Html, html } from "./Html.ts"
import { FormTooLarge } from "./Refusals.ts"

/** Largest form of a page that asks for no other, in bytes. */
const formLimit = 65_536

/** How much of a form is read, in bytes, so that one that is too large is still answered with a page. */
export const readLimit = 1_048_576

/** The fields of a posted form, which holds at most `limit` bytes. */
export const readForm = Effect.fnUntraced(function* (request: RawRequest, limit: number = formLimit) {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase()
  if (type !== "application/x-www-form-urlencoded") return yield* httpException(415, "Expected a form.")
  const bytes = yield* request.body.bytes(readLimit)
  if (bytes.length > limit) return yield* new FormTooLarge()
  return new URLSearchParams(Buffer.from(bytes).toString("utf8"))
})

/** One field as typed; empty when it is missing. */
export const field = (form: URLSearchParams, name: string): string => storable(form.get(name) ?? "")

/** Returns why a step that cannot be undone is not done; undefined when its form repeats the name of the thing. */
export const unconfirmed = (form: URLSearchParams, name: string): Html | undefined =>
  spaced(field(form, "name")) === spaced(name) ? undefined : html`That is not ${name}.`

/** Returns whether a form comes from the page that says what its step does: it turns a clock for good, sends or spends. Decision 0180 */
export const isConfirmed = (form: URLSearchParams): boolean => field(form, "confirmed") === "1"

/** Returns whether somebody goes back from that page to the form, which is shown again as it was filled. */
export const goesBack = (form: URLSearchParams): boolean => field(form, "back") === "1"

// A browser shows a name with its spaces run together; a phone is the same with spaces and dashes as without.
const spaced = (text: string): string =>
  /^\+[\d\s-]+$/.test(text.trim()) ? text.replaceAll(/[\s-]/g, "") : text.trim().replaceAll(/\s+/g, " ")

/** A parameter of the address; undefined when it is missing or empty. */
export const queryParameter = (request: Pick<RawRequest, "search">, name: string): string | undefined =>
  storable(new URLSearchParams(request.search).get(name) ?? "") || undefined

/** Returns the parameters of a page that a choice at its foot keeps; the cookie has the environment. */
export const keptParameters = (search: string, chosen: string): Array<[name: string, value: string]> =>
  [...new URLSearchParams(search)].filter(
    ([name, value]) => name !== chosen && name !== "done" && !value.startsWith("env_")
  )

/** The errors of a form by field. */
export interface Refused<Field extends string> {
  readonly field: Field
  readonly error: string | Html
}

/** Why this field was not taken; undefined for the others. */
export const errorAt = <Field extends string>(
  refused: Refused<Field> | undefined,
  field: Field
): string | Html | undefined => (refused?.field === field ? refused.error : undefined)

// PostgreSQL takes no NUL in any text, and no id holds one.
const storable = (text: string): string => text.replaceAll("\u0000", "\ufffd")
