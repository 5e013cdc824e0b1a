import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedKey } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { connected, use } from "./OfficialClient.ts"

const withoutIds = (text: string) => text.replaceAll(/"(request_id|trace_id)":"[^"]*"/g, '"$1":""')

const report = Effect.fnUntraced(function* (key: string, n: number) {
  const { post } = yield* Api
  const { body } = yield* post("/v1/feedback", { message: `Report ${n}` }, { key, idempotencyKey: `mcp ${n}` })
  return body.id as string
})

const message = (more: object = {}) => ({ jsonrpc: "2.0", id: 1, method: "ping", ...more })

it.layer(WholeProduct(), { excludeTestServices: true })("MCP", (it) => {
  it.effect("lists two read-only tools to the official client A-MCP-01 A-MCP-02", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const client = yield* connected(acme.sandbox.key)
      assert.strictEqual(client.getServerVersion()?.name, "carteiro")
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.deepStrictEqual(
        tools
          .filter(({ name }) => name.endsWith("_feedback"))
          .map(({ annotations, inputSchema, name }) => [
            name,
            Object.keys(inputSchema.properties ?? {}),
            annotations?.readOnlyHint
          ]),
        [
          ["list_feedback", ["limit", "after"], true],
          ["get_feedback", ["feedback_report_id"], true]
        ]
      )
      yield* Effect.promise(() => client.ping())
    }).pipe(Effect.scoped)
  )

  it.effect("both tools answer as the HTTP reads do, page by page A-MCP-01 A-MCP-02 A-MCP-04", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const key = acme.sandbox.key
      const [first = ""] = yield* Effect.forEach([1, 2, 3], (n) => report(key, n))
      const client = yield* connected(key)
      const listed = yield* use(client, "list_feedback", { limit: 2 })
      const page = yield* get("/v1/feedback?limit=2", { key })
      assert.isFalse(listed.isError)
      assert.strictEqual(withoutIds(listed.content[0]?.text ?? ""), withoutIds(page.text))
      assert.deepStrictEqual(listed.structuredContent.data, page.body.data)
      const next = yield* use(client, "list_feedback", { after: listed.structuredContent.next_cursor })
      assert.deepStrictEqual(
        next.structuredContent.data.map(({ id }: { readonly id: string }) => id),
        [first]
      )
      const one = yield* use(client, "get_feedback", { feedback_report_id: first })
      const read = yield* get(`/v1/feedback/${first}`, { key })
      assert.strictEqual(withoutIds(JSON.stringify(one.structuredContent)), withoutIds(read.text))
      assert.deepStrictEqual((yield* use(client, "list_feedback")).structuredContent.data.length, 3)
    }).pipe(Effect.scoped)
  )

  it.effect("scope, 404 and validation come back as results with the HTTP envelope A-MCP-03 A-FBK-35", () =>
    Effect.gen(function* () {
      const { acme, get, other } = yield* Api
      const foreign = yield* report(other.sandbox.key, 9)
      const client = yield* connected(acme.sandbox.key)
      const cases: ReadonlyArray<readonly [string, Record<string, unknown>, string, string | undefined]> = [
        ["get_feedback", { feedback_report_id: foreign }, "feedback_report_not_found", undefined],
        ["get_feedback", { feedback_report_id: "fbk_\u0000" }, "feedback_report_not_found", undefined],
        ["get_feedback", {}, "invalid_query", "feedback_report_id"],
        ["get_feedback", { feedback_report_id: 5 }, "invalid_query", "feedback_report_id"],
        ["get_feedback", { feedback_report_id: foreign, more: 1 }, "invalid_query", "more"],
        ["list_feedback", { limit: 51 }, "invalid_query", "limit"],
        ["list_feedback", { limit: 0 }, "invalid_query", "limit"],
        ["list_feedback", { limit: "20" }, "invalid_query", "limit"],
        ["list_feedback", { surplus: true }, "invalid_query", "surplus"],
        ["list_feedback", { after: "x" }, "invalid_cursor", "after"]
      ]
      for (const [tool, given, code, param] of cases) {
        const { content, isError, structuredContent } = yield* use(client, tool, given)
        assert.isTrue(isError, code)
        assert.deepStrictEqual([structuredContent.error.code, structuredContent.error.param], [code, param])
        assert.deepStrictEqual(JSON.parse(content[0]?.text ?? ""), structuredContent)
      }
      const { error } = (yield* use(client, "get_feedback", { feedback_report_id: foreign })).structuredContent
      const http = yield* get(`/v1/feedback/${foreign}`, { key: acme.sandbox.key })
      assert.strictEqual(withoutIds(JSON.stringify({ error })), withoutIds(http.text))

      const bare = yield* connected((yield* seedKey(acme.sandbox, { scopes: ["webhooks:read"] })).key)
      for (const tool of ["list_feedback", "get_feedback"]) {
        const { isError, structuredContent } = yield* use(bare, tool, {})
        assert.isTrue(isError)
        assert.strictEqual(structuredContent.error.code, "insufficient_scope")
        assert.deepStrictEqual(structuredContent.error.details.missing_scopes, ["messages:read"])
      }
    }).pipe(Effect.scoped)
  )

  it.effect("a credit block stops restricted operations and never the feedback tools A-MCP-05 A-AUTH-18", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const key = acme.production.key
      const id = yield* report(key, 20)
      yield* sql`update organizations set credit_blocked = true where id = ${acme.organization_id}`
      assert.strictEqual(
        (yield* post("/v1/projects", { name: "x" }, { key })).body.error.code,
        "credit_balance_exhausted"
      )
      const client = yield* connected(key)
      assert.strictEqual((yield* use(client, "get_feedback", { feedback_report_id: id })).structuredContent.id, id)
      assert.strictEqual((yield* use(client, "list_feedback")).structuredContent.data.length, 1)
      yield* sql`update organizations set credit_blocked = false where id = ${acme.organization_id}`
    }).pipe(Effect.scoped)
  )

  it.effect("an invalid key is a 401 of HTTP, before the message is read A-AUTH-03 A-AUTH-05", () =>
    Effect.gen(function* () {
      const { acme, delete: remove, post } = yield* Api
      const { cause } = yield* Effect.flip(Effect.scoped(connected("svc_sbx_nonsense")))
      assert.strictEqual((cause as { readonly code?: number }).code, 401)
      for (const body of [message(), "{", [], message({ method: "tools/call", params: { name: "list_feedback" } })]) {
        const answer = yield* post("/mcp", body)
        assert.deepStrictEqual([answer.status, answer.body.error.code], [401, "authentication_error"])
        assert.strictEqual(answer.headers["www-authenticate"], "Bearer")
      }
      const { key, key_id } = yield* seedKey(acme.sandbox)
      assert.strictEqual((yield* post("/mcp", message(), { key })).status, 200)
      yield* remove(`/v1/api-keys/${key_id}`, { key: acme.sandbox.key })
      assert.strictEqual((yield* post("/mcp", message(), { key })).status, 401)
      assert.strictEqual((yield* post("/mcp", "{".padEnd(100_000), { key })).status, 401)
    })
  )

  it.effect("keeps no session: any message is answered alone, GET and DELETE answer 405 (gaps-1 I)", () =>
    Effect.gen(function* () {
      const { acme, call, post } = yield* Api
      const key = acme.sandbox.key
      for (const method of ["GET", "DELETE"]) {
        const answer = yield* call(method, "/mcp", undefined, { key })
        assert.deepStrictEqual(
          [answer.status, answer.body.error.code, answer.headers.allow],
          [405, "http_exception", "POST"]
        )
        assert.strictEqual(answer.body.error.type, "validation_error")
      }
      const direct = yield* post("/mcp", message({ method: "tools/list" }), { key })
      assert.notProperty(direct.headers, "mcp-session-id")
      assert.isAbove(direct.body.result.tools.length, 2)
      const told = yield* post("/mcp", { jsonrpc: "2.0", method: "notifications/initialized" }, { key })
      assert.deepStrictEqual([told.status, told.text], [202, ""])
      for (const [asked, agreed] of [
        ["2025-06-18", "2025-06-18"],
        ["2099-01-01", "2025-11-25"]
      ]) {
        const begun = yield* post("/mcp", message({ method: "initialize", params: { protocolVersion: asked } }), {
          key
        })
        assert.strictEqual(begun.body.result.protocolVersion, agreed)
      }
    })
  )

  it.effect(
    "answers an invalid message with a fault of the protocol, never with an internal error A-ERR-11 A-ERR-23 (gaps-1 I)",
    () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const key = acme.sandbox.key
        const faults: ReadonlyArray<readonly [unknown, number, unknown, number]> = [
          [message({ method: "resources/list" }), 200, 1, -32_601],
          [message({ method: "tools/call", params: { name: "toString" } }), 200, 1, -32_602],
          [message({ method: "tools/call" }), 200, 1, -32_602],
          [message({ method: 5 }), 400, 1, -32_600],
          [message({ id: {} }), 400, null, -32_600],
          [message({ params: [1] }), 400, 1, -32_600],
          [message({ jsonrpc: "1.0" }), 400, null, -32_600],
          [[message()], 400, null, -32_600],
          ["null", 400, null, -32_600]
        ]
        for (const [body, status, id, code] of faults) {
          const answer = yield* post("/mcp", body, { key })
          assert.deepStrictEqual(
            [answer.status, answer.body.id, answer.body.error.code],
            [status, id, code],
            answer.text
          )
        }
        const revision = { key, headers: { "mcp-protocol-version": "1999-01-01" } }
        assert.strictEqual((yield* post("/mcp", message(), revision)).body.error.code, -32_000)
        const framework: ReadonlyArray<readonly [unknown, Record<string, string>, number, string]> = [
          ["{", {}, 400, "validation_error"],
          [message(), { "content-type": "text/plain" }, 415, "validation_error"],
          [message(), { origin: "https://a.example.test" }, 403, "authorization_error"]
        ]
        for (const [body, headers, status, type] of framework) {
          const answer = yield* post("/mcp", body, { key, headers })
          assert.deepStrictEqual(
            [answer.status, answer.body.error.code, answer.body.error.type],
            [status, "http_exception", type]
          )
        }
        const odd = message({ method: "tools/call", params: { name: "list_feedback", arguments: [1] } })
        const { result } = (yield* post("/mcp", odd, { key })).body
        assert.deepStrictEqual([result.isError, result.structuredContent.error.code], [true, "invalid_query"])
      })
  )
})
