import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard"

it.layer(DashboardTest, { excludeTestServices: true })("The overview", (it) => {
  it.effect("says nothing of tasks where nothing waits for a person", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      assert.notInclude(textOf((yield* someone.get(page)).text), "What needs you")
    })
  )

  it.effect("tells what waits for a person in the chosen environment, each with the page that mends it", () =>
    Effect.gen(function* () {
      const { acme, other, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { id, key } = acme.sandbox
      const asked = { url: "https://example.com/in", subscribed_events: ["message.received"] }
      const endpoint = (yield* post("/v1/webhook-endpoints", asked, { key })).body
      yield* sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'consecutive_failures'
        where environment_id = ${id} and id = ${endpoint.id}`
      const content = {
        name: "promo",
        language: "pt_BR",
        category: "utility",
        components: [{ type: "BODY", text: "Olá" }]
      }
      const template = (yield* post("/v1/templates", content, { key })).body
      yield* sql`update templates set status = 'rejected' where environment_id = ${id} and id = ${template.id}`
      const expires_at = new Date(Date.parse(template.created_at) + 2 * 86_400_000).toISOString()
      const minted = { name: "nightly", environment: "sandbox", scopes: ["messages:read"], expires_at }
      assert.strictEqual((yield* post("/v1/api-keys", minted, { key })).status, 201)

      const someone = yield* signedIn(acme)
      const { text } = yield* someone.get(`${page}?environment=${id}`)
      const told = textOf(text)
      for (const part of [
        "What needs you",
        "The webhook endpoint example.com was disabled after failures",
        "The template promo (pt_BR) was rejected.",
        "The API key nightly expires"
      ]) {
        assert.include(told, part)
      }
      for (const address of [
        `/webhooks/${id}/endpoints/${endpoint.id}`,
        `/templates/${id}/${template.id}`,
        "/api-keys"
      ]) {
        assert.include(text, `href="${page}${address}`)
      }
      const elsewhere = yield* someone.get(`${page}?environment=${acme.production.id}`)
      assert.notInclude(textOf(elsewhere.text), "What needs you")
      const stranger = yield* signedIn(other)
      assert.notInclude(textOf((yield* stranger.get(page)).text), "What needs you")
    })
  )
})
