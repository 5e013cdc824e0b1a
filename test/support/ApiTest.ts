import { request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { Draining, HttpServer } from "@carteiro/http-edge/Listener.ts"
import { Pipeline } from "@carteiro/http-edge/Pipeline.ts"
import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import type { Follower } from "@carteiro/owners/Commit.ts"
import * as Access from "@carteiro/runtime/access/room.ts"
import { readRateLimits } from "@carteiro/runtime/ratelimit/RateLimitsSetting.ts"
import type { RateTable } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { EnvironmentCreated } from "@carteiro/runtime/tenancy/EnvironmentCreated.ts"
import { Context, Effect, Layer, Result } from "effect"
import { layerHoldsShards, type OwnerTestOptions, ownerServices } from "./OwnerTest.ts"
import { served } from "./ServedRooms.ts"
import { seedTenant, type TestTenant } from "./Tenants.ts"
import { layerClock, layerLiveClock, layerRunsAtEnd } from "./TurnedClock.ts"

/** A response as a client sees it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON; empty when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of answers it has not declared
  readonly body: any
  readonly text: string
}

export interface CallOptions {
  /** Sent as `Authorization: Bearer`. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** Sent as `Idempotency-Key`. */
  readonly idempotencyKey?: string
}

/** A client of the running server, and the two organizations it serves. */
export class Api extends Context.Service<
  Api,
  {
    readonly baseUrl: string
    /** The organization most tests call from. */
    readonly acme: TestTenant
    /** A second organization, without access to acme's data. */
    readonly other: TestTenant
    /**
     * Sends a request: objects as JSON, strings and bytes unchanged; both as `application/json` unless headers say
     * otherwise.
     */
    call(method: string, path: string, body?: unknown, options?: CallOptions): Effect.Effect<Answer>
    get(path: string, options?: CallOptions): Effect.Effect<Answer>
    post(path: string, body?: unknown, options?: CallOptions): Effect.Effect<Answer>
    patch(path: string, body?: unknown, options?: CallOptions): Effect.Effect<Answer>
    delete(path: string, options?: CallOptions): Effect.Effect<Answer>
  }
>()("@carteiro/test/support/Api") {}

export interface ApiTestOptions {
  /** `turned` (the default) stands still at 2026-01-01 until a test turns it; `live` is the machine's clock. */
  readonly clock?: "turned" | "live"
  /** Rate limits; unlimited by default. `standardRates` is the contract's table. */
  readonly rates?: RateTable
  readonly followers?: Readonly<Record<string, ReadonlyArray<Follower>>>
  /** The content that the rooms under test put into environments created through the API; seeded tenants get none. */
  readonly created?: (typeof EnvironmentCreated)["Service"]
  /** A database to use instead of the file's own, such as one for leaps over months. */
  readonly database?: OwnerTestOptions["database"]
}

const lifted = Result.getOrThrow(readRateLimits("off"))

/**
 * The whole HTTP stack of the given rooms on a free port, over real admission, owners, commits and PostgreSQL. `doors`
 * are the layers that rooms export (`Layer.mergeAll` of many), `owners` their entity layers; room access is always
 * included.
 */
export const ApiTest = <A, E, R, A2, E2, R2>(
  doors: Layer.Layer<A, E, R>,
  owners: Layer.Layer<A2, E2, R2>,
  options: ApiTestOptions = {}
) =>
  Layer.mergeAll(layerRunsAtEnd, layerHoldsShards, client).pipe(
    Layer.provideMerge(HttpServer.layer({ host: "127.0.0.1", port: 0, drainMillis: 500 })),
    Layer.provideMerge(doors),
    Layer.provideMerge(Pipeline.layer),
    Layer.provideMerge(served(Access.room)),
    Layer.provideMerge(Layer.merge(owners, Access.room.owners)),
    Layer.provideMerge(
      Layer.mergeAll(RouteTable.layer, Draining.layer, Layer.succeed(EnvironmentCreated, options.created ?? []))
    ),
    Layer.provideMerge(
      ownerServices(options.followers, {
        clock: options.clock === "live" ? layerLiveClock : layerClock,
        rates: options.rates ?? lifted,
        ...(options.database === undefined ? {} : { database: options.database })
      })
    )
  )

/** Calls the server; seeds both organizations. */
export const client = Layer.effect(
  Api,
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const call = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
      exchange(port, method, path, body, options)
    return Api.of({
      baseUrl: `http://127.0.0.1:${port}`,
      acme: yield* seedTenant("acme"),
      other: yield* seedTenant("other"),
      call,
      get: (path, options) => call("GET", path, undefined, options),
      post: (path, body, options) => call("POST", path, body, options),
      patch: (path, body, options) => call("PATCH", path, body, options),
      delete: (path, options) => call("DELETE", path, undefined, options)
    })
  })
)

const exchange = (port: number, method: string, path: string, body: unknown, options: CallOptions) =>
  Effect.callback<Answer>((resume) => {
    const payload =
      body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body)
    const request = httpRequest({
      host: "127.0.0.1",
      port,
      method,
      path,
      headers: {
        ...(payload === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
        ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
        ...(options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey }),
        ...(options.headers as Record<string, string | Array<string>>)
      }
    })
    request.on("error", (error) => resume(Effect.die(error)))
    request.on("response", (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8")
        const json = response.headers["content-type"]?.startsWith("application/json") === true && text !== ""
        resume(
          Effect.succeed({
            status: response.statusCode ?? 0,
            headers: flat(response.headers),
            body: json ? JSON.parse(text) : {},
            text
          })
        )
      })
    })
    request.end(payload)
    return Effect.sync(() => request.destroy())
  })

const flat = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
