import { named } from "@carteiro/html/Html.ts"
import type { ApiErrorMembers } from "@carteiro/schema/conventions/ApiError.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { type Html, html, type Piece } from "./Html.ts"
import { countOf } from "./Numbers.ts"
import { instant } from "./Parts.ts"

/** A refusal of the contract, or a failure that a thing keeps, with its code and the API's own sentence. */
interface Refusal extends Pick<ApiErrorMembers, "details"> {
  readonly param?: string | null | undefined
  readonly code: string
  readonly message: string
}

/**
 * Returns what a person reads of a refusal: the sentence of their language by code and parameter, else by code with the values
 * of its details (`CODE details`), else by code with the field that it is about, else the API's own. An instant at which it would be allowed is told as every other time of a page. Decision 0180
 * Beside the field that it is about, nothing names the parameter.
 */
export const refusalText = (
  refusal: Refusal | (Omit<Refusal, "code"> & { readonly _tag: string }),
  isAtField = false
): Html => {
  const code = "code" in refusal ? refusal.code : refusal._tag
  const { details, message, param } = refusal
  const field = param && !isAtField ? html` Look at <code>${param}</code>.` : undefined
  const said = named(
    [[message], [`${code} ${pathOf(param ?? "")}`], [`${code} details`], [code, field]],
    isAtField ? withoutParameter(message, param ?? "") : message,
    valuesOf(details)
  )
  const next = details?.next_allowed_at
  return typeof next === "string" ? html`${said} Allowed again: ${instant(next)}.` : said
}

const withoutParameter = (message: string, param: string): string => {
  const named = `\`${param}\`: `
  if (!message.startsWith(named)) return message
  return message.charAt(named.length).toUpperCase() + message.slice(named.length + 1)
}

/** Returns the details that a sentence can hold: texts, numbers and amounts. */
const valuesOf = (details: Refusal["details"]): Readonly<Record<string, Piece>> =>
  Object.fromEntries(
    Object.entries(details ?? {}).flatMap(([name, value]): ReadonlyArray<[string, Piece]> => {
      if (typeof value === "number") return [[name, countOf(value)]]
      if (typeof value !== "string") return []
      return [[name, name.endsWith("_brl") ? formatReais(value) : value]]
    })
  )

/** Returns a parameter with `*` for each place in a list, as the catalog names it. */
const pathOf = (param: string): string =>
  param
    .split(".")
    .map((part) => (Number.isInteger(Number(part)) ? "*" : part))
    .join(".")
