import { shellWord } from "@carteiro/html/ShellWord.ts"
import type { Json } from "./Json.ts"

/** A call of an operation, ready to copy. Most tools that show descriptions read `x-codeSamples`. */
export interface CodeSample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

/** The parts of a described operation that a sample call needs. */
interface SampledOperation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly isPublic: boolean
  readonly parameters: ReadonlyArray<Json>
  readonly requestBody: unknown
}

/** Returns sample calls of the operation with curl, the SDK and the command line; ids of paths are in capitals. */
export const codeSamples = (operation: SampledOperation): ReadonlyArray<CodeSample> => {
  const call = callOf(operation)
  return [
    { lang: "Shell", label: "curl", source: curl(call) },
    { lang: "TypeScript", label: "SDK", source: typescript(call) },
    // The command line sends JSON only.
    ...(call.bytes === undefined ? [{ lang: "Shell", label: "CLI", source: commandLine(call) }] : [])
  ]
}

interface Call {
  readonly operationId: string
  readonly method: string
  /** The path with `MESSAGE_ID` for the parameter `message_id`. */
  readonly path: string
  readonly ids: ReadonlyArray<string>
  readonly isPublic: boolean
  /** Undefined without a body. */
  readonly body: unknown
  /** The media type of a binary body. */
  readonly bytes: string | undefined
  readonly query: Readonly<Record<string, unknown>>
  readonly needsIdempotencyKey: boolean
}

const callOf = ({ isPublic, method, operationId, parameters, path, requestBody }: SampledOperation): Call => {
  const { content = {} } = (requestBody ?? {}) as { readonly content?: Readonly<Record<string, Json>> }
  const [type] = Object.keys(content)
  const isJson = type === "application/json"
  const needed = parameters.filter((one) => one.required === true)
  return {
    operationId,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase()),
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name.toUpperCase()),
    isPublic,
    body: isJson ? content[type]?.example : undefined,
    bytes: type === undefined || isJson ? undefined : type,
    query: Object.fromEntries(needed.filter((one) => one.in === "query").map((one) => [one.name, exampleOf(one)])),
    needsIdempotencyKey: needed.some((one) => one.name === "idempotency-key")
  }
}

const exampleOf = ({ example, schema }: Json): unknown => {
  const { enum: words, examples } = (schema ?? {}) as {
    readonly enum?: ReadonlyArray<unknown>
    readonly examples?: ReadonlyArray<unknown>
  }
  return example ?? examples?.[0] ?? words?.[0] ?? "…"
}

const key = "order-42-confirmation"

/** Bytes are sent with the media type that their upload was made for. */
const sampleType = "image/png"
const sampleFile = "picture.png"

const curl = ({ body, bytes, isPublic, method, needsIdempotencyKey, path, query }: Call): string => {
  const asked = new URLSearchParams(query as Record<string, string>).toString()
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$CARTEIRO_API_BASE${path}${asked === "" ? "" : `?${asked}`}"`,
    ...(isPublic ? [] : [`-H "Authorization: Bearer $CARTEIRO_API_KEY"`]),
    ...(needsIdempotencyKey ? [`-H "Idempotency-Key: ${key}"`] : []),
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d ${shellWord(JSON.stringify(body, null, 2))}`]),
    ...(bytes === undefined ? [] : [`-H "Content-Type: ${sampleType}"`, `--data-binary @${sampleFile}`])
  ]
  return lines.join(" \\\n  ")
}

const typescript = ({ body, bytes, ids, needsIdempotencyKey, operationId, query }: Call): string => {
  const method = operationId.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const given = [
    ...ids.map((id) => JSON.stringify(id)),
    ...(body === undefined ? [] : [literal(body)]),
    ...(bytes === undefined ? [] : ["bytes", JSON.stringify(sampleType)]),
    ...(Object.keys(query).length === 0 ? [] : [literal(query)]),
    ...(needsIdempotencyKey ? [literal({ idempotencyKey: key })] : [])
  ]
  return [
    ...(bytes === undefined ? [] : [`import { readFile } from "node:fs/promises"`]),
    `import { Carteiro } from "@carteiro/sdk"`,
    "",
    "const carteiro = new Carteiro()",
    ...(bytes === undefined ? [] : [`const bytes = await readFile("${sampleFile}")`]),
    `const answer = await carteiro.${method}(${given.join(", ")})`
  ].join("\n")
}

/** Returns a value as people write it in a program: names without quotes. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:")

const commandLine = ({ body, method, needsIdempotencyKey, path, query }: Call): string => {
  const words = Object.entries(query).map(([name, value]) => `${name}=${shellWord(String(value))}`)
  return [
    `carteiro api ${method.toLowerCase()} ${path.replace(/^\/v1\//, "")}`,
    ...words,
    ...(needsIdempotencyKey ? [`--idempotency-key ${key}`] : []),
    ...(body === undefined ? [] : [`--body ${shellWord(JSON.stringify(body))}`])
  ].join(" ")
}
