import { InvalidQuery } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import { Schema } from "effect"

/** Revisions of the protocol this endpoint speaks over Streamable HTTP, newest first. gaps-1 I "Endpoint and transport" */
export const protocolVersions: ReadonlyArray<string> = ["2025-11-25", "2025-06-18", "2025-03-26"]

/** The revision to go on with: the client's own where it is known. */
export const negotiated = (asked: unknown): string =>
  protocolVersions.find((version) => version === asked) ?? (protocolVersions[0] as string)

/** Arguments of `list_feedback`. A-MCP-01 */
export const ListFeedback = Schema.Struct({
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))),
  after: Schema.optionalKey(Schema.String)
})

/** Arguments of `get_feedback`. A-MCP-02 */
export const GetFeedback = Schema.Struct({ feedback_report_id: Schema.String })

/** Code of arguments that break a tool's contract. gaps-1 I "Errors through MCP" */
export const invalidArguments = InvalidQuery.code

const annotations = { readOnlyHint: true, openWorldHint: false } as const
const text = (description: string) => ({ type: "string", description })

/** The tools as `tools/list` tells them; the bounds are those of the schemas above. A-MCP-01, A-MCP-02 */
export const tools = [
  {
    name: "list_feedback",
    title: "List feedback reports",
    description:
      "Feedback reports sent through the API from the environment of the key, newest first, and how each ended.",
    inputSchema: {
      type: "object",
      properties: {
        limit: { type: "integer", minimum: 1, maximum: 50, description: "Reports a page; 20 when left out" },
        after: text("The `next_cursor` of the page before")
      },
      additionalProperties: false
    },
    annotations
  },
  {
    name: "get_feedback",
    title: "Read a feedback report",
    description: "One feedback report with its status and latest resolution.",
    inputSchema: {
      type: "object",
      properties: { feedback_report_id: text("The id of the receipt, fbk_…") },
      required: ["feedback_report_id"],
      additionalProperties: false
    },
    annotations
  }
] as const

/** A message of JSON-RPC 2.0 as the endpoint tells them apart; a message without `id` wants no answer. */
export type Incoming =
  | { readonly kind: "request"; readonly id: string | number; readonly method: string; readonly params: Params }
  | { readonly kind: "notification" }
  | { readonly kind: "invalid"; readonly id: string | number | null }

type Params = { readonly [name: string]: unknown }

const isRecord = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads one parsed message. Answers to requests this endpoint never sends are taken like notifications. */
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

/** The text of an answer. */
export const answered = (id: string | number, result: object): string => JSON.stringify({ jsonrpc: "2.0", id, result })

/** Faults of the protocol itself, by their numbers in JSON-RPC 2.0. */
export const faults = {
  invalidRequest: { code: -32_600, message: "The message is not a request of JSON-RPC 2.0." },
  unknownMethod: { code: -32_601, message: "The method is not known." },
  unknownTool: { code: -32_602, message: "The tool is not known." },
  unknownRevision: { code: -32_000, message: "The MCP-Protocol-Version is not known." }
} as const

export const faulted = (id: string | number | null, fault: (typeof faults)[keyof typeof faults]): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: fault })

/** What a tool gives back: the very body that HTTP answers, as text and as structure. A-MCP-04, gaps-1 I */
export const toolResult = (body: string, isError: boolean): object => ({
  content: [{ type: "text", text: body }],
  structuredContent: JSON.parse(body),
  isError
})
