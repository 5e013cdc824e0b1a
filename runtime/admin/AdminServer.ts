import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressRefused, listenAt } from "@carteiro/owners/AddressRefused.ts"
import { HealthChecks, worstOf } from "@carteiro/owners/HealthChecks.ts"
import { Context, Effect, Layer } from "effect"
import { exposition } from "../telemetry/Exposition.ts"

/** An answer of the admin port. */
interface Page {
  readonly status: number
  readonly type: string
  readonly body: string
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
      Effect.gen(function* () {
        const health = yield* HealthChecks
        const services = yield* Effect.context<never>()
        const pages: { readonly [path: string]: Effect.Effect<Page> } = {
          "/metrics": Effect.sync(() => ({
            status: 200,
            type: "text/plain; version=0.0.4; charset=utf-8",
            body: exposition(services)
          })),
          "/health": Effect.map(health.run(), (checks) => healthPage(200, checks)),
          "/health/ready": Effect.map(health.run(), (checks) =>
            healthPage(worstOf(checks) === "failed" ? 503 : 200, checks)
          )
        }
        const fork = Effect.runForkWith(services)
        const port = yield* listening(options.port, (request, response) => {
          const page = request.method === "GET" || request.method === "HEAD" ? pages[pathOf(request)] : undefined
          fork(Effect.map(page ?? Effect.succeed(notFound), (answer) => send(response, answer)))
        })
        return AdminServer.of({ url: `http://${loopback}:${port}`, port })
      })
    )
}

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

const healthPage = (status: number, checks: Effect.Success<ReturnType<HealthChecks["Service"]["run"]>>): Page => ({
  status,
  type: "application/json",
  body: `${JSON.stringify({ object: "health", status: worstOf(checks), checks })}\n`
})

const notFound: Page = { status: 404, type: "text/plain; charset=utf-8", body: "not found\n" }

const send = (response: ServerResponse, page: Page): void => {
  response.writeHead(page.status, {
    "content-type": page.type,
    "content-length": Buffer.byteLength(page.body),
    "cache-control": "no-store"
  })
  response.end(page.body)
}
