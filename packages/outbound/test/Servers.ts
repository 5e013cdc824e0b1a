import { createSocket, type Socket as UdpSocket } from "node:dgram"
import { createServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer, type TlsOptions } from "node:tls"
import { Context, Effect, Layer } from "effect"
import { notAllowed } from "../Attempt.ts"
import { NameResolver } from "../NameResolver.ts"
import { Outbound, type OutboundOptions, type OutboundRequest } from "../Outbound.ts"

/** Listens on a free port until the scope closes, then drops every connection. */
const listen = <S extends Server>(server: S, host = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.callback<{ readonly server: S; readonly port: number }>((resume) => {
      server.listen(0, host, () => resume(Effect.succeed({ server, port: (server.address() as AddressInfo).port })))
    }),
    () =>
      Effect.callback<void>((resume) => {
        for (const socket of sockets.get(server) ?? []) socket.destroy()
        server.close(() => resume(Effect.void))
      })
  )

const sockets = new WeakMap<Server, Set<Socket>>()

const tracked = <S extends Server>(server: S): S => {
  const open = new Set<Socket>()
  sockets.set(server, open)
  return server.on("connection", (socket: Socket) => {
    open.add(socket.on("error", () => {}).on("close", () => open.delete(socket)))
  })
}

/** A real HTTP server. */
export const http = (listener: RequestListener, host?: string) => listen(tracked(createServer(listener)), host)

/** A server that does what it likes with each connection once the request's head has arrived. */
export const tcp = (onRequest: (socket: Socket) => void) =>
  listen(tracked(createTcpServer((socket) => socket.once("data", () => onRequest(socket)))))

/** A server of connections that the test speaks itself. */
export const serve = (server: Server) => listen(tracked(server))

/** A server that takes connections and says nothing, not even of TLS. */
export const silent = listen(tracked(createTcpServer(() => {})))

/** A TLS server that answers every request with 204, or ends a connection instead of answering its second. */
export const tls = (options: TlsOptions, oncePerConnection = false) =>
  listen(
    tracked(
      createTlsServer(options, (socket) => {
        let answered = false
        socket.on("error", () => {})
        socket.on("data", () => {
          if (answered && oncePerConnection) socket.end()
          else socket.write("HTTP/1.1 204 No Content\r\n\r\n")
          answered = true
        })
      }).on("tlsClientError", () => {})
    )
  )

/** A DNS server on loopback; each A query gets what `answer` gives for its number, from 0, or no reply. */
export const dns = (answer: (query: number) => ReadonlyArray<string> | undefined) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<UdpSocket>((resume) => {
        let queries = 0
        const socket = createSocket("udp4").on("message", (message, peer) => {
          let end = 12
          while (message[end] !== 0) end += (message[end] ?? 0) + 1
          const addresses = message.readUInt16BE(end + 1) === 1 ? answer(queries++) : []
          if (addresses === undefined) return
          const records = addresses.map((address) =>
            Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4, ...address.split(".").map(Number)])
          )
          const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, addresses.length, 0, 0, 0, 0])
          message.copy(head, 0, 0, 2)
          socket.send(Buffer.concat([head, message.subarray(12, end + 5), ...records]), peer.port, peer.address)
        })
        socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(socket)))
      }),
      (socket) => Effect.sync(() => socket.close())
    ),
    (socket) => NameResolver.layerWith([`127.0.0.1:${socket.address().port}`])
  )

/** A delivery to what a tenant wrote. */
interface Delivery extends Omit<OutboundRequest, "url"> {
  readonly url: string
}

/** An `Outbound` for one test, its deliveries as the webhooks room makes them; names resolve to nothing unless told. */
export const outbound = (
  options: OutboundOptions,
  resolver: Layer.Layer<NameResolver> = Layer.succeed(NameResolver, { resolve: () => Effect.succeed([]) })
) =>
  Effect.map(Layer.build(Outbound.layer(options).pipe(Layer.provide(resolver))), (built) => {
    const { post, tenantUrl, vet } = Context.get(built, Outbound)
    return {
      vet,
      post: ({ url: text, ...request }: Delivery) => {
        const url = tenantUrl(text)
        return url === undefined ? Effect.succeed(notAllowed) : post({ url, ...request })
      }
    }
  })

/** A small delivery to a URL. */
export const delivery = (url: string, more: Partial<Delivery> = {}): Delivery => ({
  url,
  headers: { "content-type": "application/json", "user-agent": "svc-webhooks/1", "svc-webhook-id": "evt_1" },
  body: '{"id":"evt_1"}',
  ...more
})
