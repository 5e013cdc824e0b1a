import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { csrfIn, DashboardTest, linkOf, seedMember, signedIn, textOf, visitor } from "./Visitor.ts"

const enter = "/dashboard/sign-in"

it.layer(DashboardTest, { excludeTestServices: true })("Signing in", (it) => {
  it.effect("a link signs in once; opening it does not use it up (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { page, token } = yield* linkOf(acme)
      const preview = yield* visitor
      for (const _ of [1, 2, 3]) assert.strictEqual((yield* preview.get(page)).status, 200)
      const someone = yield* visitor
      const shown = yield* someone.get(page)
      assert.include(textOf(shown.text), "Sign in to acme as Owner of acme ( owner@acme.test".replace("( ", "("))
      const entered = yield* someone.post(enter, { csrf: csrfIn(shown.text), token })
      assert.deepStrictEqual([entered.status, entered.headers.location], [303, "/dashboard"])
      assert.match(
        entered.headers["set-cookie"] ?? "",
        /^carteiro_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax$/
      )
      assert.include(textOf((yield* someone.get("/dashboard")).text), "Owner of acme, owner")
      assert.strictEqual((yield* preview.submit(page, enter, { token })).status, 403)
      assert.strictEqual((yield* preview.get(page)).status, 410)
    })
  )

  it.effect("a link ends after 15 minutes, to the millisecond (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* visitor
      const early = yield* linkOf(acme)
      const late = yield* linkOf(acme)
      const form = csrfIn((yield* someone.get(early.page)).text)
      yield* turnBy(899_999)
      assert.strictEqual((yield* someone.post(enter, { csrf: form, token: early.token })).status, 303)
      yield* turnBy(1)
      assert.strictEqual((yield* someone.post(enter, { csrf: form, token: late.token })).status, 410)
      assert.strictEqual((yield* someone.get(late.page)).status, 410)
    })
  )

  it.effect("of many who press the button at once, one gets in", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { page, token } = yield* linkOf(acme)
      const someone = yield* visitor
      const csrf = csrfIn((yield* someone.get(page)).text)
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => someone.post(enter, { csrf, token })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [303, ...Array(7).fill(410)])
    })
  )

  it.effect("links and sessions are stored as hashes only (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { token } = yield* linkOf(acme)
      const someone = yield* signedIn(acme)
      const rows = JSON.stringify([
        ...(yield* sql`select encode(token_hash, 'escape') as hash, l::text as row from sign_in_links l`),
        ...(yield* sql`select encode(token_hash, 'escape') as hash, s::text as row from dashboard_sessions s`)
      ])
      assert.notInclude(rows, token)
      assert.notInclude(rows, someone.cookies.get("carteiro_session") ?? "none")
    })
  )

  it.effect("the form of another browser is refused and leaves the link unused (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { page, token } = yield* linkOf(acme)
      const one = yield* visitor
      const csrf = csrfIn((yield* one.get(page)).text)
      const other = yield* visitor
      assert.strictEqual((yield* other.post(enter, { csrf, token })).status, 403)
      yield* other.get(page)
      assert.strictEqual((yield* other.post(enter, { csrf, token })).status, 403)
      assert.strictEqual((yield* one.post(enter, { csrf, token })).status, 303)
    })
  )

  it.effect("a session lasts exactly 12 hours (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      yield* turnBy(43_199_999)
      assert.strictEqual((yield* someone.get("/dashboard")).status, 200)
      yield* turnBy(1)
      assert.deepStrictEqual(
        [(yield* someone.get("/dashboard")).status, (yield* someone.get("/dashboard")).headers.location],
        [303, enter]
      )
    })
  )

  it.effect("signing out ends the session for every copy of its cookie", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const copy = yield* visitor
      copy.cookies.set("carteiro_session", someone.cookies.get("carteiro_session") ?? "none")
      assert.strictEqual((yield* copy.get("/dashboard")).status, 200)
      assert.strictEqual((yield* someone.submit("/dashboard", "/dashboard/sign-out")).headers.location, enter)
      assert.strictEqual((yield* copy.get("/dashboard")).status, 303)
    })
  )

  it.effect("a deactivated member is signed out with the next request, and a new role applies to it", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const id = yield* seedMember(acme, "admin")
      const someone = yield* signedIn(acme, id)
      assert.include((yield* someone.get("/dashboard/projects")).text, "Create a project")
      yield* sql`update members set role = 'member' where id = ${id}`
      assert.notInclude((yield* someone.get("/dashboard/projects")).text, "Create a project")
      yield* sql`update members set active = false where id = ${id}`
      assert.strictEqual((yield* someone.get("/dashboard")).status, 303)
      const { page } = yield* linkOf(acme, id)
      assert.strictEqual((yield* someone.get(page)).status, 410)
    })
  )

  it.effect("returns people to the page they asked for, and to no other origin", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const wanted = "/dashboard/device?user_code=BCDF-GHJK"
      const sent = (yield* (yield* visitor).get(wanted)).headers.location ?? ""
      for (const [start, end] of [
        [sent, wanted],
        [`${enter}?next=https://evil.test/`, "/dashboard"],
        [`${enter}?next=//evil.test/dashboard`, "/dashboard"],
        [`${enter}?next=/dashboard/%5Cevil.test`, "/dashboard"],
        [`${enter}?next=/dashboard/..//evil.test`, "/dashboard"],
        [`${enter}?next=/dashboard%0d%0aset-cookie:x=1`, "/dashboard"],
        [`${enter}?next=/v1/me`, "/dashboard"]
      ] as const) {
        const someone = yield* visitor
        yield* someone.get(start)
        const { page, token } = yield* linkOf(acme)
        assert.strictEqual((yield* someone.submit(page, enter, { token })).headers.location, end)
      }
    })
  )

  it.effect("a session of an earlier release under /dashboard does not hide the present one", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      someone.cookies.set("carteiro_session", "A".repeat(43), "/dashboard")
      assert.strictEqual((yield* someone.get("/dashboard")).status, 200)
    })
  )

  it.effect("an unknown cookie is a signed-out visitor", () =>
    Effect.gen(function* () {
      const someone = yield* visitor
      for (const value of ["", "x", "A".repeat(43), "%00", "a=b"]) {
        someone.cookies.set("carteiro_session", value)
        assert.strictEqual((yield* someone.get("/dashboard")).status, 303)
      }
    })
  )
})
