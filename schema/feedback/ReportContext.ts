import { Schema } from "effect"
import { text } from "../conventions/Text.ts"

/** Limits of `context`. A-FBK-13..16; bytes count its compact UTF-8 JSON (gaps-1 H). */
const contextLimits = { entries: 32, keyCharacters: 64, valueCharacters: 1024, bytes: 16_384 } as const

const isKey = Schema.is(text(0, contextLimits.keyCharacters))

/** A flat map of text to text. A broken limit is one issue, at the map or at the entry that broke it. A-FBK-12..16 */
export const ReportContext = Schema.Record(Schema.String, text(0, contextLimits.valueCharacters))
  .annotate({
    description: "Additional facts: at most 32 entries, keys to 64, values to 1024 characters, 16 KiB as JSON."
  })
  .check(
    Schema.makeFilter((context) => {
      const keys = Object.keys(context)
      if (keys.length > contextLimits.entries) return `at most ${contextLimits.entries} entries`
      // The key itself may hold a secret that must not be repeated, so the issue is reported at the map.
      if (!keys.every((key) => isKey(key))) return `keys of at most ${contextLimits.keyCharacters} characters`
      return new TextEncoder().encode(JSON.stringify(context)).length <= contextLimits.bytes
        ? true
        : `at most ${contextLimits.bytes} bytes as JSON`
    })
  )
