import { placeOf } from "./Places.ts"
import { lineAt, type SourceText } from "./SourceText.ts"
import type { Violation } from "./WordingRules.ts"

const declared =
  /\b(?:class\s+(\w+)\s+extends|const\s+(\w+)(?:\s*:[^=\n]*)?\s*=)\s*Context\s*\.\s*(?:Service|Reference)\b/g

/** Returns services and references whose key is not the folder of their file and their name. docs/style.md "Names" */
export const serviceKeys = (path: string, { code, literals }: SourceText): ReadonlyArray<Violation> => {
  const { area } = placeOf(path)
  if (area !== "schema" && area !== "runtime" && area !== "packages") return []
  const folder = path.slice(area === "packages" ? "packages/".length : 0, path.lastIndexOf("/"))
  return [...code.matchAll(declared)].flatMap((match) => {
    const line = lineAt(code, match.index)
    const wanted = `@carteiro/${folder}/${match[1] ?? match[2]}`
    const key = literals.find((literal) => literal.line >= line && literal.text.startsWith("@carteiro/"))?.text
    return key === undefined || key === wanted
      ? []
      : [{ path, line, rule: "service-keys", message: `${key}: the key follows the path, ${wanted}` }]
  })
}
