/** The shape of an amount in reais that is a whole number of centavos. */
const exact = /^(\d{1,13})(?:\.(\d{1,2}))?$/

/**
 * Returns a vendor's amount in reais, a number or a decimal text, in centavos; null if there is none, and undefined for one
 * that is not a whole number of centavos: it cannot be compared. No amount is rounded.
 */
export const centavosOfReais = (reais: unknown): number | null | undefined => {
  if (reais === undefined || reais === null) return null
  const [, whole, part = ""] =
    exact.exec(typeof reais === "number" ? String(reais) : typeof reais === "string" ? reais : "") ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, "0"))
}

/** Returns centavos as a decimal text in reais, with two digits. */
export const reaisText = (centavos: number): string => {
  const digits = String(centavos).padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Returns centavos as the number of reais whose shortest decimal text has at most two digits. */
export const reaisNumber = (centavos: number): number => Number(reaisText(centavos))
