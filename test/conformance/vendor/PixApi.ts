import type { Amendment } from "./Amendments.ts"
import { type Description, described, readDescription } from "./Description.ts"
import { at, listOf, type Node, node } from "./Json.ts"

// The central bank's description of the standard API for Pix, and calls compared with it.

const file = described("bacen-pix-api-2.9.0.yaml")

/** True when the description is at hand. */
export const isPixDescribed = file.isThere

/** The words for a test's name when the description is missing. */
export const pixUndescribed = file.words

const source = "the description's own examples"

const visit = (value: unknown, see: (found: Node) => void): void => {
  if (typeof value !== "object" || value === null) return
  for (const inner of Object.values(value)) visit(inner, see)
  see(node(value))
}

/** Every repair of the description: it contradicts itself there. */
export const pixAmendments: ReadonlyArray<Amendment> = [
  {
    kind: "repair",
    reason: "the pattern of a CPF stands between slashes, which are part of the text then: no CPF is valid",
    source,
    apply: (document) =>
      visit(document, (found) => {
        const inner = /^\/(.+)\/$/.exec(String(found.pattern))?.[1]
        if (typeof found.pattern === "string" && inner !== undefined) found.pattern = inner
      })
  },
  {
    kind: "repair",
    reason: "patterns have no anchors, so that a longer text is valid too",
    source: "the sentences beside them",
    apply: (document) =>
      visit(document, (found) => {
        const { pattern } = found
        if (typeof pattern === "string" && !pattern.startsWith("^")) found.pattern = `^(?:${pattern})$`
      })
  },
  {
    kind: "repair",
    reason: "a list of received Pix demands the member cobs, which it has not; one of charges demands idCob",
    source,
    apply: (document) => {
      const schemas = at(document, "components", "schemas")
      at(schemas, "PixConsultados").required = ["parametros", "pix"]
      const item = at(schemas, "CobsConsultadas", "properties", "cobs", "items", "allOf", 1)
      item.required = listOf(item.required).filter((name) => name !== "idCob")
    }
  }
]

let kept: Description | undefined

const description = (): Description => {
  kept ??= readDescription(file.path, pixAmendments)
  return kept
}

/** A call and its answer. */
export interface PixExchange {
  readonly method: "get" | "put" | "post" | "patch" | "delete"
  /** The path in the description, such as `/cob/{txid}`. */
  readonly path: string
  readonly request?: unknown
  readonly status: number
  readonly contentType: string
  readonly answer: unknown
}

/** Returns an object of the description, behind its reference where it has one. */
const resolved = (found: Node): { readonly pointer: ReadonlyArray<string>; readonly found: Node } | undefined => {
  if (typeof found.$ref !== "string") return undefined
  const pointer = found.$ref.split("/").slice(1)
  return { pointer, found: at(description().document, ...pointer) }
}

/** Returns the flaws of a value by the schema under a content, at a place of the description. */
const contentFlaws = (pointer: ReadonlyArray<string>, type: string, value: unknown): ReadonlyArray<string> => {
  const { document, flaws } = description()
  const reference = resolved(at(document, ...pointer))
  const place = reference?.pointer ?? pointer
  const content = at(document, ...place, "content")
  const isSilent = Object.keys(content).length === 0
  if (isSilent) return value === undefined ? [] : ["a body where the description has none"]
  if (content[type] === undefined) return [`content type ${type} instead of ${Object.keys(content).join()}`]
  return flaws([...place, "content", type, "schema"], value)
}

/** Returns what is wrong with a call and its answer by the description; empty when nothing is. */
export const pixFlaws = ({
  answer,
  contentType,
  method,
  path,
  request,
  status
}: PixExchange): ReadonlyArray<string> => {
  const operation = ["paths", path, method]
  const found = at(description().document, ...operation)
  if (Object.keys(found).length === 0) return [`no operation ${method} ${path}`]
  const asked = request === undefined ? [] : contentFlaws([...operation, "requestBody"], "application/json", request)
  const isKnown = at(found, "responses")[String(status)] !== undefined
  const type = contentType.split(";")[0] ?? ""
  const told = isKnown
    ? contentFlaws([...operation, "responses", String(status)], type, answer)
    : [`no answer ${status} to ${method} ${path}`]
  return [...asked, ...told]
}

/** Returns the flaws of a webhook about received Pix. */
export const pixWebhookFlaws = (body: unknown): ReadonlyArray<string> =>
  contentFlaws(["components", "requestBodies", "WebhookPixBody"], "application/json", body)
