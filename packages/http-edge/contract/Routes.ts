import type { IncomingMessage, ServerResponse } from "node:http"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { type Context, Effect, Layer, type Result } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type Caller, nobody } from "../admission/Admission.ts"
import { isRefusal } from "../decoding/Decoder.ts"
import type { ApiRequest, Credentials, IncomingBody, RawRequest } from "./ApiRequest.ts"
import { Authenticated, type Handler } from "./Entrance.ts"
import { compileOperation } from "./Operation.ts"
import type { BytesReply, Reply } from "./Reply.ts"
import type { Operation, RawRoute } from "./Route.ts"
import { defaultBodyLimit } from "./Route.ts"
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
export type HandlersOf<G extends HttpApiGroup.Constraint> = {
  readonly [Name in keyof G["endpoints"]]: HandlerOf<RequestOf<G["endpoints"][Name]>>
}
type HandlerOf<Request> =
  | ((request: Request) => Effect.Effect<Reply | BytesReply, ApiError, unknown>)
  | Authenticated<Request, unknown>

/**
 * Checks like `Routes.checked` that depend on the caller or the clock (milliseconds). The caller is known after a token
 * was spent, so these run then, and still before the idempotency key is looked up. gaps-1 A "Order of checks in one
 * request"
 */
export type CallerChecksOf<G extends HttpApiGroup.Constraint> = {
  readonly [Name in keyof G["endpoints"]]?: (
    body: Partial<RequestOf<G["endpoints"][Name]>["body"]>,
    caller: Caller,
    now: number
  ) => ApiError | undefined
}

/** Options of a group beside its handlers. */
interface GroupOptions<G extends HttpApiGroup.Constraint> {
  readonly callerChecks?: CallerChecksOf<G>
}

/** The services that the handlers of a group require together. */
export type RequirementsOf<H> = Requirements<H[keyof H]>
type Requirements<F> = F extends (request: never) => Effect.Effect<unknown, unknown, infer R>
  ? R
  : F extends Authenticated<never, infer R>
    ? R
    : never
type Surplus<G extends HttpApiGroup.Constraint, H> = {
  readonly [Name in Exclude<keyof H, keyof G["endpoints"]>]: never
}

// The route's context holds the services that handlers require; the mapped type guarantees the rest.
type Endpoints = { readonly [name: string]: HttpApiEndpoint.Top }
type Erased = {
  readonly [name: string]:
    | (Handler & { readonly check?: BodyCheck })
    | (Authenticated<ApiRequest<unknown, unknown, unknown>> & { readonly check?: undefined })
    | undefined
}
type BodyCheck = (body: unknown) => Result.Result<unknown, ApiError> | undefined
type CallerCheck = (body: unknown, caller: Caller, now: number) => ApiError | undefined
type ErasedCallerChecks = { readonly [name: string]: CallerCheck | undefined }

const checkedBy = (operation: Operation, check: BodyCheck | undefined): Operation =>
  check === undefined
    ? operation
    : {
        ...operation,
        check: (decoded, sent) => check(isRefusal(decoded) ? before(operation.bodyFields, decoded, sent) : decoded)
      }

const withCallerCheck = (operation: Operation, callerCheck: CallerCheck | undefined): Operation => {
  if (callerCheck === undefined) return operation
  return {
    ...operation,
    checkForCaller: (decoded, sent, caller = nobody, now) =>
      callerCheck(isRefusal(decoded) ? before(operation.bodyFields, decoded, sent) : decoded, caller, now)
  }
}

/** Returns the members that stand before the first violation; fields are in order. */
const before = (fields: ReadonlyArray<string>, { param }: ApiError, input: unknown): object => {
  if (typeof input !== "object" || input === null) return {}
  const violation = fields.indexOf(param?.split(".", 1)[0] ?? "")
  const sound = new Set(violation < 0 ? fields : fields.slice(0, violation))
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => sound.has(name) && value !== null))
}

