import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { whileTurning } from "../support/OwnerTest.ts"
import { csrfIn, DashboardTest, seedMember, signedIn, textOf, visitor } from "./Visitor.ts"

/** Every route of the dashboard for people of an organization, its parameters filled with the tenant's own ids. */
const routesOf = (method: string) =>
  Effect.gen(function* () {
    const { acme } = yield* Api
    return (yield* RouteTable)
      .routes()
      .filter(
        (route) =>
          route.kind === "raw" &&
          route.operation.startsWith("dashboard.") &&
          route.path.startsWith("/dashboard") &&
          route.method === method
      )
      .map(({ path }) => path.replace(":environment", acme.sandbox.id).replace(/:id/, acme.project.id))
  })

it.layer(DashboardTest, { excludeTestServices: true })("Forms", (it) => {
  it.effect("no form has an effect without the token of its own session (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(acme)
      const stranger = csrfIn((yield* (yield* signedIn(other)).get("/dashboard")).text)
      const colleague = csrfIn((yield* (yield* signedIn(acme)).get("/dashboard")).text)
      const paths = (yield* routesOf("POST")).filter((path) => path !== "/dashboard/sign-in")
      assert.isAbove(paths.length, 9)
      const state = sql`select (select json_agg(p)::text from projects p) || (select json_agg(k)::text from api_keys k)
        || (select json_agg(e)::text from environments e) || (select json_agg(m)::text from members m) as state`
      const before = yield* state
      for (const path of paths) {
        for (const csrf of [undefined, "", "x", stranger, colleague]) {
          const fields = { name: "x", slug: acme.project.slug, on: "groups", environment: acme.sandbox.id }
          const answer = yield* someone.post(path, csrf === undefined ? fields : { ...fields, csrf })
          assert.strictEqual(answer.status, 403, path)
        }
        assert.strictEqual(
          (yield* (yield* visitor).post(path, { csrf: colleague })).headers.location,
          "/dashboard/sign-in"
        )
      }
      assert.deepStrictEqual(yield* state, before)
    })
  )

  it.effect("members change nothing; owners and admins change settings (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme, yield* seedMember(acme, "member"))
      const csrf = csrfIn((yield* someone.get("/dashboard")).text)
      for (const path of yield* routesOf("POST")) {
        // Members write as the customer of a sandbox.
        if (path === "/dashboard/sign-in" || path === "/dashboard/sign-out" || path.endsWith("/write")) continue
        const answer = yield* someone.post(path, { csrf, name: "x", slug: acme.project.slug })
        assert.strictEqual(answer.status, 403, path)
        assert.include(textOf(answer.text), "Only owners and admins")
      }
      for (const path of [
        "",
        "/api-keys",
        "/projects",
        `/projects/${acme.project.id}`,
        "/webhooks",
        "/feedback",
        "/members"
      ]) {
        const page = yield* someone.get(`/dashboard${path}`)
        assert.strictEqual(page.status, 200)
        const forms = [...page.text.matchAll(/<form method="post" action="([^"]*)"/g)].map(([, action]) => action)
        assert.deepStrictEqual([...new Set(forms)], ["/dashboard/sign-out"])
      }
      const admin = yield* signedIn(acme, yield* seedMember(acme, "admin"))
      const made = yield* admin.submit("/dashboard/projects", "/dashboard/projects", { name: "By an admin" })
      assert.match(
        made.headers.location ?? "",
        /^\/dashboard\?environment=env_\w+&done=project_created$/,
        "whoever makes a project is in it"
      )
    })
  )

  it.effect("a suspended organization is shown as suspended, can read and changes nothing A-AUTH-11", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(other)
      const csrf = csrfIn((yield* someone.get("/dashboard")).text)
      yield* sql`update organizations set suspended_at = created_at where id = ${other.organization_id}`
      const page = yield* someone.get("/dashboard/api-keys")
      assert.deepStrictEqual([page.status, page.text.includes("Create the key")], [200, false])
      assert.include(textOf(page.text), "This organization is suspended")
      for (const path of yield* routesOf("POST")) {
        if (path === "/dashboard/sign-in" || path === "/dashboard/sign-out") continue
        const answer = yield* someone.post(path, { csrf, name: "x" })
        assert.deepStrictEqual([answer.status, textOf(answer.text).includes("is suspended")], [403, true], path)
      }
      yield* sql`update organizations set suspended_at = null, removed_at = created_at where id = ${other.organization_id}`
      assert.strictEqual((yield* someone.get("/dashboard")).status, 303)
      yield* sql`update organizations set removed_at = null where id = ${other.organization_id}`
    })
  )

  it.effect(
    "every page and redirect carries the content security policy, and runs only scripts of this origin that it allows",
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const someone = yield* signedIn(acme)
        const answers = yield* Effect.forEach(
          [...(yield* routesOf("GET")), "/dashboard/sign-in?token=x", "/dashboard/webhooks?environment=env_x"],
          someone.get
        )
        const outside = yield* (yield* visitor).get("/dashboard/projects")
        for (const { headers, text } of [...answers, outside]) {
          if (headers["content-type"]?.match(/^(?:text\/cs[sv]|font\/woff2|image\/svg)/)) continue
          const scripts = [
            ...text.matchAll(/<script src="\/dashboard\/scripts\/\w+\.js\?v=en\.[\w-]{16}" defer><\/script>/g)
          ]
          assert.strictEqual(
            headers["content-security-policy"],
            `default-src 'none'; ${scripts.length === 0 ? "" : "script-src 'self'; connect-src 'self'; "}style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`
          )
          const rest = scripts.reduce((left, [tag]) => left.replace(tag, ""), text)
          assert.deepStrictEqual(
            [headers["referrer-policy"], headers["cache-control"], headers["x-content-type-options"]],
            ["no-referrer", "no-store", "nosniff"]
          )
          assert.notMatch(rest, /<script|<style|\son\w+=|style="|javascript:/i)
        }
      })
  )

  it.effect(
    "the font and the icons come from this server, and browsers cache them for good under their named address",
    () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const { text } = yield* (yield* signedIn(acme)).get("/dashboard")
        const font = /rel="preload" href="([^"]*)" as="font"/.exec(text)?.[1] ?? ""
        const icons = /<use href="([^"#]*)#overview">/.exec(text)?.[1] ?? ""
        const style = yield* get(/rel="stylesheet" href="([^"]*)"/.exec(text)?.[1] ?? "")
        assert.include(style.text, `url("${font}")`)
        for (const [address, type] of [
          [font, "font/woff2"],
          [icons, "image/svg+xml"]
        ] as const) {
          const { headers, status } = yield* get(address)
          assert.deepStrictEqual(
            [status, headers["content-type"], headers["cache-control"]],
            [200, type, "public, max-age=31536000, immutable"]
          )
        }
        const sprite = (yield* get(icons)).text
        const used = new Set([...text.matchAll(/<use href="[^"#]*#([\w-]+)">/g)].map(([, name = ""]) => name))
        assert.isAbove(used.size, 20)
        for (const name of used) assert.include(sprite, `<symbol id="${name}"`)
      })
  )

  it.effect("browsers cache the stylesheet under its named address, and revalidate it otherwise", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      const page = yield* get("/dashboard/sign-in")
      const address = /rel="stylesheet" href="([^"]*)"/.exec(page.text)?.[1] ?? ""
      const style = yield* get(address)
      assert.deepStrictEqual(
        [style.status, style.headers["content-type"], style.headers["cache-control"]],
        [200, "text/css; charset=utf-8", "public, max-age=31536000, immutable"]
      )
      const plain = yield* get("/dashboard/style.css", { headers: { "if-none-match": style.headers.etag ?? "" } })
      assert.deepStrictEqual([plain.status, plain.headers["cache-control"]], [304, "public, max-age=300"])
    })
  )

  it.effect("a form that is too large, of another content type or sent to a page without forms is refused", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const someone = yield* signedIn(acme)
      assert.strictEqual((yield* someone.post("/dashboard/projects", { name: "x".repeat(70_000) })).status, 413)
      assert.strictEqual((yield* post("/dashboard/projects", { name: "x" })).status, 415)
    })
  )

  it.effect("text of customers and callers is shown as text on every page", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const hostile = `"><img src=x onerror=alert(1)><script>alert('x')</script>&lt;b&gt;\``
      const { key, id } = acme.sandbox
      yield* sql`update organizations set name = ${hostile} where id = ${acme.organization_id}`
      yield* sql`update projects set name = ${hostile}, profile = ${JSON.stringify({ a: hostile })} where id = ${acme.project.id}`
      yield* sql`update members set name = ${hostile}, email = ${hostile} where id = ${acme.owner.id}`
      yield* sql`update api_keys set name = ${hostile} where id = ${acme.sandbox.key_id}`
      const hook = yield* post(
        "/v1/webhook-endpoints",
        { url: `https://203.0.114.7/${encodeURI(hostile)}`, description: hostile, subscribed_events: ["message.sent"] },
        { key }
      )
      const report = yield* post(
        "/v1/feedback",
        { message: hostile, context: { "<k>": hostile } },
        { key, idempotencyKey: "h" }
      )
      const device = yield* post("/v1/agent-api-key-device-authorizations", {
        client_name: hostile.slice(0, 80),
        environment: "sandbox",
        scopes: []
      })
      assert.deepStrictEqual([hook.status, report.status, device.status], [201, 201, 201])
      const someone = yield* signedIn(acme)
      for (const path of [
        "",
        "/api-keys",
        `/api-keys/${id}/${acme.sandbox.key_id}/revoke`,
        "/projects",
        `/projects/${acme.project.id}`,
        `/projects/${acme.project.id}/delete`,
        `/webhooks?environment=${id}`,
        `/webhooks/${id}/endpoints/${hook.body.id}`,
        `/feedback?environment=${id}`,
        `/feedback/${id}/${report.body.id}`,
        "/members",
        `/members/${acme.owner.id}`,
        `/members/${acme.owner.id}/deactivate`,
        `/device?user_code=${device.body.user_code}`,
        `/device?user_code=${encodeURIComponent(hostile)}`
      ]) {
        const { text } = yield* someone.get(`/dashboard${path}`)
        assert.notMatch(text, /<img|<script(?! src="\/dashboard\/scripts\/(?:console|live))|<b>|<k>/, path)
        assert.include(text, "&lt;script&gt;", path)
      }
      const typed = yield* someone.submit("/dashboard/projects", "/dashboard/projects", {
        name: hostile,
        slug: hostile
      })
      assert.strictEqual(typed.status, 400)
      assert.notMatch(typed.text, /<img|<script(?! src="\/dashboard\/scripts\/(?:console|live))/)
    })
  )
})

