import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { verifyWebhook } from "./verify.ts"

/** The settings of a receiver. */
export interface ReceiverOptions {
  /** Signing secrets; without any, deliveries are accepted and marked unverified. */
  readonly secrets: ReadonlyArray<string>
  /** Receives one printable line for each delivery. */
  readonly print: (line: string) => void
}

const maxBodyBytes = 1024 * 1024
const maxSummaryCharacters = 160

/** Makes an HTTP server that answers 200 to a verified delivery and 401 to a bad signature. A-SIG-07..12 */
export const createReceiver = (options: ReceiverOptions): Server =>
  createServer((request, response) => {
    if (request.method !== "POST") return answer(response, 405, { allow: "POST" })
    readBody(request, (rawBody) => {
      if (rawBody === undefined) return answer(response, 413, { connection: "close" })
      const id = request.headers["svc-webhook-id"]
      const about = describe(rawBody, typeof id === "string" ? id : "")
      if (options.secrets.length === 0) {
        options.print(`unverified ${about}`)
        return answer(response, 200)
      }
      const result = verifyWebhook({ headers: request.headers, rawBody, secrets: options.secrets })
      options.print(result.verified ? `verified ${about}` : `REFUSED (${result.reason}) ${about}`)
      answer(response, result.verified ? 200 : 401)
    })
  })

const answer = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void => {
  response.writeHead(status, headers).end()
}

const readBody = (request: IncomingMessage, done: (body: Buffer | undefined) => void): void => {
  const chunks: Array<Buffer> = []
  let size = 0
  request
    .on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBodyBytes) chunks.push(chunk)
    })
    .on("end", () => done(size > maxBodyBytes ? undefined : Buffer.concat(chunks)))
}

/** Returns `<type> <id> <data>` on one line, without control characters that could move the terminal's cursor. */
const describe = (rawBody: Buffer, headerId: string): string => {
  const event = parse(rawBody)
  const id = typeof event.id === "string" ? event.id : headerId
  const data = "data" in event ? JSON.stringify(event.data) : ""
  return [event.type ?? "-", id || "-", shorten(data)].map(printable).join(" ").trimEnd()
}

const parse = (rawBody: Buffer): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(rawBody.toString("utf8"))
    return typeof value === "object" && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const shorten = (text: string): string =>
  text.length > maxSummaryCharacters ? `${text.slice(0, maxSummaryCharacters)}…` : text

const printable = (value: unknown): string => String(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd")
