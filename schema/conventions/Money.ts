import { Schema } from "effect"

/** An amount in BRL on the wire: a decimal string with four places. A-CONV-19, A-CONV-20 */
export const AmountBrl = Schema.String.check(
  Schema.isPattern(/^\d+\.\d{4}$/u, { expected: "a decimal text with four places, such as 12.5000" })
).annotate({
  description: "BRL, a decimal string with four places",
  examples: ["12.5000"]
})

/** An amount that may be below zero. A-CONV-19 */
export const BalanceBrl = Schema.String.check(
  Schema.isPattern(/^-?\d+\.\d{4}$/u, { expected: "a decimal text with four places, such as 12.5000" })
).annotate({
  description: "BRL, a decimal string with four places; below zero with a minus sign",
  examples: ["1000.0000"]
})

const unitsPerBrl = 10_000

/** Returns an amount of 1/10,000 BRL as text. A-CONV-19 */
export const formatBrl = (units: number): string => {
  const magnitude = Math.abs(units)
  const fraction = String(magnitude % unitsPerBrl).padStart(4, "0")
  return `${units < 0 ? "-" : ""}${Math.floor(magnitude / unitsPerBrl)}.${fraction}`
}

/** Returns an amount of 1/10,000 BRL as text; null stays null. */
export const formatBrlOrNull = (units: number | null): string | null => (units === null ? null : formatBrl(units))

/**
 * Reads a decimal of at most four places as 1/10,000 BRL; `undefined` when the text is not one, or is beyond a safe
 * integer.
 */
export const parseBrl = (text: string): number | undefined => {
  const match = /^(\d{1,11})(?:\.(\d{1,4}))?$/.exec(text)
  if (match === null) return undefined
  return Number(match[1]) * unitsPerBrl + Number((match[2] ?? "").padEnd(4, "0"))
}

/**
 * Returns ten-thousandths as a fraction without trailing zeros, with at least two digits after the point. gaps-3 D
 * "Rate text and rounding"
 */
export const formatRate = (tenThousandths: number): string => formatBrl(tenThousandths).replace(/0{1,2}$/, "")
