import { formatReais, numeralOf, parseReais } from "@carteiro/spellings/Reais.ts"
import { type Html, html, type Piece } from "./Html.ts"
import type { Label } from "./Language.ts"
import { input } from "./Parts.ts"

/** Bounds of an amount in 1/10,000 BRL. */
export interface AmountBounds {
  readonly least: number
  readonly most: number
  /** Whether the amount may have places beyond the centavos. */
  readonly isExact?: boolean
}

/** One field for an amount that a person types; `value` is in 1/10,000 BRL, or the refused text as it was typed. */
export const amountField = (options: {
  readonly name: string
  readonly label: Label
  readonly value?: number | string | null
  readonly hint?: Piece
  readonly error?: string | Html | undefined
  readonly required?: boolean
}): Html => {
  const { value = null, ...rest } = options
  const text = typeof value === "number" ? numeralOf(value) : (value ?? "")
  return input({ ...rest, value: text, maxLength: 24, plain: true })
}

/** Returns what was typed as 1/10,000 BRL, or the sentence that says why it is not taken. */
export const readAmount = (typed: string, { isExact = false, least, most }: AmountBounds): number | Html => {
  const units = parseReais(typed)
  if (units === undefined) return howToWrite
  if (units < least || units > most) return html`Write an amount from ${formatReais(least)} to ${formatReais(most)}.`
  return isExact || units % unitsPerCentavo === 0 ? units : html`Write at most two places after the comma.`
}

const howToWrite = html`Write an amount such as 50,00 or 1.234,56: a comma before the centavos, points only between thousands.`

const unitsPerCentavo = 100

/** Returns an amount in whole centavos as operations take it, such as `50.00`. */
export const centavosOf = (units: number): string => (units / 10_000).toFixed(2)
