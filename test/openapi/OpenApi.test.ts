import { Api } from "@carteiro/schema/Api.ts"
import { KeyScope, takesApiKey } from "@carteiro/schema/conventions/Access.ts"
import { defineEvent } from "@carteiro/schema/conventions/Event.ts"
import { EventType } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { committedDescription } from "../../packages/openapi/Committed.ts"
import { currentDescription } from "../../packages/openapi/Contract.ts"
import { operationsOf } from "../../packages/openapi/description/ContractOperation.ts"
import { describe } from "../../packages/openapi/description/Description.ts"
import { OpenApiHttp } from "../../packages/openapi/OpenApiHttp.ts"
import { ParcelsApi } from "../http-edge/SampleApi.ts"
import { serverOf } from "../http-edge/SampleServer.ts"
import { call } from "../http-edge/Wire.ts"

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: unknown
    readonly description?: string
  }>
  readonly requestBody?: { readonly required: boolean }
  readonly responses: Readonly<Record<string, unknown>>
  readonly security: ReadonlyArray<unknown>
  readonly "x-required-scopes": ReadonlyArray<string>
}
interface Description {
  readonly openapi: string
  readonly servers: unknown
  readonly info: Readonly<Record<string, unknown>>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>
    readonly responses: Readonly<Record<string, unknown>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, unknown>>
}

class SampleContract extends HttpApi.make("sample").add(ParcelsApi) {}
const ParcelSent = defineEvent("parcel.sent", Schema.Struct({ parcel_id: Schema.String }), {
  source_type: "message",
  description: "A parcel left."
})
const sample = describe(SampleContract, [ParcelSent]) as unknown as Description
const described = JSON.parse(currentDescription()) as Description
/** Operations behind a key whose body may hold members that the contract does not know. gaps-1 A "Unknown body fields" */
const ignoring = new Set([
  "batches.create",
  "contacts.bulkImport",
  "contacts.optOut",
  "dataRetention.update",
  "media.uploads.create",
  "messages.send",
  "phoneNumbers.connect",
  "phoneNumbers.importNumprov",
  "phoneNumbers.orders.create",
  "phoneNumbers.provision",
  "providerConnections.upstream.exchangeCode",
  "providerConnections.upstream.register",
  "providerConnections.setupSessions.create",
  "providerConnections.signupSessions.create",
  "sandbox.armLlmFailure",
  "sandbox.simulateInbound",
  "sandbox.templates.setStatus"
])
const operations = Object.values(described.paths).flatMap((item) => Object.values(item))

/** A response of an operation, also where it refers to one that several operations have in common. */
const responseOf = (response: unknown): unknown => {
  const { $ref } = (response ?? {}) as { readonly $ref?: string }
  return $ref === undefined ? response : described.components.responses[$ref.split("/").at(-1) ?? ""]
}

it("is committed as the code generates it A-VER-02", () => {
  assert.isTrue(committedDescription() === currentDescription(), "schema/openapi.json is stale: run npm run codegen")
})

it("is OpenAPI 3.1 with relative servers A-VER-04", () => {
  assert.match(described.openapi, /^3\.1\./)
  assert.deepStrictEqual(described.servers, [{ url: "/" }])
})

