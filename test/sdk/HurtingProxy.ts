import { createServer, type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/**
 * One way in which a request is hurt: `cut` before it reaches the API, `lost` behind the API's answer, a 429 or 503 in its place; `passed`
 * is left alone.
 */
export type Hurt = "passed" | "cut" | "lost" | 429 | 503

/** A proxy between a client and the API. */
export interface HurtingProxy {
  readonly url: string
  /** Where requests go from now on. */
  readonly leadTo: (baseUrl: string) => void
  /** How often requests were hurt in each way. */
  readonly counted: ReadonlyMap<Hurt, number>
}

/** Starts a proxy that hurts requests in the given order, again and again, until the scope closes. */
export const hurtingProxy = (order: ReadonlyArray<Hurt>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly proxy: HurtingProxy; readonly close: () => void }>((resume) => {
        const counted = new Map<Hurt, number>()
        let target = ""
        let at = 0
        const server = createServer((incoming, response) => {
          const hurt = order[at++ % order.length] ?? "passed"
          counted.set(hurt, (counted.get(hurt) ?? 0) + 1)
          hurtOne(hurt, target, incoming, response)
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          const leadTo = (baseUrl: string) => {
            target = baseUrl
          }
          const close = () => {
            server.close()
            server.closeAllConnections()
          }
          resume(Effect.succeed({ proxy: { url: `http://127.0.0.1:${port}`, leadTo, counted }, close }))
        })
      }),
      ({ close }) => Effect.sync(close)
    ),
    ({ proxy }) => proxy
  )

const hurtOne = (hurt: Hurt, target: string, incoming: IncomingMessage, response: ServerResponse): void => {
  if (hurt === "cut") return void incoming.socket.destroy()
  if (typeof hurt === "number") {
    const type = hurt === 429 ? "rate_limited" : "service_unavailable"
    const body = JSON.stringify({ error: { type, code: type, message: "hurt", request_id: "req_hurt", trace_id: "t" } })
    incoming.resume()
    return void response.writeHead(hurt, { "content-type": "application/json", "retry-after": "1" }).end(body)
  }
  const { hostname, port } = new URL(target)
  const { headers, method, url } = incoming
  const options: RequestOptions = {
    hostname,
    port,
    path: url ?? "/",
    method,
    headers: { ...headers, connection: "close" }
  }
  const outgoing = request(options, (answer) => {
    if (hurt === "lost") {
      answer.resume()
      answer.on("close", () => incoming.socket.destroy())
      return
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.on("error", () => response.destroy())
    answer.pipe(response)
  })
  outgoing.on("error", () => incoming.socket.destroy())
  incoming.on("error", () => outgoing.destroy())
  incoming.pipe(outgoing)
}
