import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Where the descriptions that vendors publish are; tests say in their names when one is not there. */
const folder = process.env.CARTEIRO_VENDOR_SPECS ?? join(import.meta.dirname, "../../../../shared/vendor-specs")

/** Returns a vendor's description; undefined when it is not at hand. */
export const specOf = (name: string): unknown => {
  const path = join(folder, name)
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined
}

/** Returns the words for a test's name when a description is missing. */
export const undescribed = (spec: unknown): string =>
  spec === undefined ? " (not compared: no vendor description in CARTEIRO_VENDOR_SPECS)" : ""
