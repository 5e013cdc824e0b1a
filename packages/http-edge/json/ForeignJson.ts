/** Returns the value of a text that others wrote; undefined where it is not JSON. */
export const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
