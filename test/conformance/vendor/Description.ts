import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { load } from "js-yaml"
import { type Amendment, amendments } from "./Amendments.ts"
import { type Node, node } from "./Json.ts"

/** Where the descriptions that vendors publish are; tests say in their names when none is there. */
const folder = process.env.CARTEIRO_VENDOR_SPECS ?? join(import.meta.dirname, "../../../../shared/vendor-specs")

/** Returns the path of a vendor's description, and the words for a test's name when it is missing. */
export const described = (file: string) => {
  const path = join(folder, file)
  const isThere = existsSync(path)
  const words = isThere ? "" : " (not compared: no vendor description in CARTEIRO_VENDOR_SPECS)"
  return { path, isThere, words }
}

const platform = described("meta-business-messaging-v23.0.yaml")

/** True when the platform's description is at hand. U-SIM-02 */
export const isDescribed = platform.isThere

/** The words for a test's name when the description is missing. */
export const undescribed = platform.words

/** The platform's description with its repairs and its documented differences. */
export interface Description {
  readonly document: Node
  /** Returns what is wrong with a value by the schema at a path of the document; empty when nothing is. */
  readonly flaws: (pointer: ReadonlyArray<string>, value: unknown) => ReadonlyArray<string>
}

let kept: Description | undefined

/** Reads the description once for all tests of a file. */
export const description = (): Description => {
  kept ??= readDescription(platform.path, amendments)
  return kept
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))

/** Reads a description and applies its repairs and documented differences. */
export const readDescription = (path: string, changes: ReadonlyArray<Amendment>): Description => {
  const document = node(load(readFileSync(path, "utf8")))
  for (const { apply } of changes) apply(document)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, "vendor")
  const compiled = new Map<string, ValidateFunction>()
  return {
    document,
    flaws: (pointer, value) => {
      const ref = `vendor#/${pointer.map(escaped).join("/")}`
      const check = compiled.get(ref) ?? ajv.compile({ $ref: ref })
      compiled.set(ref, check)
      if (check(value)) return []
      return (check.errors ?? []).map(({ instancePath, message, params }) =>
        [instancePath, message, JSON.stringify(params)].join(" ")
      )
    }
  }
}
