import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The committed description, served byte for byte. A-VER-02 */
export const committedFile = fileURLToPath(new URL("../../schema/openapi.json", import.meta.url))

/** Returns the committed text; undefined when there is none yet. */
export const committedDescription = (): string | undefined => {
  try {
    return readFileSync(committedFile, "utf8")
  } catch {
    return undefined
  }
}
