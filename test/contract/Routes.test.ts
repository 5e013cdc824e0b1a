import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Operation } from "../../packages/http-edge/contract/Route.ts"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { bodySchema, description, operations, operationsIn } from "./Described.ts"
import { examples } from "./Stage.ts"

const routed = Effect.map(RouteTable, (table) => table.routes())

/** Operations of the contract as the running router holds them. */
const served = Effect.map(routed, (routes) => routes.filter((route): route is Operation => route.kind === "operation"))

/** Members of the description that OpenAPI does not know. */
const extensions = new Set(["x-required-scopes", "x-known-codes", "x-known-values"])

const braces = (path: string) => path.replaceAll(/:(\w+)/g, "{$1}")

/** Paths outside the contract: no key, no version. gaps-1 A, I */
const besides = [
  "GET /",
  "GET /.well-known/svc.json",
  "GET /docs",
  "GET /docs/:name",
  "GET /docs/errors",
  "GET /docs/errors/:code",
  "GET /docs/explorer",
  "GET /docs/images/:name",
  "GET /docs/pt",
  "GET /docs/pt/:name",
  "GET /docs/reference",
  "GET /docs/reference/:operation",
  "GET /docs/search",
  "GET /llms.txt",
  "GET /health",
  "GET /health/ready",
  "GET /openapi.json",
  "GET /postman.json",
  "DELETE /mcp",
  "GET /mcp",
  "POST /mcp",
  "GET /webhooks/upstream",
  "POST /webhooks/upstream",
  "POST /webhooks/cardproc",
  "POST /webhooks/numprov/:numprov_connection_id",
  "POST /webhooks/numprov/platform",
  "POST /webhooks/pixprov1/:provider_connection_id",
  "POST /webhooks/pixprov2/:provider_connection_id",
  "POST /webhooks/pixprov2/:provider_connection_id/:token",
  "POST /webhooks/pixprov2/:provider_connection_id/:token/pix",
  "POST /webhooks/pixprov2/platform",
  "POST /webhooks/pixprov2/platform/:token",
  "POST /webhooks/pixprov2/platform/:token/pix",
  "GET /connect/upstream/callback",
  "GET /pay/:token",
  "GET /sandbox/pay/:token",
  "POST /sandbox/pay/:token"
]

/** No scope lets a key decide what people decide. gaps-2 L "Setup session routes" */
const decidedByPeople = new Set([
  "providerConnections.setupSessions.complete",
  "providerConnections.setupSessions.deny"
])

