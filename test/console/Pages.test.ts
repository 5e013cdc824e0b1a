import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { consoleRoutes } from "../browser/ConsoleRoutes.ts"
import { strangeIds } from "../contract/Stage.ts"
import { Api } from "../support/ApiTest.ts"
import { csrfIn, DashboardTest, linkOf, signedIn, textOf, visitor } from "./Visitor.ts"

const enter = "/dashboard/sign-in"
const isPage = (answer: { readonly headers: Readonly<Record<string, string>>; readonly text: string }) =>
  answer.headers["content-type"] === "text/html; charset=utf-8" && answer.text.startsWith("<!doctype html>")

it.layer(DashboardTest, { excludeTestServices: true })("Pages", (it) => {
  it.effect("an unknown address answers an error page, by any method", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      const someone = yield* signedIn(acme)
      for (const path of ["/", "/nothing", "/projects/x/y/z", "/sign-in/", `/projects/${acme.project.id}/settings`]) {
        const answer = yield* someone.get(`/dashboard${path}`)
        assert.deepStrictEqual([answer.status, isPage(answer)], [404, true], path)
        assert.include(textOf(answer.text), "No page of the dashboard has this address")
        assert.match(answer.headers["svc-request-id"] ?? "", /^req_[0-9a-z]{26}$/)
        assert.match(answer.headers["content-security-policy"] ?? "", /^default-src 'none'; style-src 'self'/)
      }
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
        const answer = yield* call(method, "/dashboard/nothing", method === "POST" ? "{}" : undefined)
        assert.deepStrictEqual([answer.status, isPage(answer)], [404, true], method)
      }
      assert.strictEqual((yield* call("HEAD", "/dashboard/nothing")).text, "")
      assert.strictEqual((yield* call("GET", "/dashboards")).body.error.code, "route_not_found")
    })
  )

  it.effect("the menu lists every page by groups, marks the open one and keeps its environment", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const opened = `/dashboard/webhooks?environment=${acme.production.id}`
      const { text } = yield* someone.get(opened)
      const menuAt = text.indexOf('<nav id="menu"')
      const menu = text.slice(menuAt, text.indexOf("</nav>", menuAt))
      assert.include(text, 'popovertarget="menu"')
      const groups = menu
        .split("<details open")
        .map((group) => [
          /<summary[^>]*>([^<]*)/.exec(group)?.[1],
          [...group.matchAll(/<a href="\/dashboard\/?([^"?]*)/g)].map(([, path]) => path)
        ])
      assert.deepStrictEqual(groups, [
        [undefined, [""]],
        ["Messaging", ["chat", "messages", "templates", "flows", "batches", "contacts", "media"]],
        ["Numbers", ["phone-numbers", "phone-orders", "connections", "groups"]],
        ["Money", ["billing", "payments", "agentic-authorizations"]],
        ["Developers", ["webhooks", "events", "request-logs", "sandbox-clock", "api-keys", "device"]],
        ["Settings", ["projects", "members", "audit", "emails", "feedback"]]
      ])
      assert.deepStrictEqual(menu.match(/<a [^>]* aria-current="page">/g), [`<a href="${opened}" aria-current="page">`])
      for (const [, address = ""] of menu.matchAll(/href="([^"]*)"/g)) {
        assert.strictEqual((yield* someone.get(address)).status, 200, address)
      }
    })
  )

  it.effect("input that equals a name of every object, such as constructor, finds nothing", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      const someone = yield* signedIn(acme)
      for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
        for (const member of ["done", "environment", "status", "endpoint", "before", "project", "member"]) {
          for (const path of [
            enter,
            "/dashboard",
            "/dashboard/webhooks",
            "/dashboard/deliveries",
            "/dashboard/api-keys"
          ]) {
            for (const answer of [
              yield* call("GET", `${path}?${member}=${name}`),
              yield* someone.get(`${path}?${member}=${name}`)
            ]) {
              assert.isBelow(answer.status, 500, `${path}?${member}=${name}`)
              assert.notInclude(answer.text, "native code")
            }
          }
        }
      }
    })
  )

  it.effect("an impossible or foreign id answers 404 on every page", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const pages = (yield* RouteTable)
        .routes()
        .flatMap((route) =>
          route.kind === "raw" && route.method === "GET" && route.operation.startsWith("dashboard.") ? [route.path] : []
        )
        .filter((path) => path.includes("/:"))
      assert.isAbove(pages.length, 9)
      for (const path of pages) {
        for (const id of strangeIds.filter((strange) => strange !== "..")) {
          const strange = encodeURIComponent(id)
          const own = path.replace(":environment", acme.sandbox.id).replaceAll(/:\w+/g, strange)
          // A page that names nothing but the environment is there.
          const named = own.includes(`/${strange}`) ? [own] : []
          for (const address of [path.replaceAll(/:\w+/g, strange), ...named]) {
            const answer = yield* someone.get(address)
            assert.deepStrictEqual([answer.status, isPage(answer)], [404, true], address.slice(0, 200))
          }
        }
      }
    })
  )

  it.effect("errors of a form are shown on a page, also when signing in", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      const someone = yield* signedIn(acme)
      const large = yield* someone.post("/dashboard/projects", { name: "x".repeat(70_000) })
      assert.deepStrictEqual([large.status, isPage(large)], [413, true])
      const json = yield* call("POST", enter, "{}")
      assert.deepStrictEqual([json.status, isPage(json)], [415, true])
      const forged = yield* (yield* visitor).post(enter, { csrf: "x", token: "y" })
      assert.deepStrictEqual([forged.status, isPage(forged)], [403, true])
    })
  )

  it.effect("a signed-in person is not asked for a link, and can still use another", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const someone = yield* signedIn(acme)
      assert.strictEqual((yield* someone.get(enter)).headers.location, "/dashboard")
      assert.strictEqual(
        (yield* someone.get(`${enter}?next=/dashboard/projects`)).headers.location,
        "/dashboard/projects"
      )
      assert.strictEqual((yield* someone.get(`${enter}?next=//evil.test`)).headers.location, "/dashboard")
      const { page, token } = yield* linkOf(other)
      const shown = yield* someone.get(page)
      assert.strictEqual(shown.text.match(/<form/g)?.length, 1)
      assert.strictEqual((yield* someone.post(enter, { csrf: csrfIn(shown.text), token })).status, 303)
      assert.include(textOf((yield* someone.get("/dashboard")).text), "Owner of other")
    })
  )

  it.effect("the menu keeps the chosen environment", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const { text } = yield* someone.get(`/dashboard/webhooks?environment=${acme.production.id}`)
      for (const section of ["api-keys", "webhooks", "feedback"]) {
        assert.include(text, `<a href="/dashboard/${section}?environment=${acme.production.id}"`)
      }
      assert.include(text, '<a href="/dashboard/projects">')
    })
  )

  it.effect("a refused form keeps its choices and points at the field", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const page = "/dashboard/api-keys"
      const refused = yield* someone.submit(page, page, {
        name: " ",
        project_id: acme.project.id,
        environment: "production"
      })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, `<option value="${acme.project.id}" selected>`)
      assert.include(refused.text, '<option value="production" selected>')
      assert.match(refused.text, /<title>Error: API keys/)
      assert.match(
        refused.text,
        /id="name" name="name" aria-describedby="name-hint name-error" aria-invalid="true" autofocus/
      )
      const settings = `/dashboard/projects/${acme.project.id}`
      const kept = yield* someone.submit(settings, `${settings}/settings`, {
        name: "Still",
        default_language: "es_ES",
        profile: "{"
      })
      assert.include(kept.text, '<option value="es_ES" selected>')
      assert.match(kept.text, /<textarea id="profile"[^>]*aria-invalid="true"/)
    })
  )

  it.effect("the list of pages that the browser looks at names each page of the console", () =>
    Effect.gen(function* () {
      const pages = (yield* RouteTable)
        .routes()
        .flatMap((route) =>
          route.kind === "raw" && route.method === "GET" && route.operation.startsWith("dashboard.") ? [route.path] : []
        )
        .filter((path) => !/\/(export|stream|callback)$|\.(css|js|svg|woff2)$/.test(path))
        .map((path) => path.replaceAll(/:(?!token\b)\w+/g, ":id"))
      assert.deepStrictEqual([...consoleRoutes], pages.toSorted())
    })
  )
})
