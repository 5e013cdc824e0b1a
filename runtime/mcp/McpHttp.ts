import { Admission, type Caller } from "@carteiro/http-edge/Admission.ts"
import { isRefusal, readJsonInSlices, refusedMediaType } from "@carteiro/http-edge/Decoding.ts"
import { freeBytes } from "@carteiro/http-edge/Listener.ts"
import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { errorReply, httpException } from "@carteiro/http-edge/Refusals.ts"
import { type OperationReply, rawReply } from "@carteiro/http-edge/Reply.ts"
import { defaultBodyLimit, type RawRequest, Routes } from "@carteiro/http-edge/Routes.ts"
import { inTurns } from "@carteiro/owners/Slices.ts"
import type { OperationTraits } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import type { ToolValues } from "./ApiTools.ts"
import { feedbackTools } from "./FeedbackTools.ts"
import {
  faulted,
  faults,
  type Incoming,
  negotiated,
  protocolVersions,
  readMessage,
  resultText,
  toolResult
} from "./Protocol.ts"
import { sandboxTools } from "./SandboxTools.ts"
import { shownTool, type ToolCall } from "./Tool.ts"
import { decoderOf, invalidArguments } from "./ToolArguments.ts"

const path = "/mcp"
const instructions =
  "Build against the Carteiro API: read the docs, let a customer write, send messages, wait for events and learn why something failed. The tools act with the key of this connection, in its environment."

/** The endpoint counts as a read, so a credit block never stops the feedback tools. A-MCP-03, A-MCP-05, gaps-1 M */
const protocol: OperationTraits = { scopes: [], rate: "read", validation: invalidArguments }

type Request = Extract<Incoming, { readonly kind: "request" }>

/** True for a refusal that a tool's result carries; others (key, rate, our own faults) are HTTP responses. gaps-1 I */
const inResult = ({ status }: ApiError): boolean => status < 500 && status !== 401 && status !== 429

/**
 * POST /mcp: MCP over Streamable HTTP without sessions, so that any node answers any message, always as JSON. GET and
 * DELETE, which are for streams and sessions, answer 405. A-MCP-01..05, gaps-1 I
 */
export const McpHttp = Layer.unwrap(
  Effect.gen(function* () {
    const admission = yield* Admission
    const publicUrl = yield* PublicUrl

    const admit = (http: RawRequest, operation: string, traits: OperationTraits, spends = true) =>
      Effect.map(
        admission.admit({
          authorization: http.authorization,
          ip: http.ip,
          traits,
          operation,
          rate: spends ? traits.rate : undefined,
          isRead: false,
          rateAfterIdempotency: false,
          idempotency: undefined
        }),
        ({ caller }): ToolCall => ({ http, caller })
      )

    const all = [...(yield* feedbackTools), ...(yield* sandboxTools)]
    const known = new Map(all.map((tool) => [tool.name, { tool, decode: decoderOf(tool.arguments) }]))

    const callTool = (http: RawRequest, { id, params }: Request): OperationReply => {
      const found = typeof params.name === "string" ? known.get(params.name) : undefined
      if (found === undefined) {
        return Effect.as(admit(http, "mcp.call", protocol), rawReply(200, faulted(id, faults.unknownTool)))
      }
      const { decode, tool } = found
      return admit(http, `mcp.${tool.name}`, { ...protocol, scopes: tool.scopes }).pipe(
        Effect.flatMap((call) => {
          const given = decode(params.arguments ?? {}) as ToolValues | ApiError
          return isRefusal(given) ? Effect.fail(given) : tool.call(call, withoutNulls(given))
        }),
        Effect.map((answer) => toolResult(answer, false)),
        Effect.catchIf(inResult, (error) =>
          Effect.succeed(toolResult(errorReply(error, http, path, publicUrl()), true))
        ),
        Effect.map((result) => rawReply(200, resultText(id, result)))
      )
    }

    const answer = (request: Request, caller: Caller): string => {
      switch (request.method) {
        case "initialize":
          return resultText(request.id, {
            protocolVersion: negotiated(request.params.protocolVersion),
            capabilities: { tools: {} },
            serverInfo: { name: "carteiro", title: "Carteiro", version: "1.0.0" },
            instructions
          })
        case "ping":
          return resultText(request.id, {})
        case "tools/list":
          return resultText(request.id, { tools: all.filter((tool) => tool.isFor(caller)).map(shownTool) })
        default:
          return faulted(request.id, faults.unknownMethod)
      }
    }

    /**
     * Admits like the routes of the contract: the shape of the key before any byte, the key itself before a large body.
     */
    const admitUnread = (http: RawRequest) => {
      const refusal = admission.refuseUnread(http.authorization, http.ip)
      if (refusal !== undefined) return Effect.fail(refusal)
      const { contentLength = Number.POSITIVE_INFINITY } = http.body
      return contentLength <= freeBytes ? Effect.void : Effect.asVoid(admit(http, "mcp.message", protocol, false))
    }

    const serve = Effect.fnUntraced(function* (http: RawRequest) {
      yield* admitUnread(http)
      const bytes = yield* http.body.bytes(defaultBodyLimit)
      const parsed =
        refusedMediaType(http.body.contentType, http.headers["content-encoding"]) ??
        (yield* inTurns(http.ip, readJsonInSlices(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))))
      const message: Incoming = isRefusal(parsed) ? { kind: "notification" } : readMessage(parsed.value)
      if (message.kind === "request" && message.method === "tools/call" && isKnown(http)) {
        return yield* callTool(http, message)
      }
      const { caller } = yield* admit(http, "mcp.message", protocol)
      if (isRefusal(parsed)) return yield* parsed
      if (message.kind === "invalid") return rawReply(400, faulted(message.id, faults.invalidRequest))
      if (!isKnown(http)) return rawReply(400, faulted(null, faults.unknownRevision))
      return message.kind === "notification" ? rawReply(202, "") : rawReply(200, answer(message, caller))
    })

    // A browser page never has a key of ours, so its request comes from a foreign page. gaps-1 A "CORS"
    const refuseBrowsers = (http: RawRequest) =>
      http.headers.origin === undefined ? serve(http) : Effect.fail(httpException(403, "Browsers are not served."))

    const refuse = (method: string) =>
      Routes.raw({
        operation: `mcp.${method.toLowerCase()}`,
        method,
        path,
        handler: (http) => {
          const refused = errorReply(httpException(405, "Only POST is served here."), http, path, publicUrl())
          return Effect.succeed(rawReply(405, refused.body, { allow: "POST" }))
        }
      })

    return Layer.mergeAll(
      Routes.raw({ operation: "mcp.post", method: "POST", path, handler: refuseBrowsers }),
      refuse("GET"),
      refuse("DELETE")
    )
  })
)

/** Null stands for an argument that was left out. */
const withoutNulls = (values: ToolValues): ToolValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

const isKnown = (http: RawRequest): boolean => {
  const revision = http.headers["mcp-protocol-version"]
  return revision === undefined || (typeof revision === "string" && protocolVersions.includes(revision))
}
