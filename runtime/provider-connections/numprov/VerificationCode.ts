/** The longest text that is searched, in characters: a text message of several parts is shorter. */
const mostLength = 1600

/**
 * Matches the digits of a code, alone or in two halves as people write them; digits beside other digits are not a code.
 */
const code = /(?<!\+|\d[.,/:-]?)(?:(\d{3})[- ](\d{3})|(\d{4,8}))(?![.,/:-]?\d)/

/**
 * Returns the verification code in a text message, digits only; undefined for a message without one. vendor-wires
 * "numprov"
 */
export const verificationCodeOf = (text: string): string | undefined => {
  const found = code.exec(text.slice(0, mostLength))
  return found === null ? undefined : (found[3] ?? `${found[1]}${found[2]}`)
}
