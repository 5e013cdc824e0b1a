import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { loggedRequest } from "../contract/Stage.ts"
import { Api } from "../support/ApiTest.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/request-logs"

it.layer(DashboardTest, { excludeTestServices: true })("Request log pages", (it) => {
  it.effect("list the requests of an environment and show one of them", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const id = yield* loggedRequest(acme.sandbox)
      const someone = yield* signedIn(acme)
      const list = (query = "") =>
        Effect.map(someone.get(`${page}?environment=${acme.sandbox.id}${query}`), ({ text }) => text)
      assert.include(yield* list(), `${page}/${acme.sandbox.id}/${id}`)
      assert.include(yield* list(`&status=2xx&request_id=${id}`), id)
      assert.include(textOf(yield* list("&status=4xx")), "Nothing here is like this.")
      const shown = textOf((yield* someone.get(`${page}/${acme.sandbox.id}/${id}`)).text)
      for (const part of ["GET /v1/account", "200", "1 ms", "127.0.0.1", id]) assert.include(shown, part)
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
