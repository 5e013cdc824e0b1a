import { formatBrl, parseBrl } from "@carteiro/schema/conventions/Money.ts"

/**
 * Returns an amount as Brazilians write it, such as `R$ 1.109,87` or `−R$ 5,00`, with a no-break space: sign and figure stay
 * on one line of a page. It is exact: four places where two do not hold it (`R$ 0,0195`), so that the lines of a column add
 * up. Takes 1/10,000 BRL, or an amount as the wire writes it.
 */
export const formatReais = (amount: number | string): string => reaisWith("\u00a0", amount)

/** Returns an amount as `formatReais` does, with a plain space: for sentences of the API and of e-mails. */
export const plainReais = (amount: number | string): string => reaisWith(" ", amount)

const reaisWith = (space: string, amount: number | string): string => {
  const text = typeof amount === "string" ? amount : formatBrl(amount)
  return text.startsWith("-") ? `−R$${space}${numeral(text.slice(1))}` : `R$${space}${numeral(text)}`
}

/** Returns an amount without its currency, for a field that a person edits. */
export const numeralOf = (units: number): string => plainReais(units).replace("R$ ", "")

const numeral = (text: string): string => {
  const [whole = "0", fraction = ""] = text.split(".")
  return `${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ".")},${fraction.replace(/00$/, "")}`
}

/**
 * Reads an amount that a person typed, such as `50`, `50,00`, `1.234,56` or `R$ 0,0195`, as 1/10,000 BRL. Returns undefined
 * where it could mean two amounts: a point before other than three digits (`50.00`), a comma before three (`1,234`).
 */
export const parseReais = (text: string): number | undefined => {
  const typed = /^([-−]?)\s*(?:R\$)?\s*(\d{1,11}|[1-9]\d{0,2}(?:\.\d{3}){1,3})(?:,(\d{1,2}|\d{4}))?$/i.exec(text.trim())
  if (typed === null) return undefined
  const [, sign, whole = "", fraction = "0"] = typed
  const units = parseBrl(`${whole.replaceAll(".", "")}.${fraction}`)
  return units === undefined || sign === "" ? units : 0 - units
}
