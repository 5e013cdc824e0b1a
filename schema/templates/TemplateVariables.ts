/** `POSITIONAL` variables have numbers, `NAMED` ones have names. M-TPL-03 */
export type ParameterFormat = "POSITIONAL" | "NAMED"

/** The variables of a text. */
export interface TextVariables {
  /** The texts between the braces, in the order of the text, repeats included. */
  readonly keys: ReadonlyArray<string>
  /** True when some braces are not part of a pair. */
  readonly hasLooseBraces: boolean
}

const variable = /\{\{([^{}]*)\}\}/g

/** Returns the variables of a text: `{{1}}` or `{{first_name}}`. M-TPL-03 */
export const variablesIn = (text: string): TextVariables => ({
  keys: [...text.matchAll(variable)].map(([, key = ""]) => key),
  hasLooseBraces: /\{\{|\}\}/.test(text.replaceAll(variable, " "))
})

const position = /^[1-9][0-9]{0,3}$/
const name = /^[a-z][a-z0-9_]*$/

/**
 * Returns the reason why these variables break their format, or undefined. Positions run 1..n without gaps. M-TPL-04,
 * gaps-2 G "Component shapes"
 */
export const variablesFault = (
  { hasLooseBraces, keys }: TextVariables,
  format: ParameterFormat
): string | undefined => {
  if (hasLooseBraces) return "every {{ closed by }} around one variable"
  const distinct = new Set(keys)
  if (format === "NAMED") {
    if (keys.some((key) => !name.test(key))) return "variables such as {{first_name}}: a letter, then a-z, 0-9 or _"
    return distinct.size === keys.length ? undefined : "each variable once"
  }
  if (keys.some((key) => !position.test(key))) return "variables such as {{1}}"
  return keys.every((key) => Number(key) <= distinct.size) ? undefined : "variables from {{1}} on without gaps"
}
