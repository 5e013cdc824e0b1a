import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import { Members } from "@carteiro/runtime/access/Access.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, type Fields, linkOf, seedMember, signedIn, textOf, type Visitor, visitor } from "./Visitor.ts"

const page = "/dashboard/members"
const add = (someone: Visitor, fields: Fields) =>
  someone.submit(page, page, { name: "Rui", email: "rui@acme.test", role: "member", ...fields })
const linkIn = (text: string) => /http[^<"\s]*\/dashboard\/sign-in\?token=([\w-]{43})/.exec(text)
/** Signs a new browser in by a link that a page showed. */
const enter = Effect.fnUntraced(function* (text: string) {
  const someone = yield* visitor
  const [url = "", token = ""] = linkIn(text) ?? []
  const { pathname, search } = new URL(url)
  yield* someone.submit(`${pathname}${search}`, "/dashboard/sign-in", { token })
  return someone
})

it.layer(DashboardTest, { excludeTestServices: true })("Members", (it) => {
  it.effect("are added with a role and a sign-in link that is shown once (gaps-1 C, decision 0007)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const owner = yield* signedIn(acme)
      const added = yield* add(owner, { name: " Rui Sá ", role: "admin" })
      assert.deepStrictEqual([added.status, added.headers["cache-control"]], [201, "no-store"])
      const rui = yield* enter(added.text)
      assert.include(textOf((yield* rui.get("/dashboard")).text), "acme Rui Sá, admin")
      const list = yield* owner.get(page)
      assert.include(textOf(list.text), "Rui Sá rui@acme.test admin active")
      assert.notInclude(list.text, linkIn(added.text)?.[1] ?? "none")
    })
  )

  it.effect("an address exists once in an organization, whatever its case, and the input stays", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const owner = yield* signedIn(acme)
      const twice = yield* add(owner, { name: "Other", email: "OWNER@acme.test" })
      assert.strictEqual(twice.status, 400)
      assert.include(textOf(twice.text), "already has this email address")
      assert.include(twice.text, 'value="OWNER@acme.test" required maxlength="255"')
      for (const wrong of [
        { name: " " },
        { name: "x".repeat(121) },
        { name: "notifier\u0007" },
        { email: "nowhere" },
        { email: "a b@c.test" },
        { email: "notifier\u001b@c.test" },
        { role: "king" },
        { role: "" }
      ]) {
        const answer = yield* add(owner, { email: "free@acme.test", ...wrong })
        assert.deepStrictEqual([answer.status, linkIn(answer.text)], [400, null], JSON.stringify(wrong))
      }
      assert.strictEqual((yield* add(yield* signedIn(other), { email: "owner@acme.test" })).status, 201)
    })
  )

  it.effect("a new role applies from the next request; the last owner stays an owner (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const owner = yield* signedIn(acme)
      const id = yield* seedMember(acme, "member", "Bia")
      const bia = yield* signedIn(acme, id)
      assert.notInclude((yield* bia.get("/dashboard/projects")).text, "Create a project")
      const saved = yield* owner.submit(`${page}/${id}`, `${page}/${id}/role`, { role: "admin" })
      assert.strictEqual(saved.headers.location, `${page}/${id}?done=saved`)
      assert.include((yield* bia.get("/dashboard/projects")).text, "Create a project")
      const own = `${page}/${acme.owner.id}`
      assert.include(textOf((yield* owner.get(own)).text), "keeps at least one active owner")
      for (const [path, fields] of [
        ["role", { role: "admin" }],
        ["deactivate", { name: acme.owner.name }]
      ] as const) {
        const refused = yield* owner.submit(own, `${own}/${path}`, fields)
        assert.deepStrictEqual(
          [refused.status, textOf(refused.text).includes("at least one active owner")],
          [409, true]
        )
      }
      assert.strictEqual((yield* owner.submit(own, `${page}/${id}/role`, { role: "king" })).status, 404)
      yield* owner.submit(own, `${page}/${id}/role`, { role: "owner" })
      assert.strictEqual((yield* owner.submit(own, `${own}/role`, { role: "member" })).status, 303)
      assert.strictEqual((yield* owner.submit("/dashboard", `${own}/role`, { role: "owner" })).status, 403)
      yield* bia.submit(page, `${own}/role`, { role: "owner" })
    })
  )

  it.effect("admins add, change and invite all members but owners (decision 0007)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const id = yield* seedMember(acme, "admin")
      const admin = yield* signedIn(acme, id)
      const own = `${page}/${acme.owner.id}`
      assert.notMatch((yield* admin.get(own)).text, /action="\/dashboard\/members/)
      assert.notInclude((yield* admin.get(page)).text, '<option value="owner"')
      assert.strictEqual((yield* add(admin, { email: "new@acme.test", role: "owner" })).status, 400)
      for (const [path, fields] of [
        [`${own}/role`, { role: "member" }],
        [`${own}/role`, { role: "owner" }],
        [`${own}/deactivate`, {}],
        [`${own}/activate`, {}],
        [`${own}/sign-in-link`, {}],
        [`${page}/${id}/role`, { role: "owner" }]
      ] as const) {
        const refused = yield* admin.submit(page, path, fields)
        assert.deepStrictEqual([refused.status, linkIn(refused.text)], [403, null], path)
      }
      const added = yield* add(admin, { email: "new@acme.test", role: "admin" })
      assert.strictEqual(added.status, 201)
      const colleague = yield* seedMember(acme, "admin")
      const link = yield* admin.submit(`${page}/${colleague}`, `${page}/${colleague}/sign-in-link`)
      assert.strictEqual(link.status, 201)
      assert.include(textOf((yield* (yield* enter(link.text)).get("/dashboard")).text), "A admin, admin")
    })
  )

  it.effect("a deactivated member stays out: returning needs a new link", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const owner = yield* signedIn(acme)
      const id = yield* seedMember(acme, "member", "Caio")
      const caio = yield* signedIn(acme, id)
      const unused = yield* linkOf(acme, id)
      assert.include(textOf((yield* owner.get(`${page}/${id}/deactivate`)).text), "Deactivate Caio?")
      const wrong = yield* owner.submit(`${page}/${id}/deactivate`, `${page}/${id}/deactivate`, { name: "Rui" })
      assert.deepStrictEqual([wrong.status, textOf(wrong.text).includes("That is not Caio.")], [400, true])
      assert.strictEqual((yield* caio.get("/dashboard")).status, 200)
      const done = yield* owner.submit(`${page}/${id}/deactivate`, `${page}/${id}/deactivate`, { name: " Caio " })
      assert.strictEqual(done.headers.location, `${page}/${id}?done=deactivated`)
      assert.strictEqual((yield* caio.get("/dashboard")).status, 303)
      assert.strictEqual((yield* caio.get(unused.page)).status, 410)
      const link = `${page}/${id}/sign-in-link`
      assert.strictEqual((yield* owner.submit(page, link)).status, 404)
      yield* turnBy(1)
      yield* owner.submit(`${page}/${id}`, `${page}/${id}/activate`)
      assert.strictEqual((yield* caio.get("/dashboard")).status, 303)
      assert.strictEqual((yield* caio.get(unused.page)).status, 410)
      const again = yield* enter((yield* owner.submit(`${page}/${id}`, link)).text)
      assert.strictEqual((yield* again.get("/dashboard")).status, 200)
    })
  )

  it.effect("a change of role and a concurrent deactivation both apply", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const members = yield* Members
      const now = yield* Clock.currentTimeMillis
      for (let round = 0; round < 8; round++) {
        const id = yield* seedMember(acme, "admin")
        const change = (to: Parameters<typeof members.change>[2]) =>
          members.change(acme.organization_id, id, to, "owner", now as RealInstant)
        yield* Effect.all([change({ role: "member" }), change({ active: false })], { concurrency: "unbounded" })
        const after = yield* members.find(acme.organization_id, id)
        assert.deepStrictEqual([after?.role, after?.active], ["member", false])
      }
    })
  )

  it.effect("of another organization answer 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const owner = yield* signedIn(acme)
      const theirs = `${page}/${other.owner.id}`
      for (const path of [theirs, `${theirs}/deactivate`]) assert.strictEqual((yield* owner.get(path)).status, 404)
      for (const path of ["role", "sign-in-link", "deactivate", "activate"]) {
        assert.strictEqual((yield* owner.submit(page, `${theirs}/${path}`, { role: "member" })).status, 404)
      }
      assert.notInclude((yield* owner.get(page)).text, other.owner.email)
      assert.strictEqual((yield* (yield* signedIn(other)).get("/dashboard")).status, 200)
    })
  )
})