it.layer(WholeProduct(), { excludeTestServices: true })("Routes", (it) => {
  it.effect("the router and /openapi.json are one table: methods, paths and operation ids A-VER-02", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { body, text } = yield* api.get("/openapi.json")
      assert.deepStrictEqual(JSON.parse(text), description, "schema/openapi.json is stale: run npm run codegen")
      assert.deepStrictEqual(
        operationsIn(body).map(({ method, operationId, path }) => [method, path, operationId]),
        operations.map(({ method, operationId, path }) => [method, path, operationId])
      )
      const table = (yield* served).map(({ method, operation, path }) => `${method} ${braces(path)} ${operation}`)
      assert.deepStrictEqual(
        table.sort(),
        operations.map(({ method, operationId, path }) => `${method} ${path} ${operationId}`).sort()
      )
    })
  )

  it.effect("every path of the contract starts with /v1 A-CONV-07 A-VER-01", () =>
    Effect.gen(function* () {
      for (const route of yield* routed) {
        if (route.kind === "operation") assert.match(route.path, /^\/v1\/[a-z]/)
        else if (route.kind === "raw" && !route.path.startsWith("/dashboard")) {
          assert.include(besides, `${route.method} ${route.path}`)
        }
      }
    })
  )

  it.effect(
    "declares idempotency-key exactly on the operations that honor it, required where mandatory A-IDEM-02",
    () =>
      Effect.gen(function* () {
        const honoring = new Map(
          (yield* served).map(({ operation, traits }) => [operation, traits.idempotency ?? "none"])
        )
        for (const { operationId, parameters } of operations) {
          const headers = parameters.filter((one) => one.in === "header")
          const mode = honoring.get(operationId)
          assert.deepStrictEqual(
            headers.map(({ name, required }) => [name, required]),
            mode === "none" ? [] : [["idempotency-key", mode === "required"]],
            operationId
          )
        }
        // gaps-1 B "Operations that honor the key": the complete list of document 1.
        const first = new Set(["account", "apiKeys", "deviceAuthorizations", "projects", "feedback"])
        const listed = [...honoring].filter(([id]) => id.startsWith("webhook") || first.has(id.split(".")[0] ?? ""))
        const those = (wanted: string) =>
          listed
            .filter(([, mode]) => mode === wanted)
            .map(([id]) => id)
            .sort()
        assert.deepStrictEqual(those("required"), ["feedback.create"])
        assert.deepStrictEqual(those("optional"), [
          "apiKeys.create",
          "apiKeys.rotate",
          "projects.create",
          "webhooks.endpoints.create",
          "webhooks.endpoints.recover",
          "webhooks.endpoints.rotateSecret",
          "webhooks.endpoints.test",
          "webhooks.events.bulkResend",
          "webhooks.events.resend"
        ])
      })
  )

  it.effect("a key without the scopes of an operation is refused with exactly those A-AUTH-09 A-AUTH-10", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const bare = yield* api.post(
        "/v1/api-keys",
        { name: "bare", environment: "sandbox", scopes: [] },
        { key: api.acme.sandbox.key }
      )
      for (const one of operations.filter(({ operationId }) => !decidedByPeople.has(operationId))) {
        const required = one["x-required-scopes"]
        for (const scope of required) assert.include(KeyScope.literals as ReadonlyArray<string>, scope)
        const answer = yield* api.call(one.method, one.path.replaceAll(/[{}]/g, ""), undefined, {
          key: bare.body.secret
        })
        assert.strictEqual(answer.status === 403, required.length > 0, one.operationId)
        if (answer.status !== 403) continue
        assert.strictEqual(answer.body.error.code, "insufficient_scope", one.operationId)
        assert.deepStrictEqual(
          answer.body.error.details,
          { required_scopes: required, missing_scopes: required },
          one.operationId
        )
      }
    })
  )

  it.effect(
    "a known path under another method, case or slash matches no route, and the message names one that does A-ERR-20 A-ERR-21",
    () =>
      Effect.gen(function* () {
        const api = yield* Api
        const key = api.acme.sandbox.key
        const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        for (const path of new Set(operations.map((one) => one.path))) {
          const known = operations.filter((one) => one.path === path).map((one) => one.method)
          const plain = path.replaceAll(/[{}]/g, "")
          const strays = methods.filter((method) => !known.includes(method)).map((method) => [method, plain] as const)
          const shifted = `${plain.slice(0, 3)}${plain.slice(3).toUpperCase()}`
          for (const [method, target] of [...strays, ["GET", `${plain}/`] as const, ["GET", shifted] as const]) {
            const { status, body } = yield* api.call(method, `${target}?secret=1`, undefined, { key })
            assert.deepStrictEqual([status, body.error?.code], [404, "route_not_found"], `${method} ${target}`)
            const head = `No route matches ${method} ${target}. `
            assert.isTrue(body.error.message.startsWith(head), body.error.message)
            const methodsOfPath = [...known].sort().join(", ")
            const hints = [`This path takes ${methodsOfPath}.`, `The nearest path is ${path} (${methodsOfPath}).`]
            assert.include(hints, body.error.message.slice(head.length).replace(/(?<=takes .*\.) .*/, ""))
            assert.deepStrictEqual(body.error.discovery, {
              openapi: "/openapi.json",
              well_known: "/.well-known/svc.json"
            })
          }
        }
      })
  )

  it("field names, parameters and path parameters are snake_case A-CONV-09", () => {
    const names = (schema: unknown): ReadonlyArray<string> => {
      if (typeof schema !== "object" || schema === null) return []
      const { properties, ...rest } = schema as { readonly properties?: Readonly<Record<string, unknown>> }
      return [...Object.keys(properties ?? {}), ...Object.values(properties ?? {}).flatMap(names)].concat(
        Object.values(rest).flatMap(names)
      )
    }
    const found = [
      ...names(description.components.schemas),
      ...operations.flatMap((one) => [...names(one.requestBody), ...names(one.responses)]),
      ...operations.flatMap((one) => one.parameters.filter((p) => p.in !== "header").map(({ name }) => name))
    ]
    assert.isAbove(found.length, 200)
    // The names of headers stand inside a signature preview.
    for (const name of found) assert.match(name, /^[a-z][a-z0-9_]*$|^svc-webhook-/, name)
  })

  it("headers of the service are named svc-… A-CONV-06", () => {
    const headers = [...JSON.stringify(description).matchAll(/"(svc-[a-z-]+|x-[a-z-]+)":/g)].map(([, name]) => name)
    assert.includeMembers(headers, ["svc-request-id", "svc-trace-id"])
    assert.deepStrictEqual(
      headers.filter((name) => !name?.startsWith("svc-") && !extensions.has(name ?? "")),
      []
    )
  })

  it("every operation with a body has an example that the other contract tests start from", () => {
    const bodies = examples({ phone_number_id: "pn", environment: "sandbox" })
    assert.deepStrictEqual(
      Object.keys(bodies).sort(),
      operations
        .filter((one) => bodySchema(one) !== undefined)
        .map((one) => one.operationId)
        .sort()
    )
  })
})
