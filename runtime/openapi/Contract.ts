import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Api } from "@carteiro/schema/Api.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { describe } from "./description/Description.ts"

/** The committed description, served byte for byte. A-VER-02 */
export const committedFile = fileURLToPath(new URL("../../schema/openapi.json", import.meta.url))

/** The description of the contract as the code has it now. */
export const currentDescription = (): string => `${JSON.stringify(describe(Api, eventCatalog), null, 2)}\n`

/** The committed text; undefined when there is none yet. */
export const committedDescription = (): string | undefined => {
  try {
    return readFileSync(committedFile, "utf8")
  } catch {
    return undefined
  }
}
