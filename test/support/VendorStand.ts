import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** One request that a stand received. */
export interface StandRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** An answer of a stand; `lost` takes the request and cuts the connection. */
export type StandAnswer =
  | "lost"
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      /** JSON, unless it is bytes. */
      readonly body?: unknown
    }

/** A small vendor on this machine, written from the vendor's description within a test; it keeps what it received. */
export const vendorStand = (answer: (request: StandRequest) => StandAnswer | Promise<StandAnswer>) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly received: Array<StandRequest>; close: () => void }>((resume) => {
      const received: Array<StandRequest> = []
      const server = createServer(async (request, response) => {
        const chunks: Array<Buffer> = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const { pathname, searchParams } = new URL(request.url ?? "/", "http://stand")
        const one: StandRequest = {
          method: request.method ?? "",
          path: pathname,
          query: searchParams,
          headers: request.headers,
          body: Buffer.concat(chunks)
        }
        received.push(one)
        const reply = await answer(one)
        if (reply === "lost") return void request.socket.destroy()
        const { body, headers, status = 200 } = reply
        const isBytes = body instanceof Uint8Array
        response.writeHead(status, {
          "content-type": isBytes ? "application/octet-stream" : "application/json",
          ...headers
        })
        response.end(body === undefined ? undefined : isBytes ? body : JSON.stringify(body))
      })
      server.listen(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            received,
            close: () => {
              server.closeAllConnections()
              server.close()
            }
          })
        )
      )
    }),
    (stand) => Effect.sync(() => stand.close())
  )
