import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Server as NetServer } from "node:net"

/** A call as a route of a simulator sees it. */
export interface Call {
  readonly method: string
  readonly path: string
  /** The texts in the places of the pattern, in order. */
  readonly places: ReadonlyArray<string>
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
  /** The connection, for faults that cut it. */
  readonly response: ServerResponse
}

/** A response; a `Buffer` is sent unchanged, any other body as JSON. */
export interface SimulatedAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The handler of a route; `undefined` means that it writes the response itself. */
export type Handler = (call: Call) => SimulatedAnswer | undefined | Promise<SimulatedAnswer | undefined>

/** `GET /{}/media` and the like: a segment `{}` matches any. */
export type RouteList = ReadonlyArray<readonly [pattern: string, handler: Handler]>

export const ok = (body: unknown): SimulatedAnswer => ({ status: 200, body })

/** Returns the JSON of a body, or undefined for other bodies. */
export const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"))
  } catch {
    return undefined
  }
}

/** Returns a record for any value. */
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}

/** True for a text to which webhooks can be posted. */
export const isWebAddress = (value: unknown): value is string =>
  typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "")

/** Makes a server of these routes; `unmatched` answers every other call. */
export const serverOf = (routes: RouteList, unmatched: Handler): Server => {
  const server = createServer(listenerOf(routes, unmatched))
  server.keepAliveTimeout = 65_000
  return server
}

/** Answers calls by these routes, for a server of any kind; `unmatched` answers every other call. */
export const listenerOf = (routes: RouteList, unmatched: Handler): RequestListener => {
  const compiled = routes.map(([pattern, handler]) => {
    const [method = "", path = ""] = pattern.split(" ")
    return { method, segments: path.split("/").slice(1), handler }
  })
  return (request, response) => {
    const url = new URL(request.url ?? "/", "http://simulator")
    const segments = url.pathname.split("/").slice(1).map(decoded)
    const found = compiled.find(
      (route) =>
        route.method === request.method &&
        route.segments.length === segments.length &&
        route.segments.every((segment, at) => segment === "{}" || segment === segments[at])
    )
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("error", () => response.destroy())
    request.on("end", () => {
      const call: Call = {
        method: request.method ?? "",
        path: url.pathname,
        places: segments.filter((_, at) => found?.segments[at] === "{}"),
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks),
        response
      }
      const answered = (found?.handler ?? unmatched)(call)
      if (answered instanceof Promise) void answered.then((answer) => answer && write(response, answer))
      else if (answered !== undefined) write(response, answered)
    })
  }
}

/** Writes a response, unless its connection is gone. */
export const write = (response: ServerResponse, { body, headers, status }: SimulatedAnswer): void => {
  if (response.destroyed || response.headersSent) return
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  const type = Buffer.isBuffer(body) ? "application/octet-stream" : "application/json; charset=utf-8"
  response.writeHead(status, { "content-type": type, "content-length": bytes.length, ...headers }).end(bytes)
}

/** Listens on loopback; port 0 takes any free one. Returns the base URL. */
export const listen = (server: NetServer, port: number, scheme: "http" | "https" = "http"): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", 1024, () => {
      resolve(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
