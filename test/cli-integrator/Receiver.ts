import { createServer, type RequestListener, type Server } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { Effect } from "effect"
import { selfSigned } from "../../packages/outbound/test/Certificates.ts"

/** One request that arrived. */
export interface Arrived {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
  readonly id: string
  readonly type: string
  /** Ends the request with a status. */
  readonly answer: (status: number) => void
}

/** An integrator's server on this machine. */
export interface Receiver {
  readonly url: string
  readonly arrived: ReadonlyArray<Arrived>
  /** Waits for the request with this number, counted from 1. */
  readonly request: (count: number) => Effect.Effect<Arrived>
}

/** Starts a receiver that answers as told: a status for the request with this number, or undefined to let it wait. */
export const receiver = Effect.fnUntraced(function* (
  answers: (count: number) => number | undefined,
  options: { readonly tls?: boolean } = {}
) {
  const arrived: Array<Arrived> = []
  const hear = new Set<() => void>()
  const take: RequestListener = (request, response) => {
    void buffer(request).then((body) => {
      const { id, type } = JSON.parse(body.toString()) as { readonly id: string; readonly type: string }
      const answer = (status: number) => void response.writeHead(status).end()
      arrived.push({ headers: request.headers, body, id, type, answer })
      const status = answers(arrived.length)
      if (status !== undefined) answer(status)
      for (const each of [...hear]) each()
    })
  }
  const server: Server = options.tls === true ? createTlsServer(selfSigned("localhost"), take) : createServer(take)
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  const { port } = server.address() as AddressInfo
  const request = (count: number) =>
    Effect.callback<Arrived>((resume) => {
      const look = () => {
        const found = arrived[count - 1]
        if (found === undefined) return
        hear.delete(look)
        resume(Effect.succeed(found))
      }
      hear.add(look)
      look()
    })
  const url = `${options.tls === true ? "https" : "http"}://127.0.0.1:${port}/hook`
  return { url, arrived, request } satisfies Receiver as Receiver
})