/** Adds routes to the table; each function returns a layer that the room's wiring merges. */
export class Routes {
  /**
   * Serves a group of the contract. Services that the handlers require are taken from the layer's context once, and
   * every request runs in that context. Handlers built from services are given as an effect: see `handlers`.
   */
  static readonly group: {
    <G extends HttpApiGroup.Constraint, H extends HandlersOf<G>, E, RX>(
      group: G,
      handlers: Effect.Effect<H, E, RX>,
      options?: GroupOptions<G>
    ): Layer.Layer<never, E, RouteTable | RX | RequirementsOf<H>>
    <G extends HttpApiGroup.Constraint, H extends HandlersOf<G>>(
      group: G,
      handlers: H & Surplus<G, H>,
      options?: GroupOptions<G>
    ): Layer.Layer<never, never, RouteTable | RequirementsOf<H>>
  } = (group: HttpApiGroup.Constraint, handlers: object, options: { readonly callerChecks?: object } = {}) =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const table = yield* RouteTable
        const context = yield* Effect.context<never>()
        const built = Effect.isEffect(handlers) ? yield* handlers as Effect.Effect<unknown> : handlers
        const callerChecks = options.callerChecks as ErasedCallerChecks | undefined
        for (const endpoint of Object.values(group.endpoints as Endpoints)) {
          const handler = (built as Erased)[endpoint.identifier]
          if (handler === undefined) throw new Error(`No handler for ${group.identifier}.${endpoint.identifier}`)
          const { identifier } = endpoint
          const compiled = compileOperation(group, endpoint, handler, context)
          const operation = checkedBy(compiled, handler.check)
          table.add(withCallerCheck(operation, callerChecks?.[identifier]))
        }
      })
    )

  /** Types the handlers of a group inside an effect that builds them. */
  static readonly handlers = <G extends HttpApiGroup.Constraint, H extends HandlersOf<G>>(
    _group: G,
    handlers: H & Surplus<G, H>
  ): H => handlers

  /**
   * Makes a handler behind a check that the body's schema cannot do (a phone number). Its refusal counts as one of the
   * body, so it comes before any token is spent and any key is taken. The handler receives the result of the check, so
   * that the value is parsed once. When the schema refuses a field, only the fields before it are checked, so that the
   * first offender is reported: `undefined` means that the check's own field is not among them. gaps-1 A "Order of
   * checks in one request"
   */
  static readonly checked = <Request extends { readonly body: unknown; readonly checked?: unknown }, Found, E, R>(
    check: (body: Partial<Request["body"]>) => Result.Result<Found, ApiError> | undefined,
    handle: (request: Request, identity: Found) => Effect.Effect<Reply | BytesReply, E, R>
  ): ((request: Request) => Effect.Effect<Reply | BytesReply, E, R>) =>
    // The pipeline checks a whole body before it calls the handler.
    Object.assign((request: Request) => handle(request, request.checked as Found), { check })

  /**
   * Makes a handler of a route that takes its own credential instead of an API key. The credential is checked in place
   * of the key, before the body is judged, and the handler receives the result. gaps-1 A "Order of checks in one
   * request"
   */
  static readonly authenticated = <Request, Found, R>(
    authenticate: (credentials: Credentials) => Effect.Effect<Found, ApiError>,
    handle: (request: Request, identity: Found) => Effect.Effect<Reply | BytesReply, ApiError, R>
  ): Authenticated<Request, R> =>
    new Authenticated((credentials) =>
      Effect.map(authenticate(credentials), (found) => (request: Request) => handle(request, found))
    )

  /** Serves one route outside the contract, without decoding or admission; failures still use the envelope. */
  static readonly raw = <R = never>(options: {
    readonly operation: string
    readonly method: string
    readonly path: string
    readonly maxBodyBytes?: number
    /** False when the route is served however many calls are in flight: health. */
    readonly isCounted?: boolean
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
          isCounted: options.isCounted ?? true,
          handler: options.handler as RawRoute["handler"],
          context
        })
      })
    )

  /** Sends every unmatched path under a prefix to another node handler, such as one of `NodeHttpServer.makeHandler`. */
  static readonly mount = (
    path: string,
    handler: (request: IncomingMessage, response: ServerResponse) => void
  ): Layer.Layer<never, never, RouteTable> =>
    Layer.effectDiscard(
      Effect.map(RouteTable, (table) => table.add({ kind: "mount", operation: `mount ${path}`, path, handler }))
    )
}
