import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { htmlReply, reply, staticBody } from "@carteiro/http-edge/Reply.ts"
import { Routes, type RouteTable } from "@carteiro/http-edge/Routes.ts"
import { Api } from "@carteiro/schema/Api.ts"
import { SubscribableEventType } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { jsonCodec } from "@carteiro/tables/StoredJson.ts"
import { Effect, Layer } from "effect"
import { committedDescription } from "./Committed.ts"
import { currentDescription } from "./Contract.ts"
import { operationsOf } from "./description/ContractOperation.ts"
import type { Json } from "./description/Json.ts"
import { manifest } from "./Manifest.ts"
import { postmanCollection } from "./Postman.ts"
import { referencePage, referencePolicy } from "./Reference.ts"

const descriptionJson = jsonCodec<Json>()

/** The addresses that a program finds at the root; a browser is redirected to the reference. */
const signposts = {
  object: "service",
  service: "svc",
  api_version: "v1",
  docs: "/docs",
  openapi: "/openapi.json",
  capabilities: "/.well-known/svc.json",
  dashboard: "/dashboard",
  health: "/health"
} as const

/**
 * Serves `/`, `/openapi.json`, `/postman.json`, `/.well-known/svc.json` and the explorer of the API, all without a key.
 */
export const OpenApiHttp: Layer.Layer<never, never, RouteTable> = Layer.unwrap(
  Effect.gen(function* () {
    // Read when it is asked for, and held as bytes alone: as a text it would be 4 MB.
    const text = Effect.sync(() => committedDescription() ?? currentDescription())
    const description = yield* Effect.cached(Effect.map(text, (described) => staticBody(described, json)))
    const publicUrl = yield* PublicUrl
    const collection = yield* Effect.cached(
      Effect.map(text, (described) =>
        staticBody(JSON.stringify(postmanCollection(descriptionJson.read(described), publicUrl())), json)
      )
    )
    const capabilities = staticBody(JSON.stringify(manifest(operationsOf(Api), SubscribableEventType.literals)), json)
    const page = Effect.flatMap(text, (described) => referencePage(descriptionJson.read(described)))
    const reference = yield* Effect.cached(
      Effect.map(page, (html) =>
        staticBody(html, {
          "content-type": "text/html; charset=utf-8",
          "cache-control": "no-cache",
          "content-security-policy": referencePolicy
        })
      )
    )
    return Layer.mergeAll(
      Routes.raw({
        operation: "openapi.root",
        method: "GET",
        path: "/",
        handler: (request) =>
          Effect.succeed(
            request.headers.accept?.includes("text/html") === true
              ? htmlReply(302, "", { location: signposts.docs, vary: "accept" })
              : { ...reply(request, 200, signposts), headers: { vary: "accept" } }
          )
      }),
      Routes.raw({
        operation: "openapi.description",
        method: "GET",
        path: "/openapi.json",
        handler: (request) => Effect.map(description, (answer) => answer(request))
      }),
      Routes.raw({
        operation: "openapi.postman",
        method: "GET",
        path: "/postman.json",
        handler: (request) => Effect.map(collection, (answer) => answer(request))
      }),
      Routes.raw({
        operation: "openapi.manifest",
        method: "GET",
        path: "/.well-known/svc.json",
        handler: (request) => Effect.succeed(capabilities(request))
      }),
      Routes.raw({
        operation: "openapi.reference",
        method: "GET",
        path: "/docs/explorer",
        handler: (request) => Effect.map(reference, (answer) => answer(request))
      })
    )
  })
)

// gaps-1 A "Security and cache headers"
const json = { "content-type": "application/json; charset=utf-8", "cache-control": "public, max-age=300" }
