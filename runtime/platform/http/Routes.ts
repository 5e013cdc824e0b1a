import type { IncomingMessage, ServerResponse } from "node:http"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { type Context, Effect, Layer } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { ApiRequest, IncomingBody, RawRequest } from "./ApiRequest.ts"
import { defaultBodyLimit } from "./Body.ts"
import { compileOperation } from "./Operation.ts"
import type { BytesReply, Reply } from "./Reply.ts"
import type { Operation, RawRoute } from "./Route.ts"
import { RouteTable } from "./RouteTable.ts"

/** The typed request of one endpoint; an endpoint that takes bytes gets its body unread. */
export type RequestOf<E> = E extends HttpApiEndpoint.ConstraintRequest
  ? ApiRequest<Part<E["~Params"]>, Part<E["~Query"]>, BodyPart<E["~Payload"]>>
  : never

type Part<S> = [S] extends [never] ? Record<never, never> : S extends { readonly Type: infer A } ? A : never
type BodyPart<S> = [S] extends [never]
  ? undefined
  : S extends { readonly Type: infer A }
    ? A extends Uint8Array
      ? IncomingBody
      : A
    : never

/** One handler for every endpoint of a group; a missing or surplus one does not compile. */
export type HandlersOf<G, R> = {
  readonly [E in HttpApiGroup.Endpoints<G> as HttpApiEndpoint.Identifier<E>]: (
    request: RequestOf<E>
  ) => Effect.Effect<Reply | BytesReply, ApiError, R>
}

// What the handlers require is in the route's context; the mapped type guarantees the rest.
type Erased = { readonly [name: string]: Operation["handler"] | undefined }

/** Ways to put routes into the table; each gives a layer that the room's door merges. */
export class Routes {
  /**
   * Serves a group of the contract. What the handlers require is taken from the layer's context once, and every request
   * runs in that context. Handlers that are built from services are given as an effect: see `handlers`.
   */
  static readonly group = <G extends HttpApiGroup.Top, R = never, E = never, RX = never>(
    group: G,
    handlers: HandlersOf<G, R> | Effect.Effect<HandlersOf<G, R>, E, RX>
  ): Layer.Layer<never, E, RouteTable | R | RX> =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const table = yield* RouteTable
        const context: Context.Context<never> = yield* Effect.context<R>()
        const built = Effect.isEffect(handlers) ? yield* handlers : handlers
        for (const endpoint of Object.values<HttpApiEndpoint.Top>(group.endpoints)) {
          const handler = (built as unknown as Erased)[endpoint.identifier]
          if (handler === undefined) throw new Error(`No handler for ${group.identifier}.${endpoint.identifier}`)
          table.add(compileOperation(group, endpoint, handler, context))
        }
      })
    )

  /** Types the handlers of a group inside an effect that builds them. */
  static readonly handlers = <G extends HttpApiGroup.Top, R>(_group: G, handlers: HandlersOf<G, R>): HandlersOf<G, R> =>
    handlers

  /** Serves one route outside the contract: no decoding, no admission; failures still answer the envelope. */
  static readonly raw = <R = never>(options: {
    readonly operation: string
    readonly method: string
    readonly path: string
    readonly maxBodyBytes?: number
    readonly handler: (request: RawRequest) => Effect.Effect<Reply | BytesReply, ApiError, R>
  }): Layer.Layer<never, never, RouteTable | R> =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const table = yield* RouteTable
        const context: Context.Context<never> = yield* Effect.context<R>()
        table.add({
          kind: "raw",
          operation: options.operation,
          method: options.method,
          path: options.path,
          maxBodyBytes: options.maxBodyBytes ?? defaultBodyLimit,
          handler: options.handler as RawRoute["handler"],
          context
        })
      })
    )

  /** Gives every unmatched path under a prefix to another node handler, such as one of `NodeHttpServer.makeHandler`. */
  static readonly mount = (
    path: string,
    handler: (request: IncomingMessage, response: ServerResponse) => void
  ): Layer.Layer<never, never, RouteTable> =>
    Layer.effectDiscard(
      Effect.map(RouteTable, (table) => table.add({ kind: "mount", operation: `mount ${path}`, path, handler }))
    )
}