it("describes every operation of the contract once and nothing else A-VER-02", () => {
  const contract = operationsOf(Api)
  assert.deepStrictEqual(
    operations.map(({ operationId }) => operationId).sort(),
    contract.map(({ operationId }) => operationId).sort()
  )
  assert.strictEqual(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  for (const { method, path, operationId } of contract) {
    assert.strictEqual(described.paths[path]?.[method]?.operationId, operationId)
    assert.isTrue(path.startsWith("/v1/"), path)
  }
})

it("declares the idempotency-key header exactly where it is honored, required where it is mandatory A-IDEM-02", () => {
  for (const { method, path, traits, operationId } of [...operationsOf(Api), ...operationsOf(SampleContract)]) {
    const operation = (described.paths[path] ?? sample.paths[path])?.[method]
    const header = operation?.parameters.find(({ name }) => name === "idempotency-key")
    const mode = traits.idempotency ?? "none"
    assert.strictEqual(header?.required, mode === "none" ? undefined : mode === "required", operationId)
  }
})

it("names the headers of an answer where they occur A-IDEM-02 A-CONV-06", () => {
  const replayed = "svc-idempotent-replayed"
  for (const { method, path, traits, operationId } of operationsOf(Api)) {
    const keyed = (traits.idempotency ?? "none") !== "none"
    for (const [status, response] of Object.entries(described.paths[path]?.[method]?.responses ?? {})) {
      if (!status.startsWith("2")) continue
      const { headers } = responseOf(response) as { readonly headers: Readonly<Record<string, unknown>> }
      assert.includeMembers(Object.keys(headers), ["svc-request-id", "svc-trace-id"], operationId)
      assert.strictEqual(replayed in headers, keyed, operationId)
      assert.strictEqual("svc-ignored-fields" in headers, ignoring.has(operationId), operationId)
    }
  }
})

it("names the scopes and the security of every operation A-AUTH-01", () => {
  for (const { method, path, traits } of operationsOf(Api)) {
    const operation = described.paths[path]?.[method]
    const isPublic = !takesApiKey(traits)
    assert.deepStrictEqual(operation?.["x-required-scopes"], isPublic ? [] : traits.scopes)
    assert.deepStrictEqual(operation?.security, isPublic ? [] : [{ bearer: [] }])
  }
})

/** Operations whose every field may be left out, and the body with them. */
const bodiless = new Set([
  "webhooks.listenSessions.create",
  "media.transcriptions.create",
  "providerConnections.completePending",
  "phoneNumbers.release",
  "agentic.authorizations.revoke",
  "payments.cancel",
  "payments.requestApproval"
])

it("requires a body only where an absent one is refused A-LSS-01", () => {
  for (const { method, path, operationId } of operationsOf(Api)) {
    const body = described.paths[path]?.[method]?.requestBody
    assert.strictEqual(body?.required, body && !bodiless.has(operationId), operationId)
  }
})

it("names the refusals that any operation of its kind may give A-ERR-10 A-ERR-13", () => {
  const refused = (method: string, path: string, status: number) =>
    JSON.stringify(responseOf(described.paths[path]?.[method]?.responses[status]))
  assert.include(refused("post", "/v1/webhook-endpoints", 402), "`credit_balance_exhausted`")
  assert.isUndefined(refused("patch", "/v1/webhook-endpoints/{webhook_endpoint_id}", 402))
  assert.include(refused("get", "/v1/account", 404), "`project_not_found`")
  const resend = "/v1/webhook-events/{webhook_event_id}/resend"
  assert.include(refused("post", resend, 400), "`invalid_idempotency_key`")
  assert.include(refused("post", resend, 409), "`webhook_endpoint_disabled`")
  assert.include(refused("post", resend, 409), "`idempotency_key_in_progress`")
})

/** The envelope a webhook of a description refers to. */
const envelopeOf = ({ components, webhooks }: Description, type: string) => {
  const [, name = ""] = JSON.stringify(webhooks[type]).match(/#\/components\/schemas\/(\w+)/) ?? []
  return components.schemas[name] as { readonly properties: Record<string, unknown>; readonly required: unknown }
}

it("shows the business time on payment events alone A-SIG-04 C-PEVT-06", () => {
  for (const type of Object.keys(described.webhooks)) {
    const { properties, required } = envelopeOf(described, type)
    const timed = type.startsWith("payment.") ? ["occurred_at"] : []
    const members = ["id", "type", "created_at", ...timed, "environment", "trace_id", "data"]
    assert.deepStrictEqual(Object.keys(properties), members, type)
    assert.deepStrictEqual(required, members, type)
  }
})

it("shows the data of every event A-SIG-01 C-GEVT-05", () => {
  for (const type of Object.keys(described.webhooks)) {
    const data = envelopeOf(described, type).properties.data
    const [, name = ""] = JSON.stringify(data).match(/#\/components\/schemas\/(\w+)/) ?? []
    const schema = described.components.schemas[name] as { readonly properties?: object } | undefined
    assert.isNotEmpty(schema?.properties, type)
  }
  assert.deepInclude(envelopeOf(sample, "parcel.sent").properties, {
    data: { $ref: "#/components/schemas/ParcelSentData" }
  })
})

it("shows one error envelope and leaves answers open to new members A-VER-05", () => {
  const text = currentDescription()
  assert.notMatch(text, /Error_\d/)
  for (const { responses } of operations) {
    const whole = Object.values(responses).map(responseOf)
    assert.notInclude(JSON.stringify(whole), '"additionalProperties":false')
  }
})

it("describes numbers in a query as numbers and strict bodies as closed A-CONV-15", () => {
  const list = sample.paths["/v1/parcels"]?.get
  assert.deepInclude(
    list?.parameters.find(({ name }) => name === "limit"),
    {
      description: "Rows per page, 1 to 100; 20 by default.",
      schema: { type: "integer", minimum: 1, maximum: 100 }
    }
  )
  assert.include(JSON.stringify(sample.paths["/v1/parcels"]?.post), '"additionalProperties":false')
  assert.notInclude(JSON.stringify(sample.paths["/v1/parcels/{id}/report"]), '"additionalProperties":false')
})

it("describes each operation and each group of operations in words A-VER-02", () => {
  for (const word of ["title", "version", "summary", "description", "contact"]) assert.property(described.info, word)
  const groups = described.tags.map(({ name }) => name)
  for (const { description, name } of described.tags) assert.isNotEmpty(description, name)
  for (const { description, operationId, responses, summary, tags } of operations) {
    assert.isNotEmpty(summary, operationId)
    assert.isNotEmpty(description, operationId)
    assert.isTrue(tags.length === 1 && groups.includes(tags[0] ?? ""), operationId)
    assert.isTrue(Object.keys(responses).some((status) => /^4/.test(status)) || "default" in responses, operationId)
  }
})

it("keeps the formats and patterns of fields, and names each schema without its encoding A-CONV-10 A-CONV-12", () => {
  const key = JSON.stringify(described.components.schemas.ApiKey)
  assert.include(key, '"format":"date-time"')
  assert.include(key, '"pattern":"^key_')
  assert.include(JSON.stringify(described.paths["/v1/projects"]?.post), '"pattern":"^[a-z0-9-]{1,80}$"')
  assert.include(JSON.stringify(described.paths["/v1/api-keys"]?.post), '"format":"date-time"')
  assert.isTrue(Object.keys(described.components.schemas).every((name) => !name.endsWith("Encoded")))
  for (const [, name] of currentDescription().matchAll(/#\/components\/schemas\/(\w+)/g)) {
    assert.property(described.components.schemas, name ?? "")
  }
  assert.notMatch(currentDescription().replaceAll(/\s/g, ""), /"anyOf":\[(\{\},|[^,]*\])/)
})

it("lists every event type under webhooks A-VER-02", () => {
  assert.deepStrictEqual<ReadonlyArray<string>>(Object.keys(described.webhooks), EventType.literals)
  assert.hasAllKeys(sample.webhooks, ["parcel.sent"])
})

it.layer(serverOf(OpenApiHttp), { excludeTestServices: true })("Static files", (it) => {
  it.effect("serves the description to everyone, with an ETag that answers 304 A-VER-02 A-VER-04", () =>
    Effect.gen(function* () {
      const first = yield* call("GET /openapi.json", { anonymous: true })
      assert.deepStrictEqual(
        [first.status, first.headers["cache-control"], first.headers["content-type"]],
        [200, "public, max-age=300", "application/json; charset=utf-8"]
      )
      assert.strictEqual(first.text, committedDescription())
      assert.notProperty(first.json, "trace_id")
      assert.notInclude(first.text, "forged.example")
      const etag = first.headers.etag ?? ""
      for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
        const again = yield* call("GET /openapi.json", { headers: [["If-None-Match", condition]] })
        assert.deepStrictEqual([again.status, again.text, again.headers.etag], [304, "", etag])
      }
      assert.strictEqual((yield* call("GET /openapi.json", { headers: [["If-None-Match", '"x"']] })).status, 200)
    })
  )

  it.effect("serves the capability manifest, with what is beta A-VER-03 A-VER-04 A-VER-07 C-VER-01 C-VER-02", () =>
    Effect.gen(function* () {
      const { status, json, headers } = yield* call("GET /.well-known/svc.json", { anonymous: true })
      assert.deepStrictEqual([status, headers["cache-control"]], [200, "public, max-age=300"])
      assert.property(headers, "etag")
      assert.deepInclude(json, {
        object: "capability_manifest",
        service: "svc",
        api_version: "v1",
        openapi: "/openapi.json",
        mcp: "/mcp",
        feedback: { endpoint: "/v1/feedback", method: "POST" },
        authentication: { scheme: "bearer", device_authorization: "/v1/agent-api-key-device-authorizations" },
        scopes: [...KeyScope.literals]
      })
      assert.notProperty(json, "trace_id")
      assert.include(json.event_types as ReadonlyArray<string>, "message.sent")
      assert.deepInclude(json.capabilities, { name: "groups", status: "beta" })
      assert.deepInclude(json.capabilities, { name: "payments", status: "available" })
      const tag = described.tags.find(({ name }) => name === "Groups")
      assert.include(tag?.description, "(beta): the set of routes and fields may grow")
    })
  )

  it.effect("leads a browser at / to the reference, and a program to machine-readable documents", () =>
    Effect.gen(function* () {
      const browser = yield* call("GET /", { anonymous: true, headers: [["accept", "text/html,*/*;q=0.8"]] })
      assert.deepStrictEqual([browser.status, browser.headers.location, browser.text], [302, "/docs", ""])
      const { headers, json, status } = yield* call("GET /", { anonymous: true, headers: [["accept", "*/*"]] })
      assert.deepStrictEqual([status, headers.vary], [200, "accept"])
      assert.deepInclude(json, { object: "service", api_version: "v1" })
      for (const path of [json.openapi, json.capabilities]) {
        assert.strictEqual((yield* call(`GET ${path}`, { anonymous: true })).status, 200)
      }
      assert.strictEqual((yield* call("GET /v1", { anonymous: true })).status, 404)
    })
  )

  it.effect("serves a reference that loads nothing from other hosts A-VER-02", () =>
    Effect.gen(function* () {
      const { status, headers, text } = yield* call("GET /docs/explorer", { anonymous: true })
      assert.deepStrictEqual([status, headers["content-type"]], [200, "text/html; charset=utf-8"])
      assert.notMatch(text, /<script[^>]+src=|<link[^>]+href=/)
      const policy = headers["content-security-policy"] ?? ""
      assert.include(policy, "default-src 'none'")
      // Its inline scripts live apart from the dashboard's origin.
      assert.match(policy, /; sandbox allow-scripts/)
      assert.notInclude(policy, "allow-same-origin")
      assert.include(text, "/v1/feedback")
    })
  )

  it.effect("serves a reference without its maker's offers, trackers and links A-VER-02", () =>
    Effect.gen(function* () {
      const { text } = yield* call("GET /docs/explorer", { anonymous: true })
      const started = text.slice(text.lastIndexOf("createApiReference"))
      const end = started.indexOf("content:")
      const settings = JSON.parse(started.slice(started.indexOf("...") + 3, end).replace(/,\s*$/, ""))
      assert.deepInclude(settings, { hideClientButton: true, showDeveloperTools: "never", telemetry: false })
      assert.include(settings.customCss, 'a[href*="scalar.com"] { display: none')
      const shown = JSON.parse(started.slice(end + "content:".length, started.lastIndexOf("})")))
      assert.deepStrictEqual(shown, JSON.parse(committedDescription() ?? ""))
    })
  )
})
