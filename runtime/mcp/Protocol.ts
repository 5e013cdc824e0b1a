import { type Reply, readReply, warningHeader } from "@carteiro/http-edge/Reply.ts"
import { warningSentences } from "@carteiro/schema/conventions/Access.ts"

/**
 * The protocol revisions that this endpoint supports over Streamable HTTP, newest first. gaps-1 I "Endpoint and
 * transport"
 */
export const protocolVersions: ReadonlyArray<string> = ["2025-11-25", "2025-06-18", "2025-03-26"]

/** Returns the revision to use: the client's own when it is supported. */
export const negotiated = (requested: unknown): string =>
  protocolVersions.find((version) => version === requested) ?? (protocolVersions[0] as string)

/** A message of JSON-RPC 2.0 by its kind; a message without `id` expects no response. */
export type Incoming =
  | { readonly kind: "request"; readonly id: string | number; readonly method: string; readonly params: Params }
  | { readonly kind: "notification" }
  | { readonly kind: "invalid"; readonly id: string | number | null }

type Params = { readonly [name: string]: unknown }

const isRecord = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads one parsed message. Responses, which this endpoint never asked for, count as notifications. */
export const readMessage = (message: unknown): Incoming => {
  if (!isRecord(message) || message.jsonrpc !== "2.0") return { kind: "invalid", id: null }
  const { id, method, params } = message
  const named = typeof id === "string" || (typeof id === "number" && Number.isFinite(id))
  if (typeof method !== "string") {
    const answers = named && ("result" in message || "error" in message)
    return answers ? { kind: "notification" } : { kind: "invalid", id: named ? id : null }
  }
  if (params !== undefined && !isRecord(params)) return { kind: "invalid", id: named ? id : null }
  if (named) return { kind: "request", id, method, params: params ?? {} }
  return id === undefined ? { kind: "notification" } : { kind: "invalid", id: null }
}

/** Returns the text of a response. */
export const resultText = (id: string | number, result: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id, result })

/** The faults of the protocol itself, by their numbers in JSON-RPC 2.0. */
export const faults = {
  invalidRequest: { code: -32_600, message: "The message is not a request of JSON-RPC 2.0." },
  unknownMethod: { code: -32_601, message: "The method is not known." },
  unknownTool: { code: -32_602, message: "The tool is not known." },
  unknownRevision: { code: -32_000, message: "The MCP-Protocol-Version is not known." }
} as const

export const faulted = (id: string | number | null, fault: (typeof faults)[keyof typeof faults]): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: fault })

/**
 * Returns a tool's result: the body of the HTTP response, as text and as structure. A warning of the response is a second
 * text, which an agent reads, and a member of `_meta`. A-MCP-04, gaps-1 I
 */
export const toolResult = (answer: Reply, isError: boolean): object => {
  const body = { type: "text", text: answer.body }
  const warning = answer.headers?.[warningHeader]
  const result = { structuredContent: readReply(answer), isError }
  if (warning === undefined) return { content: [body], ...result }
  const sentence = Object.entries(warningSentences).find(([name]) => name === warning)?.[1]
  const text = `${warningHeader}: ${warning}${sentence === undefined ? "" : `. ${sentence}`}`
  return { content: [body, { type: "text", text }], ...result, _meta: { [warningHeader]: warning } }
}
