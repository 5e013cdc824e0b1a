import { Seeding } from "@carteiro/runtime/access/Access.ts"
import { requestLogJobs } from "@carteiro/runtime/request-logs/log/RequestLogRetentionRepo.ts"
import { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { loggedRequest } from "../contract/Stage.ts"
import { Api, type CallOptions } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedKey } from "../support/Tenants.ts"
import { told } from "../support/Told.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const written = Effect.gen(function* () {
  yield* turnBy(500)
  yield* turnBy(500)
})

const logs = (query: string, options: CallOptions) =>
  Effect.flatMap(Api, ({ get }) => get(`/v1/request-logs${query}`, options))

/** Waits until the request of an answer is in the log, and reads it. */
const logged = (answer: { readonly headers: Readonly<Record<string, string>> }, options: CallOptions) =>
  Effect.gen(function* () {
    const path = `/${answer.headers["svc-request-id"]}`
    yield* written
    yield* until(Effect.map(logs(path, options), ({ status }) => status === 200))
    return (yield* logs(path, options)).body
  })

it.layer(WholeProduct({ sweeps: false, settings: { CARTEIRO_REQUEST_LOG: "on" } }), { excludeTestServices: true })(
  "Request logs",
  (it) => {
    it.effect("show a refused request with its code, its key and its body", () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const { key, key_id } = acme.sandbox
        const body = { url: "http://10.0.0.1/hook", subscribed_events: ["message.sent"], note: "x" }
        const answer = yield* post("/v1/webhook-endpoints", body, { key })
        const shown = yield* logged(answer, { key })
        assert.deepStrictEqual(shown, {
          id: answer.headers["svc-request-id"],
          object: "request_log",
          method: "POST",
          route: "/v1/webhook-endpoints",
          status: answer.status,
          code: answer.body.error.code,
          duration_ms: shown.duration_ms,
          api_key_id: key_id,
          source_address: "127.0.0.1",
          replayed: false,
          warning: null,
          trace_id: answer.headers["svc-trace-id"],
          created_at: shown.created_at,
          details: "kept",
          path: "/v1/webhook-endpoints",
          query: null,
          idempotency_key: null,
          request_body: body,
          response_body: answer.body
        })
      })
    )

    it.effect("show a replay, and a key that lacks the scope", () =>
      Effect.gen(function* () {
        const { acme, get, post } = yield* Api
        const { key } = acme.sandbox
        const send = post("/v1/feedback", { message: "once" }, { key, idempotencyKey: "told once" })
        yield* send
        const replay = yield* logged(yield* send, { key })
        assert.deepStrictEqual([replay.replayed, replay.status, replay.details], [true, 201, "masked"])
        const poor = yield* seedKey(acme.sandbox, { scopes: ["messages:read"] })
        const refused = yield* get("/v1/templates", { key: poor.key })
        const shown = yield* logged(refused, { key })
        assert.deepStrictEqual([shown.status, shown.code], [403, "insufficient_scope"])
        assert.deepStrictEqual(told(yield* logs("", { key: poor.key })), [403, "insufficient_scope", undefined])
      })
    )

    it.effect("never hold a secret, a code or a template's variables", () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const { key, id } = acme.sandbox
        const made = yield* post(
          "/v1/api-keys",
          { name: "second", environment: "sandbox", scopes: ["messages:read"] },
          { key }
        )
        assert.strictEqual(made.status, 201, made.text)
        assert.match(made.body.secret, /^svc_sbx_/)
        const { response_body } = yield* logged(made, { key })
        assert.deepStrictEqual(response_body, { ...made.body, secret: "[REDACTED]" })
        const code = { name: "code", language: "pt_BR", variables: { "1": "481516" } }
        const sent = yield* post(
          "/v1/messages",
          {
            channel: "chatapp",
            recipient: { type: "phone_e164", id: "+5511987654321" },
            message: { type: "template", template: code }
          },
          { key }
        )
        const shown = yield* logged(sent, { key })
        assert.strictEqual(shown.request_body.recipient.id, "+5511987654321")
        assert.deepStrictEqual(shown.request_body.message.template.variables, { "1": "[REDACTED]" })
        const rows =
          yield* sql`select details from request_blocks where environment_id = ${id} and position('8765' in encode(details, 'escape')) > 0`
        assert.deepStrictEqual(rows, [])
      })
    )

    it.effect("mask the texts of a request that names no customer", () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const { key } = acme.sandbox
        const message = { type: "text", text: { body: "Zulmira, sua consulta" } }
        const answer = yield* post(
          "/v1/messages",
          { channel: "chatapp", recipient: { id: "Zulmira" }, message },
          { key }
        )
        const shown = yield* logged(answer, { key })
        assert.strictEqual(shown.details, "masked")
        assert.notInclude(JSON.stringify(shown), "Zulmira")
        assert.deepStrictEqual(shown.response_body.error, answer.body.error)
        assert.strictEqual(shown.request_body.channel, "chatapp")
      })
    )

    it.effect('keep a route that does not exist under a valid key gaps-1 "Amendments of November 2026"', () =>
      Effect.gen(function* () {
        const { acme, get, post } = yield* Api
        const { key, key_id } = acme.sandbox
        const shown = yield* logged(yield* post("/v1/mesages", { to: "x" }, { key }), { key })
        assert.deepStrictEqual(
          [shown.method, shown.route, shown.path, shown.status, shown.code, shown.api_key_id],
          ["POST", "-", "/v1/mesages", 404, "route_not_found", key_id]
        )
        assert.match(
          shown.response_body.error.message,
          /No route matches POST .v1.mesages. The nearest path is .v1.messages/
        )
        const named = yield* logged(yield* get("/v1/people/Zulmira%20Souza", { key }), { key })
        assert.strictEqual(named.details, "masked")
        assert.notInclude(JSON.stringify(named), "Zulmira")
        assert.include(named.response_body.error.message, "No route matches GET /v1/people/[NOT KEPT].")
        const phone = yield* logged(yield* get("/v1/people/+5511987654321", { key }), { key })
        assert.deepStrictEqual([phone.details, phone.path], ["kept", "/v1/people/+5511987654321"])
        const method = yield* logged(yield* get("/v1/messages/typing-indicator-of", { key }), { key })
        assert.strictEqual(method.status, 404)
        const unknown = yield* get("/v1/mesages", { key: "svc_sbx_nonsense" })
        assert.strictEqual(unknown.status, 404)
      })
    )

    it.effect("are filtered by status, code, method, route, key, id, trace and time, page by page", () =>
      Effect.gen(function* () {
        const { acme, get, other, post } = yield* Api
        const { key, key_id } = other.sibling.sandbox
        const trace = "trace-of-the-request-log"
        const first = yield* get("/v1/templates", { key, headers: { "svc-trace-id": trace } })
        yield* turnBy(10)
        const second = yield* get("/v1/webhook-endpoints/we_none", { key })
        yield* turnBy(10)
        const third = yield* post("/v1/projects", { name: "" }, { key })
        const all = [third, second, first].map(({ headers }) => headers["svc-request-id"])
        yield* written
        const ids = (query: string) =>
          Effect.map(logs(query, { key }), ({ body }) => body.data.map((row: { readonly id: string }) => row.id))
        yield* until(Effect.map(ids(""), (found) => found.length === 3))
        assert.deepStrictEqual(yield* ids(""), all)
        const [newest, middle, oldest] = all
        const { created_at } = (yield* logs(`/${middle}`, { key })).body
        for (const [query, expected] of [
          ["status=4xx", [newest, middle]],
          ["status=200", [oldest]],
          ["code=webhook_endpoint_not_found", [middle]],
          ["method=POST", [newest]],
          ["route=/v1/webhook-endpoints/{webhook_endpoint_id}", [middle]],
          [`api_key_id=${key_id}&status=2xx`, [oldest]],
          ["api_key_id=key_none", []],
          [`api_key_id=${acme.sandbox.key_id}`, []],
          [`request_id=${newest}`, [newest]],
          [`trace_id=${trace}`, [oldest]],
          [`created_after=${created_at}`, [newest]],
          [`created_before=${created_at}`, [oldest]]
        ] as const) {
          assert.deepStrictEqual(yield* ids(`?${query}`), expected, query)
        }
        const page = yield* logs("?limit=2", { key })
        assert.deepStrictEqual([page.body.has_more, page.body.not_kept], [true, { sampled: 0, dropped: 0 }])
        assert.deepStrictEqual(yield* ids(`?limit=2&starting_after=${page.body.next_cursor}`), [oldest])
        assert.deepStrictEqual(told(yield* logs("?status=9", { key })), [400, "invalid_request_logs_query", "status"])
      })
    )

    it.effect("find a request by the trace id that the product made, and by one that later requests repeat", () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const { key } = acme.sibling.production
        const first = yield* get("/v1/account", { key })
        const trace = first.headers["svc-trace-id"] ?? ""
        assert.match(trace, /^[0-9a-f]{32}$/)
        yield* turnBy(1)
        const second = yield* get("/v1/templates", { key, headers: { "svc-trace-id": trace } })
        yield* logged(second, { key })
        const found = yield* logs(`?trace_id=${trace}`, { key })
        const ids = [second, first].map(({ headers }) => headers["svc-request-id"])
        assert.deepStrictEqual(
          found.body.data.map(({ id, trace_id }: { readonly id: string; readonly trace_id: string }) => [id, trace_id]),
          ids.map((id) => [id, trace])
        )
        for (const { key } of [acme.sandbox, acme.production]) {
          assert.deepStrictEqual((yield* logs(`?trace_id=${trace}`, { key })).body.data, [])
        }
        const page = yield* logs(`?trace_id=${trace}&limit=1`, { key })
        assert.deepStrictEqual([page.body.data[0].id, page.body.has_more], [ids[0], true])
        const rest = yield* logs(`?trace_id=${trace}&starting_after=${page.body.next_cursor}`, { key })
        assert.deepStrictEqual(
          rest.body.data.map(({ id }: { readonly id: string }) => id),
          [ids[1]]
        )
      })
    )

    it.effect("show the rows of the release before among their own, in the order of time", () =>
      Effect.gen(function* () {
        const { get, other } = yield* Api
        const { key } = other.sandbox
        const first = yield* get("/v1/templates/tpl_first", { key })
        yield* turnBy(5)
        const former = yield* loggedRequest(other.sandbox)
        yield* turnBy(5)
        const third = yield* get("/v1/templates/tpl_third", { key })
        yield* logged(third, { key })
        const ids = [third.headers["svc-request-id"], former, first.headers["svc-request-id"]]
        const listed = (query: string) =>
          Effect.map(logs(query, { key }), ({ body }) => body.data.map((row: { readonly id: string }) => row.id))
        assert.deepStrictEqual(yield* listed("?limit=100"), ids)
        assert.deepStrictEqual(yield* listed("?status=404"), [ids[0], ids[2]])
        assert.deepStrictEqual(yield* listed("?status=200"), [former])
        const page = yield* logs("?limit=2", { key })
        assert.deepStrictEqual(yield* listed(`?limit=2&starting_after=${page.body.next_cursor}`), [ids[2]])
        assert.strictEqual((yield* logs(`/${former}`, { key })).body.details, "erased")
      })
    )

    it.effect("belong to their environment alone", () =>
      Effect.gen(function* () {
        const { acme, get, other } = yield* Api
        const answer = yield* get("/v1/account", { key: acme.production.key })
        yield* logged(answer, { key: acme.production.key })
        for (const { key } of [acme.sandbox, acme.sibling.production, other.production]) {
          const path = `/${answer.headers["svc-request-id"]}`
          assert.deepStrictEqual(told(yield* logs(path, { key })), [404, "request_log_not_found", undefined])
        }
      })
    )

    it.effect("can be read by a seeded key of an earlier release", () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const { key } = yield* seedKey(acme.sandbox, { scopes: ["messages:read"] })
        assert.strictEqual((yield* logs("", { key })).status, 403)
        yield* (yield* Seeding).grantScopes(acme.sandbox.id, key, KeyScope.literals)
        assert.strictEqual((yield* logs("", { key })).status, 200)
      })
    )

    it.effect("are read under a credit block", () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const sql = yield* SqlClient.SqlClient
        yield* sql`update organizations set credit_blocked = true where id = ${acme.organization_id}`
        assert.strictEqual((yield* logs("", { key: acme.production.key })).status, 200)
        yield* sql`update organizations set credit_blocked = false where id = ${acme.organization_id}`
      })
    )

    it.effect("say how many reads were sampled, and keep every refusal", () =>
      Effect.gen(function* () {
        const { get, other } = yield* Api
        const { key } = other.production
        for (let n = 0; n < 30; n++) yield* get("/v1/account", { key })
        for (let n = 0; n < 5; n++) yield* get("/v1/templates/tpl_none", { key })
        yield* written
        yield* until(Effect.map(logs("?limit=100", { key }), ({ body }) => body.data.length >= 25))
        const { body } = yield* logs("?limit=100", { key })
        const kept = body.data.filter(({ status }: { readonly status: number }) => status === 200).length
        assert.strictEqual(body.data.length - kept, 5)
        assert.strictEqual(kept + body.not_kept.sampled, 30)
        assert.isAbove(body.not_kept.sampled, 5)
      })
    )

    it.effect("are deleted after their days, and earlier where payloads are", () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const { key, id } = acme.sibling.sandbox
        const count = Effect.map(sql`select 1 from request_blocks where environment_id = ${id}`, (rows) => rows.length)
        const purge = Effect.forEach(requestLogJobs, ({ run }) => run, { discard: true })
        yield* logged(yield* get("/v1/account", { key }), { key })
        yield* turnBy(6 * 86_400_000)
        yield* purge
        assert.strictEqual(yield* count, 1)
        yield* turnBy(86_400_001)
        yield* purge
        assert.strictEqual(yield* count, 0)
        yield* logged(yield* get("/v1/account", { key }), { key })
        yield* sql`insert into data_retention_policies (environment_id, data_export_enabled, media_retention_days,
        payload_retention_days, updated_at) values (${id}, true, 1, 1, current_timestamp)`
        yield* turnBy(86_400_001)
        yield* purge
        assert.strictEqual(yield* count, 0)
      })
    )
  }
)
