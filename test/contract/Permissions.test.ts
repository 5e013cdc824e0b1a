import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Operation } from "../../packages/http-edge/contract/Route.ts"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { operations } from "./Described.ts"
import { laterRoutes, unnamed } from "./DocumentedRoutes.ts"

/** gaps-1 C "Scope of each document 1 route", to the letter. */
const scopes: ReadonlyArray<readonly [scope: string, ...routes: ReadonlyArray<string>]> = [
  ["", "GET /v1/account", "GET /v1/me"],
  ["", "POST /v1/agent-api-key-device-authorizations", "POST /v1/agent-api-key-device-authorizations/token"],
  [
    "api_keys:admin",
    "POST /v1/api-keys",
    "GET /v1/api-keys",
    "GET /v1/api-keys/{api_key_id}",
    "PATCH /v1/api-keys/{api_key_id}",
    "POST /v1/api-keys/{api_key_id}/rotate",
    "DELETE /v1/api-keys/{api_key_id}"
  ],
  ["projects:write", "POST /v1/projects"],
  ["projects:read", "GET /v1/projects", "GET /v1/projects/{project_id}"],
  ["", "POST /v1/feedback"],
  ["messages:read", "GET /v1/feedback", "GET /v1/feedback/{feedback_report_id}"],
  ["webhooks:read", "GET /v1/webhook-endpoints", "GET /v1/webhook-endpoints/{webhook_endpoint_id}"],
  [
    "webhooks:write",
    "POST /v1/webhook-endpoints",
    "PATCH /v1/webhook-endpoints/{webhook_endpoint_id}",
    "DELETE /v1/webhook-endpoints/{webhook_endpoint_id}",
    "POST /v1/webhook-endpoints/{webhook_endpoint_id}/rotate-secret",
    "POST /v1/webhook-endpoints/{webhook_endpoint_id}/test",
    "POST /v1/webhook-endpoints/{webhook_endpoint_id}/recover"
  ],
  [
    "webhooks:read",
    "GET /v1/webhook-events",
    "GET /v1/webhook-events/{webhook_event_id}",
    "GET /v1/webhook-events/listen",
    "GET /v1/webhook-events/listen/{outbox_event_id}"
  ],
  [
    "webhooks:write",
    "POST /v1/webhook-events/{webhook_event_id}/resend",
    "POST /v1/webhook-events/bulk-resend",
    "POST /v1/webhook-events/listen-sessions",
    "DELETE /v1/webhook-events/listen-sessions/{listen_session_id}"
  ],
  ["logs:read", "GET /v1/request-logs", "GET /v1/request-logs/{request_id}"]
]

/** gaps-1 C "What credit exhaustion restricts": what is left of document 1. */
const restricted = new Set([
  "POST /v1/api-keys",
  "POST /v1/projects",
  "POST /v1/webhook-endpoints",
  "POST /v1/webhook-endpoints/{webhook_endpoint_id}/test",
  "POST /v1/webhook-events/{webhook_event_id}/resend",
  "POST /v1/webhook-events/bulk-resend",
  "POST /v1/webhook-endpoints/{webhook_endpoint_id}/recover"
])

const first = scopes.flatMap(([, ...routes]) => routes)
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`

it("document 1 has these routes and no others A-AUTH-09", () => {
  const later = new Set(laterRoutes.map(({ route }) => route))
  assert.deepStrictEqual(
    operations
      .map(nameOf)
      .filter((route) => !later.has(unnamed(route)))
      .sort(),
    [...first].sort()
  )
})

it("each route of the later documents asks for the scope, and honors the idempotency key, as their tables say A-AUTH-09 A-IDEM-02", () => {
  const served = new Map(operations.map((one) => [unnamed(nameOf(one)), one]))
  const told = laterRoutes.filter(({ route }) => served.has(route))
  assert.isAbove(told.length, 4)
  for (const { idempotency, route, scopes } of told) {
    const { "x-required-scopes": asked, parameters = [] } = served.get(route) ?? {}
    assert.deepStrictEqual(asked, scopes, route)
    const header = parameters.find(({ name }) => name === "idempotency-key")
    assert.strictEqual(header?.required, { "-": undefined, opt: false, req: true }[idempotency], route)
  }
})

it("each route of document 1 asks for the scope the contract names A-AUTH-09 A-AUTH-10", () => {
  const asked = new Map(operations.map((one) => [nameOf(one), one["x-required-scopes"]]))
  for (const [scope, ...routes] of scopes) {
    for (const route of routes) assert.deepStrictEqual(asked.get(route), scope === "" ? [] : [scope], route)
  }
})

it("the catalog holds these 23 scopes A-AUTH-12", () => {
  const families = ["messages", "templates", "contacts", "groups", "payments", "billing", "phone_numbers"]
  const both = [...families, "provider_connections", "projects", "webhooks"].flatMap((family) => [
    `${family}:read`,
    `${family}:write`
  ])
  assert.deepStrictEqual(
    [...KeyScope.literals].sort(),
    [...both, "logs:read", "sandbox:write", "api_keys:admin"].sort()
  )
  assert.lengthOf(KeyScope.literals, 23)
})

it.layer(WholeProduct(), { excludeTestServices: true })("Permissions", (it) => {
  it.effect(
    "exhausted credit stops exactly the restricted operations of production keys A-AUTH-16 A-AUTH-18 A-AUTH-19",
    () =>
      Effect.gen(function* () {
        const { acme, call } = yield* Api
        const sql = yield* SqlClient.SqlClient
        yield* sql`update organizations set credit_blocked = true where id = ${acme.organization_id}`
        for (const one of operations.filter((one) => first.includes(nameOf(one)))) {
          const path = one.path.replaceAll(/[{}]/g, "")
          const codeFor = (key: string) =>
            Effect.map(
              call(one.method, path, undefined, { key, idempotencyKey: "k" }),
              ({ status, body }) => `${status} ${body.error?.code}`
            )
          const blocked = (yield* codeFor(acme.production.key)) === "402 credit_balance_exhausted"
          assert.strictEqual(blocked, restricted.has(nameOf(one)), nameOf(one))
          assert.notMatch(yield* codeFor(acme.sandbox.key), /^402/, nameOf(one))
        }
      })
  )

  it.effect("every operation is limited to 10 MB, the bytes of a file to 100 MB A-LIM-01 A-LIM-02 M-MED-21", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      const served = (yield* RouteTable).routes().filter((route): route is Operation => route.kind === "operation")
      const most = (id: string) => (id === "media.blobs.put" ? 104_857_600 : 10_485_760)
      for (const { maxBodyBytes, operation } of served) assert.strictEqual(maxBodyBytes, most(operation), operation)
      for (const { method, operationId, path } of operations) {
        // The declaration alone is refused: nothing of the body is sent.
        const headers = { "content-length": String(most(operationId) + 1), "content-type": "application/json" }
        const answer = yield* call(method, path.replaceAll(/[{}]/g, ""), undefined, { key: acme.sandbox.key, headers })
        assert.deepStrictEqual(
          [answer.status, answer.body.error?.code],
          [413, "payload_too_large"],
          `${method} ${path}`
        )
      }
    })
  )
})
