import { createServer, type Server } from "node:http"
import { type AddressRefused, listenAt } from "@carteiro/owners/AddressRefused.ts"
import type { Ids } from "@carteiro/owners/Ids.ts"
import { Context, Effect, Layer } from "effect"
import type { RouteTable } from "../contract/RouteTable.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import { clientAddress } from "./ClientAddress.ts"
import { Draining } from "./Draining.ts"
import { type Listener, type ListenerLimits, makeListener } from "./Listener.ts"
import { onParserError } from "./ParserErrors.ts"
import { PublicUrl } from "./PublicUrl.ts"

/** The address and settings of the public listener. Boot contract, "Settings" */
export interface HttpServerOptions {
  /** The port; 0 takes any free one. */
  readonly port: number
  readonly host: string
  /** Addresses or CIDR ranges whose forwarding header counts. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** Limits that differ from `standardLimits`. */
  readonly limits?: Partial<ListenerLimits>
  /** The time for running requests once the stop has begun, in milliseconds. */
  readonly drainMillis?: number
}

/** The public listener; it serves every route whose layer was built before it. */
export class HttpServer extends Context.Service<
  HttpServer,
  { readonly host: string; readonly port: number } & Pick<Listener, "load" | "endLateBodies">
>()("@carteiro/http-edge/listener/HttpServer") {
  /**
   * Listens while the layer lives. On stop, `Draining` begins, new connections are refused, running requests finish,
   * those that do not are interrupted and get 503, then every connection is closed. Boot contract, "Stopping"
   */
  static readonly layer = (
    options: HttpServerOptions
  ): Layer.Layer<HttpServer, AddressRefused, RouteTable | Pipeline | Ids | Draining> =>
    Layer.effect(
      HttpServer,
      Effect.gen(function* () {
        const draining = yield* Draining
        const publicUrl = yield* PublicUrl
        const listener = yield* makeListener(clientAddress(options.trustedProxies ?? []), {
          ...standardLimits,
          ...options.limits
        })
        const server = yield* Effect.sync(() => makeServer(listener, publicUrl))
        const { host, port } = options
        const address = yield* listenAt(server, { listener: "public", host, port, backlog: 1024 })
        yield* Effect.addFinalizer(() =>
          draining.begin.pipe(Effect.andThen(stop(server, listener, options.drainMillis ?? defaultDrainMillis)))
        )
        const { endLateBodies, load } = listener
        yield* Effect.acquireRelease(
          Effect.sync(() => setInterval(() => endLateBodies(performance.now()), lookMillis).unref()),
          (timer) => Effect.sync(() => clearInterval(timer))
        )
        return HttpServer.of({ host, port: address.port, load, endLateBodies })
      })
    )
}

/** The limits of an installation that sets none. */
const standardLimits: ListenerLimits = { bodyBytes: 134_217_728, calls: 4096 }

/** The interval between two checks for late bodies, in milliseconds. */
const lookMillis = 1000

// A part of the 15 seconds of a stop; owners and the database need the rest.
const defaultDrainMillis = 6000

const makeServer = (listener: Listener, publicUrl: () => string): Server => {
  const server = createServer({
    maxHeaderSize: 32 * 1024,
    // Slow senders hold only a socket; these limits free it.
    headersTimeout: 15_000,
    // The longest time for any body, that of a blob; others end earlier, see `BodyWatch`.
    requestTimeout: 960_000,
    connectionsCheckingInterval: 5_000,
    // Longer than the keep-alive of the usual proxies, so that the proxy closes first.
    keepAliveTimeout: 75_000,
    // The pipeline answers a missing Host header with the envelope.
    requireHostHeader: false,
    noDelay: true
  })
  // A client that closed its sending half after the request still gets the response.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on("request", listener.onRequest)
  server.on("checkContinue", listener.onExpectContinue)
  server.on("checkExpectation", listener.onUnknownExpectation)
  server.on("clientError", onParserError(listener.freshIds, publicUrl))
  return server
}

const stop = (server: Server, listener: Listener, drainMillis: number): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    listener.closeConnections()
    const interrupt = setTimeout(() => {
      for (const fiber of listener.running) fiber.interruptUnsafe()
    }, drainMillis)
    const cut = setTimeout(() => server.closeAllConnections(), drainMillis + 1000)
    server.close(() => {
      clearTimeout(interrupt)
      clearTimeout(cut)
      resume(Effect.void)
    })
    server.closeIdleConnections()
  })
