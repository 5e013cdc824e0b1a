import { connect, type Socket } from "node:net"
import { HttpServer } from "@carteiro/http-edge/Listener.ts"
import { Effect } from "effect"

/** One answer as it stood on the wire. */
export interface WireAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly text: string
  readonly json: WireJson
}

/** The parsed body; envelope members are read through `error`. */
export interface WireJson {
  readonly error: {
    readonly type: string
    readonly code: string
    readonly message: string
    readonly param?: string
    readonly request_id: string
    readonly trace_id: string
    readonly retry_after_ms?: number
    readonly details?: { readonly [key: string]: unknown }
    readonly retryable?: boolean
    readonly doc_url: string
    readonly feedback?: unknown
    readonly discovery?: unknown
  }
  readonly [key: string]: unknown
}

/**
 * Sends bytes exactly as given and reads until the server closes. `later` is sent once the first bytes arrived;
 * `endsAtOnce` shuts the sending half behind the bytes.
 */
export const exchange = (
  bytes: string | Buffer,
  later?: (soFar: string, socket: Socket) => void,
  endsAtOnce = false
): Effect.Effect<string, never, HttpServer> =>
  Effect.flatMap(HttpServer, ({ port }) =>
    Effect.callback<string>((resume) => {
      const socket = connect(port, "127.0.0.1")
      let text = ""
      let asked = false
      socket.on("data", (chunk) => {
        text += chunk.toString("utf8")
        if (!asked && later !== undefined) {
          asked = true
          later(text, socket)
        }
      })
      socket.on("error", () => {})
      socket.on("close", () => resume(Effect.succeed(text)))
      if (endsAtOnce) socket.end(bytes)
      else socket.write(bytes)
      return Effect.sync(() => socket.destroy())
    })
  )

/** What a request may carry besides its line; a string body is sent as JSON with its length. */
export interface WireRequest {
  readonly headers?: ReadonlyArray<readonly [string, string]>
  readonly body?: string | Buffer | object
  /** Leaves the key out. */
  readonly anonymous?: boolean
}

/** The request as bytes; the connection closes after its answer unless `keepAlive`. */
export const requestBytes = (line: string, options: WireRequest = {}, keepAlive = false): Buffer => {
  const { body } = options
  const bytes =
    body === undefined || Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
  const names = new Set(options.headers?.map(([name]) => name.toLowerCase()))
  const headers: Array<readonly [string, string]> = [["Host", "forged.example"], ...(options.headers ?? [])]
  if (options.anonymous !== true && !names.has("authorization")) headers.push(["Authorization", "Bearer key"])
  if (!keepAlive) headers.push(["Connection", "close"])
  if (bytes !== undefined && !names.has("content-length")) headers.push(["Content-Length", String(bytes.length)])
  if (bytes !== undefined && !names.has("content-type")) headers.push(["Content-Type", "application/json"])
  const head = `${line} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`
  return bytes === undefined ? Buffer.from(head) : Buffer.concat([Buffer.from(head), bytes])
}

/** One request, one answer. */
export const call = (line: string, options: WireRequest = {}): Effect.Effect<WireAnswer, never, HttpServer> =>
  Effect.map(exchange(requestBytes(line, options)), (text) => parseAnswer(text).answer)

/** Reads the first answer of a connection and what follows it. */
export const parseAnswer = (text: string): { readonly answer: WireAnswer; readonly rest: string } => {
  const end = text.indexOf("\r\n\r\n")
  const [line = "", ...lines] = text.slice(0, end).split("\r\n")
  const headers = Object.fromEntries(
    lines.map((header) => {
      const colon = header.indexOf(":")
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()]
    })
  )
  const after = Buffer.from(text.slice(end + 4))
  const length = Number(headers["content-length"] ?? after.length)
  const body = after.subarray(0, length).toString("utf8")
  return {
    answer: { status: Number(line.split(" ")[1]), headers, text: body, json: parsed(body) },
    rest: after.subarray(length).toString("utf8")
  }
}

const parsed = (body: string): WireJson => JSON.parse(body.startsWith("{") ? body : "{}")
