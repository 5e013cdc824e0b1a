import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { Effect } from "effect"

/** A vendor's webhook as received. */
export interface Heard {
  readonly body: Buffer
  readonly signature: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The path and query that were called. */
  readonly path: string
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * A receiver that accepts every webhook while the scope is open; `heard` waits for a number of them and returns them.
 */
export const startReceiver = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const waiting: Array<Heard> = []
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { headers, url: path = "/" } = request
          const signature = headers["x-provider-signature"]?.toString()
          waiting.push({ body: Buffer.concat(chunks), signature, headers, path, at: vendorClock() })
          response.writeHead(200).end("{}")
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return { server, waiting, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
    }),
    ({ server }) =>
      Effect.promise(() => {
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      })
  ),
  ({ url, waiting }) => ({
    url,
    heard: (count: number): Effect.Effect<ReadonlyArray<Heard>> =>
      Effect.callback((resume) => {
        const look = () => {
          if (waiting.length >= count) resume(Effect.succeed(waiting.splice(0, count)))
          else setImmediate(look)
        }
        look()
      })
  })
)
