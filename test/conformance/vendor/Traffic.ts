import type { LogEntry } from "@carteiro/simulators/kit/CallLog.ts"
import { description } from "./Description.ts"
import { at, listOf, type Node, node } from "./Json.ts"

/** Reports about accounts that the description of October 2025 does not show; the platform's pages do. */
const furtherFields: ReadonlySet<string> = new Set([
  "account_alerts",
  "account_review_update",
  "account_update",
  "business_capability_update",
  "flows",
  "message_template_components_update",
  "message_template_quality_update",
  "message_template_status_update",
  "payment_configuration_update",
  "phone_number_name_update",
  "phone_number_quality_update",
  "security",
  "smb_message_echoes",
  "template_category_update",
  "user_id_update",
  "user_preferences"
])

/** Message types that the platform's pages show and the description does not. */
const furtherTypes: ReadonlySet<string> = new Set(["edit", "revoke", "request_welcome"])

/** Routes that the description does not have, each with its source. */
const furtherRoutes: ReadonlyArray<readonly [route: RegExp, source: string]> = [
  [/^(GET|POST) \/v[\d.]+\/upload:/, 'the platform\'s page "Resumable Upload API"'],
  [/^POST \/v[\d.]+\/\w+\/uploads$/, 'the platform\'s page "Resumable Upload API"'],
  [/^GET \/v[\d.]+\/(debug_token|oauth\/access_token|dialog\/oauth)$/, "the platform's pages on access tokens"],
  [/^GET \/download\//, "the file host, whose addresses are opaque"]
]

/** The path of the description for the last words of a path, by their method; `{}` is an id. */
const nodeRoutes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/{}": [
    "/{Version}/{Phone-Number-ID}",
    "/{Version}/{WABA-ID}",
    "/{Version}/{Media-ID}",
    "/{Version}/{Flow-ID}",
    "/{Version}/{TEMPLATE_ID}",
    "/{Version}/{group_id}"
  ]
}

const pathsOf = (document: Node, path: string): ReadonlyArray<string> => {
  const [, , id, ...rest] = path.split("/")
  if (id === undefined) return []
  if (rest.length === 0) return nodeRoutes["/{}"] ?? []
  return Object.keys(at(document, "paths")).filter((one) => one.split("/").slice(3).join("/") === rest.join("/"))
}

/** Returns what is wrong with the request of an operation, by the description. */
const requestFlaws = (path: string, verb: string, { request, type }: LogEntry): ReadonlyArray<string> => {
  const { document, flaws } = description()
  const content = at(document, "paths", path, verb, "requestBody", "content")
  if (request === null || Object.keys(content).length === 0) return []
  if (content[String(type)] === undefined) return [`${String(type)} is not taken`]
  return flaws(["paths", path, verb, "requestBody", "content", "application/json", "schema"], request)
}

const answerFlaws = (path: string, verb: string, { answer }: LogEntry): ReadonlyArray<string> => {
  const { document, flaws } = description()
  const content = ["paths", path, verb, "responses", "200", "content", "application/json"]
  return answer === null || at(document, ...content).schema === undefined ? [] : flaws([...content, "schema"], answer)
}

/** Returns what is wrong with a recorded call by the description: its request, and its answer. */
const callFlaws = (entry: LogEntry): ReadonlyArray<string> => {
  const { document, flaws } = description()
  const { answer, method, path, request, status } = entry
  const words = `${String(method)} ${String(path)}`
  if (furtherRoutes.some(([route]) => route.test(words))) return []
  const verb = String(method).toLowerCase()
  const operations = pathsOf(document, String(path)).filter((one) => at(document, "paths", one)[verb] !== undefined)
  if (operations.length === 0) return [`${words}: the description has no such route`]
  if (typeof status !== "number" || status >= 300) {
    const found = answer === null ? [] : flaws(["components", "schemas", "GraphAPIError_4"], answer)
    return found.map((flaw) => `${words} refused with ${JSON.stringify(answer)}: ${flaw}`)
  }
  // An id alone may be of many kinds: the call fits when one of them fits.
  const results = operations.map((one) => [...requestFlaws(one, verb, entry), ...answerFlaws(one, verb, entry)])
  const best = results.toSorted((one, other) => one.length - other.length)[0] ?? []
  return best.map((flaw) => `${words} ${JSON.stringify({ request, answer }).slice(0, 600)}: ${flaw}`)
}

/** Returns what is wrong with a webhook by the description. */
export const webhookFlaws = (body: string): ReadonlyArray<string> => {
  const { flaws } = description()
  const payload = node(JSON.parse(body))
  const entry = listOf(payload.entry)
    .map(node)
    .map((one) => ({ ...one, changes: listOf(one.changes).map(node).filter(isShown) }))
  return flaws(["components", "schemas", "WebhookPayload"], { ...payload, entry }).map(
    (flaw) => `webhook ${body.slice(0, 600)}: ${flaw}`
  )
}

/** True for a change that the description shows. */
const isShown = ({ field, value }: Node): boolean =>
  !furtherFields.has(String(field)) &&
  !listOf(node(value).messages).some((message) => furtherTypes.has(String(node(message).type)))

/** Returns how recorded traffic differs from the description; empty when it does not. U-SIM-02 */
export const trafficFlaws = (entries: ReadonlyArray<LogEntry>): ReadonlyArray<string> =>
  entries.flatMap((entry) => {
    if (entry.kind === "call") return callFlaws(entry)
    return entry.kind === "posted" ? webhookFlaws(String(entry.body)) : []
  })
