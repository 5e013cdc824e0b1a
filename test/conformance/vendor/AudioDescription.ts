import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"

const folder = process.env.CARTEIRO_VENDOR_SPECS ?? join(import.meta.dirname, "../../../../shared/vendor-specs")
const path = join(folder, "openai-audio.json")

const isDescribed = existsSync(path)

/** The words for a test's name when the description of the audio operations is missing. */
export const audioUndescribed = isDescribed ? "" : " (not compared: no openai-audio.json in CARTEIRO_VENDOR_SPECS)"

/** Schemas of the audio operations that the tests compare with. */
export type AudioSchema =
  | "CreateSpeechRequest"
  | "CreateTranscriptionRequest"
  | "CreateTranscriptionResponseVerboseJson"
  | "CreateTranscriptionResponseJson"

let ajv: Ajv2020 | undefined

/** Returns what is wrong with a value by a schema of the description; empty when nothing is, or nothing describes it. */
export const audioFlaws = (schema: AudioSchema, value: unknown): ReadonlyArray<string> => {
  if (!isDescribed) return []
  ajv ??= new Ajv2020({ strict: false, validateFormats: false }).addSchema(
    JSON.parse(readFileSync(path, "utf8")),
    "audio"
  )
  const check = ajv.compile({ $ref: `audio#/components/schemas/${schema}` })
  return check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
