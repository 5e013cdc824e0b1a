import { Admission, type AdmitInput, type Caller } from "@carteiro/http-edge/Admission.ts"
import { Draining } from "@carteiro/http-edge/Listener.ts"
import { Pipeline } from "@carteiro/http-edge/Pipeline.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes, RouteTable } from "@carteiro/http-edge/Routes.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import {
  AuthenticationError,
  IdempotencyKeyConflict,
  IdempotencyKeyInProgress,
  InternalError,
  PayloadTooLarge
} from "@carteiro/schema/conventions/SharedErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Context, Deferred, Effect, Layer, Logger, Redacted, Result } from "effect"
import { HttpServer, type HttpServerOptions } from "../../packages/http-edge/listener/HttpServer.ts"
import { makeClaim, readClaim } from "../../packages/owners/idempotency/Claim.ts"
import { ParcelsApi } from "./SampleApi.ts"

const caller: Caller = {
  organization_id: "org_1",
  project_id: "prj_1",
  environment_id: "env_1",
  environment: "production",
  api_key_id: "key_1",
  key_prefix: "svc_live_a",
  scopes: [],
  capabilities_off: [],
  over_spend_cap: false,
  default_region: "BR"
}

/** What the test sees of the server and may change: refusals to answer, records kept, what was asked. */
export class Door extends Context.Service<
  Door,
  {
    readonly asked: Array<AdmitInput>
    /** Tokens drawn for source addresses. */
    readonly drawn: Array<string>
    readonly released: Array<string>
    readonly handled: Array<unknown>
    /** Refusals of the next admissions, in order. */
    readonly refusals: Array<ApiError>
    readonly completed: Map<string, { fingerprint: string; status: number; body: string }>
    readonly open: Set<string>
    capabilitiesOff: Caller["capabilities_off"]
    environment: Caller["environment"]
    /** A request named "wait" completes the first and goes on once a test completes the second. */
    readonly entered: Deferred.Deferred<void>
    readonly gate: Deferred.Deferred<void>
    /** How often the next creates lose the race for their key. */
    racesLost: number
  }
>()("@carteiro/test/http/Door") {
  static readonly layer = Layer.sync(Door, () => ({
    asked: [],
    drawn: [],
    released: [],
    handled: [],
    refusals: [],
    completed: new Map(),
    open: new Set<string>(),
    capabilitiesOff: [],
    environment: "production" as const,
    entered: Deferred.makeUnsafe<void>(),
    gate: Deferred.makeUnsafe<void>(),
    racesLost: 0
  }))
}

// Keeps keys the way an owner does: open while a request runs, completed when its handler said so.
const FakeAdmission = Layer.effect(
  Admission,
  Effect.map(Door, (door) =>
    Admission.of({
      refuseUnread: ([header]) => (header?.startsWith("Bearer ") === true ? undefined : new AuthenticationError()),
      ownerOf: () => Effect.undefined,
      admit: (input) =>
        Effect.suspend(() => {
          door.asked.push(input)
          const refusal = door.refusals.shift()
          if (refusal !== undefined) return Effect.fail(refusal)
          if (!input.authorization[0]?.startsWith("Bearer ")) return Effect.fail(new AuthenticationError())
          const present = { ...caller, environment: door.environment, capabilities_off: door.capabilitiesOff }
          if (input.idempotency === undefined) return Effect.succeed({ caller: present })
          const {
            key,
            fingerprints: [fingerprint]
          } = input.idempotency
          const done = door.completed.get(key)
          if (done !== undefined && done.fingerprint !== fingerprint) return Effect.fail(new IdempotencyKeyConflict())
          if (done !== undefined) return Effect.succeed({ caller: present, replay: done })
          if (door.open.has(key)) return Effect.fail(new IdempotencyKeyInProgress())
          door.open.add(key)
          return Effect.succeed({
            caller: present,
            claim: makeClaim({ environment_id: "env_1", key_hash: key, fingerprint, expires_at: 0 })
          })
        }),
      admitPerson: () => Effect.die("nobody is signed in at the sample"),
      claim: () => Effect.die("no operation of the sample asks for its key itself"),
      source: (ip, rate) => Effect.sync(() => void door.drawn.push(`${rate} ${ip}`)),
      release: (claim) =>
        Effect.sync(() => {
          const { key_hash } = readClaim(claim)
          door.released.push(key_hash)
          door.open.delete(key_hash)
        })
    })
  )
)

const duplicate = () =>
  new ApiError({ _tag: "idempotency_duplicate", status: 409, type: "conflict", message: "Lost the race." })

