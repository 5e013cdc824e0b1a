import { Ids } from "@carteiro/owners/Ids.ts"
import { traceOf, ulidTimeOf } from "@carteiro/owners/Ulid.ts"
import { writeLines } from "@carteiro/runtime/request-logs/log/RequestLines.ts"
import { assert, it } from "@effect/vitest"
import { Array as Arr, Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { loggedRequest } from "../contract/Stage.ts"
import { type Answer, Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { signedIn, textOf, type Visitor } from "./Visitor.ts"

const page = "/dashboard/request-logs"

/** Waits until the request of an answer is in the log, and returns its page. */
const pageOf = Effect.fnUntraced(function* (someone: Visitor, environmentId: string, { headers }: Answer) {
  const read = someone.get(`${page}/${environmentId}/${headers["svc-request-id"]}`)
  yield* turnBy(500)
  yield* turnBy(500)
  yield* until(Effect.map(read, ({ status }) => status === 200))
  return (yield* read).text
})

const Logging = WholeProduct({ sweeps: false, settings: { CARTEIRO_REQUEST_LOG: "on" } })

it.layer(Logging, { excludeTestServices: true })("Request log pages", (it) => {
  it.effect("list the requests of an environment and show one of them", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const id = yield* loggedRequest(acme.sandbox)
      const someone = yield* signedIn(acme)
      const list = (query = "") =>
        Effect.map(someone.get(`${page}?environment=${acme.sandbox.id}${query}`), ({ text }) => text)
      assert.include(yield* list(), `${page}/${acme.sandbox.id}/${id}`)
      assert.include(yield* list(`&status=2xx&request_id=${id}`), id)
      assert.include(textOf(yield* list("&status=4xx&created_before=2025-01-01")), "Nothing here is like this.")
      const shown = textOf((yield* someone.get(`${page}/${acme.sandbox.id}/${id}`)).text)
      for (const part of ["GET /v1/account", "200", "1 ms", "127.0.0.1", id]) assert.include(shown, part)
      assert.match(shown, /Arrived [^+]*\+1 ms|Arrived .* Answered .*\+1 ms/)
      assert.notInclude(shown, "What the API answered")
    })
  )

  it.effect("show a refusal in the API's own words, with its code, parameter and page", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      const someone = yield* signedIn(acme)
      const payload = { channel: "chatapp", recipient: { id: "x" }, message: { type: "text", text: { body: "Oi" } } }
      const answer = yield* post("/v1/messages", payload, { key })
      const { code, doc_url, message, param } = answer.body.error
      const text = yield* pageOf(someone, id, answer)
      assert.include(text, `<a href="/docs/errors/${code}"><code>${code}</code></a>`)
      assert.include(text, `href="${doc_url}"`)
      const shown = textOf(text).replaceAll("&#96;", "`")
      for (const part of ["What the API answered", message, param]) assert.include(shown, part)
      const list = yield* someone.get(`${page}?environment=${id}&code=${code}`)
      assert.include(list.text, `<a href="/docs/errors/${code}">`)
    })
  )

  it.effect('show a request to a path that does not exist gaps-1 "Amendments of November 2026"', () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      const someone = yield* signedIn(acme)
      const answer = yield* post("/v1/mesages", {}, { key })
      const shown = textOf(yield* pageOf(someone, id, answer))
      for (const part of ["POST no such route", "/v1/mesages", "route_not_found", answer.body.error.message])
        assert.include(shown, part)
    })
  )

  it.effect("have a file of every request, newest first, whether blocks hold one request or many", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { id: environment_id, key_id } = acme.sibling.sandbox
      const sql = yield* SqlClient.SqlClient
      const ids = yield* Ids
      const from = (yield* Clock.currentTimeMillis) - 3_600_000
      const lineOf = (id: string) => ({
        id,
        api_key_id: key_id,
        method: "GET",
        route: "/v1/account",
        status: 200,
        code: null,
        duration_ms: 3,
        source_address: "127.0.0.1",
        replayed: false,
        warning: null,
        trace_id: traceOf(id),
        created_at: ulidTimeOf(id)
      })
      // The oldest and the newest block are full; between them stand more blocks of one request than a read takes.
      const minted = Array.from({ length: 2300 }, (_, n) => ids.mint("req", from + n)).sort()
      const blocks: Arr.NonEmptyReadonlyArray<ReadonlyArray<string>> = [
        minted.slice(0, 256),
        ...minted.slice(256, 2044).map((id) => [id]),
        minted.slice(2044)
      ]
      yield* sql`insert into request_blocks ${sql.insert(
        Arr.map(blocks, (part) => ({
          environment_id,
          last_id: part.at(-1) as string,
          first_id: part[0] as string,
          production: false,
          refused: false,
          lines: writeLines(part.map(lineOf))
        }))
      )}`
      const someone = yield* signedIn(acme)
      const file = (yield* someone.get(`${page}/export?environment=${environment_id}`)).text
      const [, ...lines] = file.trim().split("\r\n")
      assert.deepStrictEqual(
        lines.map((line) => line.slice(0, line.indexOf(","))),
        minted.toReversed()
      )
    })
  )

  it.effect("say how many requests of all times are not kept, whatever the list is narrowed to", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { id } = acme.sibling.production
      const sql = yield* SqlClient.SqlClient
      const hour = new Date(Math.floor(((yield* Clock.currentTimeMillis) - 7_200_000) / 3_600_000) * 3_600_000)
      yield* sql`insert into request_log_counts (environment_id, hour, sampled, dropped) values (${id}, ${hour}, 41, 7)`
      const someone = yield* signedIn(acme)
      for (const query of ["", "&method=POST", "&created_before=2025-01-01", "&created_after=2099-01-01"]) {
        const text = textOf((yield* someone.get(`${page}?environment=${id}${query}`)).text)
        assert.include(text, "came too fast: 41. Requests that the log had no room for: 7.", query)
      }
    })
  )

  it.effect("show no request of another environment", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const id = yield* loggedRequest(other.sandbox)
      const someone = yield* signedIn(acme)
      assert.strictEqual((yield* someone.get(`${page}/${acme.sandbox.id}/${id}`)).status, 404)
      assert.strictEqual((yield* someone.get(`${page}/${other.sandbox.id}/${id}`)).status, 404)
    })
  )
})
