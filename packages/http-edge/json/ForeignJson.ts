import { parseExact } from "@carteiro/tables/StoredJson.ts"

/** Returns the value of a text that others wrote; undefined where it is not JSON. */
export const parseText = (text: string): unknown => {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}