const Handlers = Routes.group(
  ParcelsApi,
  Effect.gen(function* () {
    const door = yield* Door
    return Routes.handlers(ParcelsApi, {
      create: Routes.checked(checkNote, (request) =>
        Effect.gen(function* () {
          door.handled.push(request.body)
          if (door.racesLost > 0) {
            door.racesLost--
            return yield* duplicate()
          }
          const { name } = request.body
          if (name === "boom") return yield* Effect.die(new Error("a secret detail"))
          if (name === "wait") {
            yield* Deferred.succeed(door.entered, undefined)
            yield* Deferred.await(door.gate)
          }
          if (name === "stop") return yield* Effect.interrupt
          if (name === "refuse") return yield* new InternalError({ details: { told: true } })
          const answer = reply(request, 201, { id: request.requestId, body: request.body })
          if (request.claim !== undefined) {
            const { fingerprint, key_hash } = readClaim(request.claim)
            door.completed.set(key_hash, { ...answer, fingerprint })
            door.open.delete(key_hash)
          }
          return answer
        })
      ),
      list: (request) => Effect.succeed(reply(request, 200, { query: request.query })),
      listen: (request) => {
        const heard = reply(request, 200, { listening: true, trace_id: "stored" })
        if (request.query.limit !== "100") return Effect.succeed(heard)
        return Effect.as(Effect.andThen(Deferred.succeed(door.entered, undefined), Deferred.await(door.gate)), heard)
      },
      resendMany: (request) => Effect.succeed(reply(request, 202, {})),
      get: (request) => Effect.succeed(reply(request, 200, { id: request.params.id, ip: request.ip })),
      change: (request) => Effect.succeed(reply(request, 200, { body: request.body })),
      cancel: (request) => Effect.succeed(reply(request, 200, { id: request.params.id, operation: request.operation })),
      report: (request) => Effect.succeed(reply(request, 201, {})),
      charge: (request) => Effect.succeed(reply(request, 202, {})),
      open: (request) => Effect.succeed(reply(request, 200, {})),
      simulate: (request) => Effect.succeed(reply(request, 200, {})),
      test: (request) => Effect.succeed(reply(request, 202, { claimed: request.claim !== undefined })),
      upload: (request) =>
        Effect.map(request.body.bytes(4096), (bytes) =>
          reply(request, 200, {
            bytes: bytes.length,
            type: request.body.contentType,
            caller: request.caller.api_key_id
          })
        )
    })
  })
)

const checkNote = ({ note }: { readonly note?: string | undefined }) =>
  note === "unwanted" ? Result.fail(unwanted()) : undefined

const unwanted = () =>
  new ApiError({
    _tag: "unwanted_note",
    status: 400,
    type: "validation_error",
    message: "Not this note.",
    param: "note"
  })

const Raw = Layer.mergeAll(
  Routes.raw({
    operation: "page",
    method: "GET",
    path: "/page",
    handler: () => Effect.succeed({ status: 200, body: Buffer.from([1, 2, 3]), headers: { "content-type": "image/x" } })
  }),
  Routes.raw({
    operation: "broken",
    method: "GET",
    path: "/broken",
    handler: () => Effect.fail(new PayloadTooLarge())
  }),
  Routes.raw({
    operation: "pulse",
    method: "GET",
    path: "/pulse",
    isCounted: false,
    handler: (request) => Effect.succeed(reply(request, 200, {}))
  }),
  Routes.mount("/mounted", (_request, response) => void response.end("mounted"))
)

const key = new Uint8Array(32).fill(7)

type SampleOptions = Pick<HttpServerOptions, "drainMillis" | "limits">

/** The real pipeline and listener on a free port over the given routes, with a door that only pretends. */
export const serverOf = <E, R>(routes: Layer.Layer<never, E, R>, options: SampleOptions = {}) =>
  HttpServer.layer({ port: 0, host: "127.0.0.1", trustedProxies: ["127.0.0.1"], drainMillis: 100, ...options }).pipe(
    Layer.provide(routes),
    Layer.provide(Pipeline.layer),
    Layer.provide(FakeAdmission),
    Layer.provideMerge(Layer.mergeAll(Door.layer, RouteTable.layer, Draining.layer)),
    Layer.provide(Layer.mergeAll(Ids.layer, Secrets.layer(Redacted.make([key])), Logger.layer([]))),
    Layer.fresh
  )

/** The sample group and routes of every other kind. */
export const sampleRoutes = Layer.mergeAll(Handlers, Raw)

/** A server of its own over the sample routes. */
export const sampleServer = (options?: SampleOptions) => serverOf(sampleRoutes, options)

/** The server most tests share. */
export const SampleServer = sampleServer()