/** The form of a new webhook endpoint and what it makes. */
const endpointForm = Effect.gen(function* () {
  const { acme, get } = yield* Api
  const { id, key } = acme.sandbox
  const path = `/dashboard/webhooks/${id}/new`
  const someone = yield* signedIn(acme)
  const fields = (name: string) => ({
    url: `https://receiver.example/${name}`,
    description: name,
    subscribed_events: "message.received"
  })
  const made = (name: string) =>
    Effect.map(
      get("/v1/webhook-endpoints?limit=100", { key }),
      ({ body }) => body.data.filter(({ description }: { readonly description: string }) => description === name).length
    )
  return { acme, someone, path, fields, made }
})

it.layer(DashboardTest, { excludeTestServices: true })("A form that is sent more than once", (it) => {
  it.effect("makes one thing, and a fresh form makes another gaps-1 B", () =>
    Effect.gen(function* () {
      const { fields, made, path, someone } = yield* endpointForm
      const sent = { ...fields("twice"), csrf: csrfIn((yield* someone.get(path)).text) }
      const first = yield* someone.post(path, sent)
      const second = yield* someone.post(path, sent)
      const endpoint = ({ text }: { readonly text: string }) => /endpoints\/(we_[0-9a-z]{26})/.exec(text)?.[1]
      assert.deepStrictEqual([first.status, second.status, endpoint(second)], [201, 201, endpoint(first)])
      assert.strictEqual(yield* made("twice"), 1)
      const fresh = yield* someone.submit(path, path, fields("twice"))
      assert.deepStrictEqual([fresh.status, endpoint(fresh) === endpoint(first), yield* made("twice")], [201, false, 2])
    })
  )

  it.effect("by a double click answers both clicks with the one thing gaps-1 B", () =>
    Effect.gen(function* () {
      const { fields, made, path, someone } = yield* endpointForm
      const sent = { ...fields("double"), csrf: csrfIn((yield* someone.get(path)).text) }
      const clicks = yield* Effect.forkChild(
        Effect.all([someone.post(path, sent), someone.post(path, sent)], { concurrency: 2 })
      )
      // The second click may find the first under way, and looks again a moment later by the clock that stands.
      const answers = yield* whileTurning(Fiber.join(clicks))
      assert.deepStrictEqual([answers.map(({ status }) => status), yield* made("double")], [[201, 201], 1])
    })
  )

  it.effect("is told so when it was changed meanwhile, and its new form works gaps-1 B", () =>
    Effect.gen(function* () {
      const { fields, made, path, someone } = yield* endpointForm
      const csrf = csrfIn((yield* someone.get(path)).text)
      assert.strictEqual((yield* someone.post(path, { ...fields("before"), csrf })).status, 201)
      const changed = yield* someone.post(path, { ...fields("after"), csrf })
      assert.include(textOf(changed.text), "This form was sent before with other content.")
      assert.deepStrictEqual([changed.status >= 400, yield* made("after")], [true, 0])
      const again = yield* someone.post(path, { ...fields("after"), csrf: csrfIn(changed.text) })
      assert.deepStrictEqual([again.status, yield* made("after")], [201, 1])
    })
  )

  it.effect("makes one API key, whose page both answers show, and one entry of the audit log gaps-1 B", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(acme)
      const path = "/dashboard/api-keys"
      const csrf = csrfIn((yield* someone.get(path)).text)
      const sent = {
        name: "Once",
        project_id: acme.project.id,
        environment: "sandbox",
        scopes: ["messages:read"],
        csrf
      }
      const answers = yield* Effect.forEach([sent, sent], (fields) => someone.post(path, fields))
      const shown = answers.map(({ status, text }) => ({
        status,
        secret: /svc_sbx_[\w-]+/.exec(text)?.[0],
        key: /key_[0-9a-z]{26}/.exec(text)?.[0] ?? assert.fail("no key")
      }))
      assert.deepStrictEqual(shown[1], shown[0])
      const { key, status } = shown[0] ?? assert.fail("no answer")
      assert.strictEqual(status, 201)
      const [{ keys, entries } = assert.fail("no row")] = yield* sql<{ keys: number; entries: number }>`select
        (select count(*)::int from api_keys where name = 'Once') as keys,
        (select count(*)::int from audit_log where subject = ${key}) as entries`
      assert.deepStrictEqual([keys, entries], [1, 1])
      const fresh = yield* someone.submit(path, path, { ...sent, csrf: csrfIn((yield* someone.get(path)).text) })
      assert.deepStrictEqual([fresh.status, fresh.text.includes(key)], [201, false])
    })
  )

  it.effect("adds one member, whose page both answers show, and one entry of the audit log gaps-1 B", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(acme)
      const path = "/dashboard/members"
      const csrf = csrfIn((yield* someone.get(path)).text)
      const sent = { name: "Rita", email: "rita@once.test", role: "member", csrf }
      const answers = yield* Effect.forEach([sent, sent], (fields) => someone.post(path, fields))
      const shown = answers.map(({ status, text }) => ({
        status,
        title: /<h1[^>]*>[^<]*/.exec(text)?.[0],
        isForRita: textOf(text).includes("Send this link to Rita")
      }))
      assert.deepStrictEqual([shown[0]?.status, shown[0]?.isForRita, shown[1]], [201, true, shown[0]])
      const [{ members, entries } = assert.fail("no row")] = yield* sql<{ members: number; entries: number }>`select
        count(*)::int as members, (select count(*)::int from audit_log where subject = min(m.id)) as entries
        from members m where email = 'rita@once.test'`
      assert.deepStrictEqual([members, entries], [1, 1])
      // Another form with the address is refused, and completes nothing.
      const taken = { ...sent, email: "RITA@once.test", csrf: csrfIn((yield* someone.get(path)).text) }
      for (const fields of [taken, taken]) assert.strictEqual((yield* someone.post(path, fields)).status, 400)
    })
  )

  it.effect("leaves two entries in the audit log where both posts changed something", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const colleague = yield* seedMember(acme, "member")
      const someone = yield* signedIn(acme)
      const path = `/dashboard/members/${colleague}`
      const csrf = csrfIn((yield* someone.get(path)).text)
      for (const role of ["admin", "member"])
        assert.strictEqual((yield* someone.post(`${path}/role`, { role, csrf })).status, 303)
      const entries = yield* sql`select id from audit_log where action = 'member.role_set' and subject = ${colleague}`
      assert.lengthOf(entries, 2)
    })
  )

  it.effect("has one key for one member and one address: a colleague's form makes a thing of its own gaps-1 B", () =>
    Effect.gen(function* () {
      const { acme, fields, made, path, someone } = yield* endpointForm
      const colleague = yield* signedIn(acme, yield* seedMember(acme, "admin"))
      const sent = yield* Effect.forEach([someone, colleague], (one) => one.submit(path, path, fields("both")))
      assert.deepStrictEqual([sent.map(({ status }) => status), yield* made("both")], [[201, 201], 2])
    })
  )
})
