import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

const cookie = "carteiro_environment"

/** The line of a page that says which environment is looked at. */
const placeOf = (page: string): string => {
  const begin = page.indexOf('<div class="place')
  return begin < 0 ? "" : page.slice(begin, page.indexOf('<div class="frame">'))
}

it.layer(DashboardTest, { excludeTestServices: true })("The frame of every page", (it) => {
  it.effect("the chosen environment stays on pages whose address names none", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const first = yield* someone.get("/dashboard/webhooks")
      assert.include(placeOf(first.text), '<div class="place sandbox"')
      const chosen = yield* someone.get(`/dashboard/webhooks?environment=${acme.production.id}`)
      assert.include(placeOf(chosen.text), '<div class="place production"')
      assert.strictEqual(someone.cookies.get(cookie), acme.production.id)
      assert.match(chosen.headers["set-cookie"] ?? "", /Path=\/dashboard; .*HttpOnly; Secure; SameSite=Lax/)
      for (const [path, kind] of [
        ["/dashboard/messages", "production"],
        ["/dashboard/api-keys", "production"],
        ["/dashboard/billing", "organization"],
        ["/dashboard/members", "organization"]
      ] as const) {
        const { headers, text } = yield* someone.get(path)
        assert.include(placeOf(text), `<div class="place ${kind}"`, path)
        assert.include(text, `<a href="/dashboard/contacts?environment=${acme.production.id}"`, path)
        assert.isUndefined(headers["set-cookie"], path)
      }
      const filtered = (yield* someone.get("/dashboard/messages?status=sent")).text
      assert.include(filtered, `<input type="hidden" name="environment" value="${acme.production.id}">`)
    })
  )

  it.effect("the switch leads to the open section of the other environment", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const { text } = yield* someone.get(`/dashboard/contacts?environment=${acme.sandbox.id}`)
      const place = placeOf(text)
      assert.include(
        place,
        `<a href="/dashboard/contacts?environment=${acme.sandbox.id}" aria-current="true">Sandbox</a>`
      )
      assert.include(place, `<a href="/dashboard/contacts?environment=${acme.production.id}">Production</a>`)
      assert.include(textOf(place), "Nothing here reaches a real phone")
      const switched = yield* someone.get(`/dashboard/contacts?environment=${acme.production.id}`)
      assert.include(textOf(placeOf(switched.text)), "Real phones and real money")
      assert.strictEqual(someone.cookies.get(cookie), acme.production.id)
    })
  )

  it.effect("pages of the organization never say that nothing costs money, whatever environment is looked at", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      yield* someone.get(`/dashboard/messages?environment=${acme.sandbox.id}`)
      for (const path of [
        "billing",
        "billing/cards",
        "billing/plan",
        "phone-orders",
        "members",
        "projects",
        "audit",
        "emails"
      ]) {
        const place = placeOf((yield* someone.get(`/dashboard/${path}`)).text)
        assert.include(textOf(place), "This page is about the whole organization", path)
        assert.notInclude(textOf(place), "Nothing here", path)
        assert.include(place, `href="/dashboard?environment=${acme.sandbox.id}"`, path)
      }
    })
  )

  it.effect("the zone of the browser is asked for until one is known, and a listed one can be chosen over it", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const page = `/dashboard/members/${acme.owner.id}`
      assert.match((yield* someone.get(page)).text, /<body data-now="\d{13}" data-zone="unknown">/)
      someone.cookies.set("carteiro_time_zone", "America/Bahia", "/dashboard")
      const known = (yield* someone.get(page)).text
      assert.match(known, /<body data-now="\d{13}">/)
      assert.include(known, '<option value="America/Bahia" selected>')
      assert.match(textOf(known), /\d [A-Z][a-z]{2}(?: \d{4})? \d\d:\d\d(?::\d\d)? (?!UTC)/)
      const portuguese = (yield* someone.get(`${page}?language=pt`)).text
      assert.match(portuguese, / title="\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d UTC-3"/)
      assert.match(textOf(portuguese), /\d [a-z]{3}(?: \d{4})? \d\d:\d\d(?::\d\d)? (?!UTC)/)
    })
  )

  it.effect("a reader of Portuguese whose browser told no zone reads times of Brasília, which say so", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const { text } = yield* someone.get(`/dashboard/members/${acme.owner.id}?language=pt`)
      assert.match(text, /<body data-now="\d{13}" data-zone="unknown">/)
      assert.match(textOf(text), /\d [a-z]{3}(?: \d{4})? \d\d:\d\d(?::\d\d)? UTC-3/)
      assert.include(text, '<option value="America/Sao_Paulo" selected>')
    })
  )

  it.effect("an environment of another organization is neither shown nor remembered A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const someone = yield* signedIn(acme)
      assert.strictEqual((yield* someone.get(`/dashboard/webhooks?environment=${other.sandbox.id}`)).status, 404)
      const billing = yield* someone.get(`/dashboard/billing?environment=${other.production.id}`)
      assert.notInclude(billing.text, other.production.id)
      someone.cookies.set(cookie, other.production.id, "/dashboard")
      const page = yield* someone.get("/dashboard/messages")
      assert.strictEqual(page.status, 200)
      assert.include(placeOf(page.text), '<div class="place sandbox"')
      assert.notInclude(page.text, other.production.id)
      assert.notStrictEqual(someone.cookies.get(cookie), other.production.id)
    })
  )

  it.effect("pages of a signed-out visitor show no environment", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      assert.strictEqual(placeOf((yield* call("GET", "/dashboard/sign-in")).text), "")
      const refused = yield* (yield* signedIn(acme)).get("/dashboard/messages/env_none/msg_none")
      assert.include(placeOf(refused.text), '<div class="place sandbox"')
    })
  )

  it.effect("pages of a signed-in person load the palette's script and the server's time for relative times", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      const someone = yield* signedIn(acme)
      const { headers, text } = yield* someone.get(`/dashboard/members/${acme.owner.id}`)
      const address = /<script src="(\/dashboard\/scripts\/console\.js\?v=en\.[\w-]{16})" defer>/.exec(text)?.[1] ?? ""
      assert.include(headers["content-security-policy"] ?? "", "script-src 'self'; connect-src 'self'")
      assert.match(text, /<body data-now="\d{13}"/)
      assert.match(text, /<time datetime="[^"]+" title="\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC" data-ago="[\w ]+">/)
      const loaded = yield* someone.get(address)
      assert.deepStrictEqual(
        [loaded.status, loaded.headers["content-type"], loaded.headers["cache-control"]],
        [200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"]
      )
      const outside = yield* call("GET", "/dashboard/sign-in")
      assert.notInclude(outside.text, "<script")
      assert.notInclude(outside.headers["content-security-policy"] ?? "", "script-src")
    })
  )

  it.effect("breadcrumbs lead from a page to its section and its group", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const crumbsOf = (page: string) => /<nav class="crumbs"[\s\S]*?<\/nav>/.exec(page)?.[0] ?? ""
      assert.strictEqual(crumbsOf((yield* someone.get("/dashboard")).text), "")
      const list = crumbsOf((yield* someone.get("/dashboard/webhooks")).text)
      assert.deepStrictEqual([textOf(list).trim(), list.includes("href")], ["Developers", false])
      const member = yield* someone.get(`/dashboard/members/${acme.owner.id}`)
      const crumbs = crumbsOf(member.text)
      assert.strictEqual(textOf(crumbs).trim(), "Settings Members")
      assert.include(crumbs, '<a href="/dashboard/members">Members</a>')
    })
  )
})
