import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { Upstream, UpstreamProduct } from "../support/Upstream.ts"

/** Reads where the dialog opens in the world. */
const wanted = (): string =>
  JSON.parse(readFileSync(new URL("../cases/upstream/signup-dialog-url.json", import.meta.url), "utf8")).want

it.layer(UpstreamProduct(), { excludeTestServices: true })("A hosted signup", (it) => {
  it.effect("opens the platform's page with one fixed way back, and is completed from there U-CON-07", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const simulator = yield* Upstream
      const { production } = yield* seedProject(api.acme.organization_id, "dialog")
      const account = { biz_account_id: "6101", token: "token-of-6101", templates: [] }
      simulator.world.add({ ...account, numbers: [{ id: "6201", display_phone_number: "+1" }] })
      const body = { return_url: "https://app.example.com/connected" }
      const made = yield* api.post("/v1/provider-connections/upstream/signup-sessions", body, { key: production.key })
      assert.strictEqual(made.status, 201, made.text)
      const token = new URL(made.body.url).hash.slice("#token=".length)
      const launch = yield* api.post(`/dashboard/connect/${made.body.id}/launch`, {}, { key: token })
      const dialog = new URL(launch.body.dialog_url)
      assert.include(wanted(), `${dialog.origin}${dialog.pathname}`)
      const back = dialog.searchParams.get("redirect_uri") ?? ""
      assert.deepStrictEqual([new URL(back).pathname, back], ["/connect/upstream/callback", launch.body.redirect_uri])

      const state = `${made.body.id}.attempt`
      const returned = yield* api.get(`/connect/upstream/callback?${new URLSearchParams({ state, code: "c" })}`)
      assert.strictEqual(returned.status, 303)
      const to = new URL(String(returned.headers.location), "http://localhost")
      assert.deepStrictEqual(
        [to.pathname, to.searchParams.get("code"), to.searchParams.get("state")],
        [`/dashboard/connect/${made.body.id}`, "c", state]
      )
      assert.strictEqual((yield* api.get("/connect/upstream/callback?state=other&code=c")).status, 404)

      // The platform's page answers with a code, which is exchanged with the way back of the dialog alone.
      const consent = yield* Effect.promise(() => fetch(`${simulator.url}${dialog.pathname}${dialog.search}`))
      const page = yield* Effect.promise(() => consent.text())
      const link = /id="allow-6101" href="([^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? ""
      const code = new URL(link).searchParams.get("code")
      const complete = (redirect_uri?: string) =>
        api.post(
          `/v1/provider-connections/upstream/signup-sessions/${made.body.id}/complete`,
          { code, ...(redirect_uri === undefined ? undefined : { redirect_uri }) },
          { key: token }
        )
      for (const wrong of [undefined, `${back}/other`]) {
        const refused = yield* complete(wrong)
        assert.deepStrictEqual([refused.status, refused.body.error?.code], [400, "chatapp_credentials_invalid"])
      }
      const completed = yield* complete(back)
      assert.deepStrictEqual([completed.status, completed.body.status], [200, "completed"], completed.text)
    })
  )
})
