import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { raise, receiver } from "../webhooks/Deliveries.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/webhooks"
const register = (url: string, key: string) =>
  Effect.flatMap(Api, ({ post }) =>
    post("/v1/webhook-endpoints", { url, subscribed_events: ["message.received"] }, { key })
  )

it.layer(DashboardTest, { excludeTestServices: true })("Webhooks", (it) => {
  it.effect("show endpoints, deliveries and attempts, and resend A-WHV-01..10 A-WHV-17", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { id, key } = acme.sandbox
      const ill = yield* receiver((number) => (number === 0 ? 503 : 200))
      const endpoint = (yield* register(ill.url, key)).body
      yield* raise(acme.sandbox)
      yield* quiesce
      const someone = yield* signedIn(acme)
      const list = textOf((yield* someone.get(`${page}?environment=${id}`)).text)
      for (const part of [ill.url, "active failing", "message.received", "pending", "503 server error"])
        assert.include(list, part)
      assert.notInclude(list, endpoint.signing_secret)
      const shown = yield* someone.get(`${page}/${id}/endpoints/${endpoint.id}`)
      assert.notInclude(shown.text, endpoint.signing_secret)
      assert.include(textOf(shown.text), "The last delivery failed: 503 server error")
      const delivery = /\/deliveries\/(whe_[0-9a-z]{26})/.exec(shown.text)?.[1] ?? ""
      const path = `${page}/${id}/deliveries/${delivery}`
      const before = textOf((yield* someone.get(path)).text)
      assert.include(before, "1 failed 503 server error")
      const sent = ill.received[0]
      for (const name of [
        "content-type",
        "user-agent",
        "svc-webhook-id",
        "svc-webhook-timestamp",
        "svc-webhook-signature"
      ])
        assert.include(before, `${name}: ${sent?.headers[name]}`)
      assert.include(before, JSON.parse(sent?.rawBody.toString("utf8") ?? "{}").id)
      for (const column of ["Due", "Went out", "Took"]) assert.include(before, column)
      assert.include(before, "0 ms")
      assert.strictEqual((yield* someone.submit(path, `${path}/resend`)).headers.location, `${path}?done=resent`)
      yield* quiesce
      assert.strictEqual(ill.received.length, 2)
      assert.include(textOf((yield* someone.get(path)).text), "delivered")
      const well = textOf((yield* someone.get(`${page}?environment=${id}`)).text)
      assert.notInclude(well, "failing")
      for (const [status, there] of [
        ["delivered", true],
        ["failed", false],
        ["bogus", true]
      ] as const) {
        const filtered = yield* someone.get(`${page}/${id}/endpoints/${endpoint.id}?status=${status}`)
        assert.strictEqual(filtered.text.includes(delivery), there)
      }
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      for (const [read, part] of [
        [`${page}?environment=${id}`, ill.url],
        [`${page}/${id}/endpoints/${endpoint.id}`, delivery],
        [path, "svc-webhook-signature"],
        [`/dashboard/events?environment=${id}`, "message.received"],
        [`/dashboard/search?q=${delivery}`, path]
      ] as const) {
        const { status, text } = yield* member.get(read)
        assert.deepStrictEqual([status, text.includes(part)], [200, true], read)
      }
    })
  )

  it.effect("an endpoint is disabled after confirmation and enabled again A-WHE-25 A-WHE-26", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { id, key } = acme.production
      const endpoint = (yield* register("https://203.0.114.7/hook", key)).body
      const status = () => Effect.map(get(`/v1/webhook-endpoints/${endpoint.id}`, { key }), ({ body }) => body)
      const someone = yield* signedIn(acme)
      const path = `${page}/${id}/endpoints/${endpoint.id}`
      assert.include(textOf((yield* someone.get(`${path}/disable`)).text), "Deliveries that wait are cancelled")
      assert.strictEqual((yield* status()).status, "active")
      const wrong = yield* someone.submit(`${path}/disable`, `${path}/status`, { name: "another" })
      assert.deepStrictEqual([wrong.status, textOf(wrong.text).includes("That is not 203.0.114.7.")], [400, true])
      assert.strictEqual((yield* status()).status, "active")
      assert.strictEqual(
        (yield* someone.submit(`${path}/disable`, `${path}/status`, { name: "203.0.114.7" })).headers.location,
        `${path}?done=disabled`
      )
      assert.deepInclude(yield* status(), { status: "disabled", disabled_reason: "manual" })
      assert.include(textOf((yield* someone.get(path)).text), "disabled by hand")
      yield* someone.submit(path, `${path}/status`, { status: "active" })
      assert.deepInclude(yield* status(), { status: "active", probation: false })
    })
  )

  it.effect("of another organization answer 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other, get } = yield* Api
      const endpoint = (yield* register("https://203.0.114.7/hook", other.sandbox.key)).body
      yield* raise(other.sandbox)
      const [delivery] = (yield* get("/v1/webhook-events", { key: other.sandbox.key })).body.data
      const someone = yield* signedIn(acme)
      for (const environment of [other.sandbox.id, acme.sandbox.id]) {
        const own = `${page}/${environment}/endpoints/${endpoint.id}`
        const row = `${page}/${environment}/deliveries/${delivery.id}`
        for (const path of [own, `${own}/disable`, row]) assert.strictEqual((yield* someone.get(path)).status, 404)
        for (const path of [`${own}/status`, `${row}/resend`]) {
          assert.strictEqual((yield* someone.submit("/dashboard", path)).status, 404)
        }
      }
      assert.strictEqual((yield* someone.get(`${page}?environment=${other.sandbox.id}`)).status, 404)
    })
  )

  it.effect("are listed without a look at their payloads, and in a file down to the last, however large they are", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { id, key } = acme.sandbox
      const ill = yield* receiver(() => 503)
      const endpoint = (yield* register(ill.url, key)).body
      for (const _ of [1, 2, 3, 4]) yield* raise(acme.sandbox)
      yield* quiesce
      const sql = yield* SqlClient.SqlClient
      // Neither text can be opened, and two of these answers are more than a page holds.
      yield* sql`update outbox_events set envelope = '{'`
      yield* sql`update webhook_events set payload = '{' where payload is not null`
      yield* sql`update webhook_attempts set response_body_redacted = repeat('x', 2500000) where environment_id = ${id}`
      const someone = yield* signedIn(acme)
      for (const path of [page, `${page}/${id}/endpoints/${endpoint.id}`]) {
        const shown = yield* someone.get(`${path}?environment=${id}`)
        assert.strictEqual(shown.status, 200)
        assert.match(shown.text, /\/deliveries\/whe_/)
      }
      const file = yield* someone.get(`${page}/export?environment=${id}&webhook_endpoint_id=${endpoint.id}`)
      assert.lengthOf(file.text.match(/^whe_/gm) ?? [], 4)
    })
  )
})
