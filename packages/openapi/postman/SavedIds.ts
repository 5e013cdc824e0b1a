import type { DescribedApi } from "./DescribedApi.ts"

/** The variable of a collection that holds an id, by the prefix of the id: `msg` is `message_id`. */
export type SavedIds = ReadonlyMap<string, string>

/** An id as examples show it, with its prefix. */
const exampleId = /\b([a-z]+)_(?:[0-7][0-9a-hjkmnp-tv-z]{25}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g

/**
 * Returns the variables for the ids in the paths of a description. Two things whose parameters have one name are told apart
 * by the first segment of their path: `payment_id` and `agentic_payment_id`.
 */
export const savedIds = ({ paths }: DescribedApi): SavedIds => {
  const saved = new Map<string, string>()
  const names = new Set<string>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const { example, name, in: where } of Object.values(methods).flatMap(({ parameters }) => parameters)) {
      const prefix = where === "path" ? prefixOf(example) : undefined
      if (prefix === undefined || saved.has(prefix)) continue
      const variable = names.has(name) ? `${path.split("/")[2]}_${name}` : name
      names.add(variable)
      saved.set(prefix, variable)
    }
  }
  return saved
}

const prefixOf = (example: unknown): string | undefined => [...String(example).matchAll(exampleId)][0]?.[1]

/** Returns a text in which each example of a saved id is the variable that holds it. */
export const withVariables = (text: string, saved: SavedIds): string =>
  text.replaceAll(exampleId, (id, prefix: string) => {
    const variable = saved.get(prefix)
    return variable === undefined ? id : `{{${variable}}}`
  })

/** The variable with the signed part of the URL of an upload, and the one with the media type that its bytes must have. */
export const uploadVariables = { token: "token", type: "upload_content_type" } as const

/** Lists do not save these: their first row may be the very key of the collection. */
const neverFromLists: ReadonlySet<string> = new Set(["api_key_id"])

/**
 * Returns the lines of a script that runs behind each request of a collection. It saves the id of the resource in a success,
 * the number to send from that the quickstart names, what an upload needs, and from a list the first id of a kind that no
 * answer had before.
 */
export const savingScript = (saved: SavedIds): ReadonlyArray<string> => [
  `const variables = ${JSON.stringify(Object.fromEntries(saved))}`,
  `const neverFromLists = ${JSON.stringify([...neverFromLists])}`,
  "const known = (name) => pm.collectionVariables.get(name)",
  "const save = (id, isListed) => {",
  '  const name = typeof id === "string" ? variables[id.split("_")[0]] : undefined',
  "  if (name === undefined || (isListed && (known(name) || neverFromLists.includes(name)))) return",
  "  pm.collectionVariables.set(name, id)",
  "}",
  'const type = pm.response.headers.get("content-type") || ""',
  'if (pm.response.code < 300 && type.startsWith("application/json")) {',
  "  const answer = pm.response.json()",
  "  save(answer.id, false)",
  "  save(answer.sender && answer.sender.phone_number_id, false)",
  "  if (Array.isArray(answer.data) && answer.data.length > 0) save(answer.data[0].id, true)",
  "  if (answer.upload_url) {",
  `    pm.collectionVariables.set("${uploadVariables.token}", answer.upload_url.split("/").pop())`,
  `    pm.collectionVariables.set("${uploadVariables.type}", answer.upload_headers["content-type"] || answer.upload_headers["Content-Type"])`,
  "  }",
  "}"
]
