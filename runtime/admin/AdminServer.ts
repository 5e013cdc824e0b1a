import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressRefused, listenAt } from "@carteiro/owners/AddressRefused.ts"
import { HealthChecks, type HealthResult, worstOf } from "@carteiro/owners/HealthChecks.ts"
import { jsonCodec } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { exposition } from "../telemetry/Exposition.ts"

/** An answer of the admin port. */
export interface Page {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** A status, the checks that it was judged by, and whatever else operators should see of them. */
export interface Health {
  readonly status: HealthResult["status"]
  readonly checks: { readonly [name: string]: HealthResult }
  readonly processes?: ReadonlyArray<object>
}

/** The pages of the admin port by their paths. */
export interface Pages {
  readonly [path: string]: Effect.Effect<Page>
}

const loopback = "127.0.0.1"

/** The operators' port, on loopback only: `/metrics`, `/health`, `/health/ready`. Boot contract, "Settings" */
export class AdminServer extends Context.Service<AdminServer, { readonly url: string; readonly port: number }>()(
  "@carteiro/runtime/admin/AdminServer"
) {
  /** Listens while the layer lives; port 0 takes any free one. */
  static readonly layer = (options: {
    readonly port: number
  }): Layer.Layer<AdminServer, AddressRefused, HealthChecks> =>
    Layer.effect(
      AdminServer,
      Effect.flatMap(ownPages, (pages) => serveAdmin(options.port, pages))
    )
}

/** The pages about this process alone. */
export const ownPages: Effect.Effect<Pages, never, HealthChecks> = Effect.gen(function* () {
  const health = yield* HealthChecks
  const services = yield* Effect.context<never>()
  return {
    "/metrics": Effect.sync(() => metricsPage(exposition(services))),
    "/health": Effect.map(health.run(), (checks) => healthPage({ status: worstOf(checks), checks }, false)),
    "/health/ready": Effect.map(health.run(), (checks) => healthPage({ status: worstOf(checks), checks }, true))
  }
})

/** Serves pages on loopback until the scope closes, and everything else as 404. */
export const serveAdmin = Effect.fnUntraced(function* (wanted: number, pages: Pages) {
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const port = yield* listening(wanted, (request, response) => {
    const asked = request.method === "GET" || request.method === "HEAD" ? pageAt(pages, pathOf(request)) : undefined
    fork(Effect.map(asked ?? Effect.succeed(notFound), (answer) => send(response, answer)))
  })
  return AdminServer.of({ url: `http://${loopback}:${port}`, port })
})

/** The page of a path, and undefined for every other path. */
export const pageAt = (pages: Pages, path: string): Effect.Effect<Page> | undefined =>
  Object.hasOwn(pages, path) ? pages[path] : undefined

/** Metrics in the Prometheus text format. */
export const metricsPage = (body: string): Page => ({
  status: 200,
  type: "text/plain; version=0.0.4; charset=utf-8",
  body
})

/** The body of a page of health. */
export const healthJson = jsonCodec<Health>()

/** Health as a page. Where the page tells whether requests are taken, a failure is a 503. */
export const healthPage = (report: Health, tellsReadiness: boolean): Page => ({
  status: tellsReadiness && report.status === "failed" ? 503 : 200,
  type: "application/json",
  body: `${JSON.stringify({ object: "health", ...report })}\n`
})

const listening = (port: number, onRequest: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.gen(function* () {
    const server = createServer(onRequest)
    const address = yield* Effect.acquireRelease(listenAt(server, { listener: "admin", host: loopback, port }), () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
    )
    return address.port
  })

const pathOf = (request: IncomingMessage): string => (request.url ?? "/").replace(/[?#].*$/s, "")

const notFound: Page = { status: 404, type: "text/plain; charset=utf-8", body: "not found\n" }

const send = (response: ServerResponse, page: Page): void => {
  response.writeHead(page.status, {
    "content-type": page.type,
    "content-length": Buffer.byteLength(page.body),
    "cache-control": "no-store"
  })
  response.end(page.body)
}
