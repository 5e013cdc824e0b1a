import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { told } from "../support/Told.ts"
import { CliTest, json, run } from "./Commands.ts"

it.layer(CliTest, { excludeTestServices: true })("carteiro", (it) => {
  it.effect("bootstrap creates an organization, its owner and project, and a link for 15 minutes (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      const made = yield* json(
        "bootstrap",
        "--name",
        "Padaria Sol",
        "--email",
        "ana@sol.test",
        "--project",
        "Loja Centro"
      )
      assert.match(made.sign_in_url, /^http:\/\/127\.0\.0\.1:8080\/dashboard\/sign-in\?token=[\w-]{43}$/)
      const [owner] = (yield* json("members", "list", "--organization", made.organization_id)).data
      assert.deepInclude(owner, { id: made.member_id, email: "ana@sol.test", role: "owner", active: true })
      const [project] = (yield* json("projects", "list", "-o", made.organization_id)).data
      assert.deepStrictEqual([project.id, project.slug], [made.project_id, "loja-centro"])
      const place = ["--organization", made.organization_id, "--project", made.project_id, "--environment", "sandbox"]
      const key = yield* json("keys", "create", ...place, "--name", "First", "--scopes", "all")
      const me = yield* get("/v1/me", { key: key.secret })
      assert.strictEqual(me.body.environment.id, made.sandbox.environment_id)
      assert.include(me.body.api_key.scopes, "api_keys:admin")
      const text = yield* run("bootstrap", "--name", "B", "--email", "b@b.test")
      assert.match(text.text, /Sign in once, within 15 minutes/)
    })
  )

  it.effect("bootstrap again, or twice at once, creates nothing and names the existing organization (gaps-1 C)", () =>
    Effect.gen(function* () {
      const sol = ["--name", "Padaria Lua", "--email"]
      const [first, second] = yield* Effect.all(
        [json("bootstrap", ...sol, "ana@lua.test"), json("bootstrap", ...sol, "Ana@Lua.test")],
        { concurrency: 2 }
      )
      assert.deepStrictEqual(new Set([first.created, second.created]), new Set([true, false]))
      const places = ({ organization_id, member_id, project_id, sandbox, production }: typeof first) =>
        [organization_id, member_id, project_id, sandbox.environment_id, production.environment_id].join(" ")
      assert.strictEqual(places(first), places(second))
      assert.notStrictEqual(first.sign_in_url, second.sign_in_url)
      const told = yield* run("bootstrap", ...sol, "ana@lua.test", "--project", "Another")
      assert.isTrue(told.ok)
      assert.match(told.text, /^An organization of this name knows this address already; nothing was made\./)
      assert.include(told.text, first.organization_id)
      assert.lengthOf((yield* json("projects", "list", "-o", first.organization_id)).data, 1)
      const other = yield* json("bootstrap", ...sol, "rui@lua.test")
      assert.isTrue(other.created)
      assert.notStrictEqual(other.organization_id, first.organization_id)

      const sql = yield* SqlClient.SqlClient
      yield* sql`update members set active = false where id = ${other.member_id}`
      const left = yield* json("bootstrap", ...sol, "rui@lua.test")
      assert.deepStrictEqual([left.created, left.member_id, left.sign_in_url], [false, other.member_id, null])
    })
  )

  it.effect("sign-in finds a member by address, whatever its case, and asks for the organization (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const link = yield* json("sign-in", "--email", "OWNER@acme.test")
      assert.strictEqual(link.member_id, acme.owner.id)
      assert.match((yield* run("sign-in", "--email", "nobody@acme.test")).refusal, /No active member/)
      const twin = yield* json("bootstrap", "--name", "Twin", "--email", "owner@acme.test")
      assert.match((yield* run("sign-in", "--email", "owner@acme.test")).refusal, /add --organization/)
      const chosen = yield* json("sign-in", "--email", "owner@acme.test", "-o", twin.organization_id)
      assert.strictEqual(chosen.member_id, twin.member_id)
    })
  )

  it.effect("suspends and resumes, and the running node applies it to the next request A-AUTH-11", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { key } = acme.sandbox
      const suspended = yield* json("organizations", "suspend", acme.organization_id)
      assert.deepStrictEqual([suspended.status, suspended.suspended_at], ["suspended", "2026-01-01T00:00:00.000Z"])
      assert.deepStrictEqual(told(yield* get("/v1/me", { key })), [403, "organization_suspended", undefined])
      assert.strictEqual((yield* json("organizations", "resume", acme.organization_id)).status, "active")
      assert.strictEqual((yield* get("/v1/me", { key })).status, 200)
      assert.match((yield* run("organizations", "suspend", "org_none")).refusal, /No organization/)
    })
  )

  it.effect("blocks and unblocks credit: restricted production operations answer 402 A-AUTH-16 A-AUTH-19", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const before = yield* seedTenant("before-billing", 0)
      const create = (kind: "sandbox" | "production") =>
        post("/v1/api-keys", { name: "x", environment: kind, scopes: [] }, { key: before[kind].key })
      assert.isTrue((yield* json("organizations", "block-credit", before.organization_id)).credit_blocked)
      assert.deepStrictEqual(told(yield* create("production")), [402, "credit_balance_exhausted", undefined])
      assert.strictEqual((yield* create("sandbox")).status, 201)
      assert.isFalse((yield* json("organizations", "unblock-credit", before.organization_id)).credit_blocked)
      assert.strictEqual((yield* create("production")).status, 201)
      // The balance of the other has moved, and decides since. gaps-3 D "production_blocked"
      assert.match((yield* run("organizations", "block-credit", acme.organization_id)).refusal, /balance decides/)
    })
  )

  it.effect("lists and shows organizations, newest first", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const { data } = yield* json("organizations", "list")
      const ids = data.map(({ id }: { readonly id: string }) => id)
      assert.includeMembers(ids, [acme.organization_id, other.organization_id])
      assert.deepStrictEqual(ids, ids.toSorted().toReversed())
      assert.match((yield* run("organizations", "show", acme.organization_id)).text, /^status +active$/m)
    })
  )

  it.effect("keys: listed, created with chosen scopes, revoked at once A-KEY-29", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const place = ["-o", acme.organization_id, "--project", acme.sibling.id, "--environment", "production"]
      const scopes = ["--scopes", "messages:read, webhooks:read"]
      const made = yield* json(
        "keys",
        "create",
        ...place,
        "--name",
        "CI",
        ...scopes,
        "--expires-at",
        "2026-06-01T00:00:00Z"
      )
      assert.deepStrictEqual(
        [made.scopes, made.expires_at],
        [["messages:read", "webhooks:read"], "2026-06-01T00:00:00.000Z"]
      )
      const environment = acme.sibling.production.id
      const listed = yield* run("keys", "list", "-e", environment)
      assert.include(listed.text, made.key_prefix)
      assert.notInclude(listed.text, made.secret)
      assert.strictEqual((yield* json("keys", "revoke", made.id, "--environment", environment)).status, "revoked")
      assert.strictEqual((yield* get("/v1/me", { key: made.secret })).status, 401)
      for (const [more, refusal] of [
        [["--scopes", "messages:all"], /No scope is called messages:all/],
        [["--scopes", "", "--expires-at", "2025-01-01T00:00:00Z"], /later than now/],
        [["--scopes", "", "--expires-at", "2031-01-02T00:00:00Z"], /at most 5 years/]
      ] as const) {
        assert.match((yield* run("keys", "create", ...place, "--name", "x", ...more)).refusal, refusal)
      }
      assert.isFalse((yield* run("keys", "revoke", "key_none", "-e", environment)).ok)
    })
  )

  it.effect("projects: created, archived, restored, deleted only with --yes A-AUTH-13", () =>
    Effect.gen(function* () {
      const { other, get } = yield* Api
      const within = ["--organization", other.organization_id]
      const made = yield* json("projects", "create", ...within, "--name", "Loja Sul")
      assert.strictEqual(made.slug, "loja-sul")
      assert.match((yield* run("projects", "create", ...within, "--name", "x", "--slug", "loja-sul")).refusal, /slug/)
      assert.match((yield* json("projects", "archive", made.id, ...within)).archived_at, /^2026/)
      assert.isNull((yield* json("projects", "restore", made.id, ...within)).archived_at)
      const { key } = other.sibling.sandbox
      assert.match((yield* run("projects", "delete", other.sibling.id, ...within)).refusal, /--yes/)
      assert.strictEqual((yield* get("/v1/me", { key })).status, 200)
      assert.isTrue((yield* json("projects", "delete", other.sibling.id, ...within, "--yes")).deleted)
      assert.deepStrictEqual(told(yield* get("/v1/me", { key })), [404, "project_not_found", undefined])
    })
  )

  it.effect("members: added, given another role, deactivated; an owner is always left (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const within = ["--organization", acme.organization_id]
      const added = yield* json("members", "add", ...within, "--email", "rui@acme.test", "--name", "Rui")
      assert.strictEqual(added.role, "member")
      assert.match(added.sign_in_url, /\/dashboard\/sign-in\?token=[\w-]{43}$/)
      const twice = yield* run("members", "add", ...within, "--email", "RUI@acme.test", "--name", "Rui")
      assert.match(twice.refusal, /already has this email/)
      assert.match((yield* run("members", "role", acme.owner.id, ...within, "--role", "admin")).refusal, /at least one/)
      assert.strictEqual((yield* json("members", "role", added.id, ...within, "--role", "owner")).role, "owner")
      const leave = (id: string) => run("members", "deactivate", id, ...within)
      const left = yield* Effect.all([leave(added.id), leave(acme.owner.id)], { concurrency: "unbounded" })
      assert.deepStrictEqual(left.map(({ ok }) => ok).toSorted(), [false, true])
      for (const id of [added.id, acme.owner.id])
        assert.isTrue((yield* json("members", "activate", id, ...within)).active)
    })
  )

  it.effect("an unknown id is an error, not an empty list", () =>
    Effect.gen(function* () {
      const none = "org_00000000000000000000000000"
      for (const words of [
        ["projects", "list", "-o", none],
        ["projects", "create", "-o", none, "--name", "x"],
        ["members", "list", "-o", none],
        ["members", "add", "-o", none, "--name", "x", "--email", "x@x.test"],
        ["feedback", "list", "-o", none],
        ["organizations", "show", none]
      ]) {
        assert.strictEqual((yield* run(...words)).refusal, "No organization with this id.", words.join(" "))
      }
      const keys = yield* run("keys", "list", "-e", "env_00000000000000000000000000")
      assert.strictEqual(keys.refusal, "No environment with this id.")
    })
  )

  it.effect("feedback: listed, taken into review, resolved with a public answer, reopened A-FBK-32 (gaps-1 H)", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { key } = acme.production
      const sent = yield* post("/v1/feedback", { message: "Say more.\nPlease." }, { key, idempotencyKey: "f" })
      const id = sent.body.id
      assert.strictEqual((yield* json("feedback", "list", "--status", "received")).data[0].id, id)
      assert.strictEqual((yield* json("feedback", "review", id)).status, "in_review")
      const resolved = yield* json("feedback", "resolve", id, "--disposition", "documented", "--summary", "We do now.")
      assert.strictEqual(resolved.resolutions[0].public_summary, "We do now.")
      const read = yield* get(`/v1/feedback/${id}`, { key })
      assert.deepStrictEqual([read.body.status, read.body.latest_resolution.disposition], ["resolved", "documented"])
      const again = yield* run("feedback", "resolve", id, "--disposition", "fixed", "--summary", "x")
      assert.match(again.refusal, /is resolved cannot become resolved/)
      assert.strictEqual((yield* json("feedback", "review", id)).status, "in_review")
      const closed = yield* run("feedback", "close", id, "--disposition", "not_planned", "--summary", "No.")
      assert.match(closed.text, /resolution: No\./)
      assert.match((yield* run("feedback", "show", "fbk_none")).refusal, /No feedback report/)
      assert.isFalse((yield* run("feedback", "resolve", id, "--disposition", "wontfix", "--summary", "x")).ok)
    })
  )

  it.effect("a wrong command shows its right form", () =>
    Effect.gen(function* () {
      const wrong = yield* run("organizations", "suspend")
      assert.deepStrictEqual(
        [wrong.ok, wrong.refusal.includes("carteiro-operator organizations suspend")],
        [false, true]
      )
      assert.strictEqual(wrong.text, "")
      for (const words of [["nope"], ["keys", "list"], ["keys", "list", "--enviroment", "x"], ["--wizard"]]) {
        assert.match(
          (yield* run(...words)).refusal,
          /^[^\n]+ \(see carteiro-operator[a-z ]* --help\)$/,
          words.join(" ")
        )
      }
      assert.match((yield* run("--help")).text, /bootstrap[\s\S]*sign-in[\s\S]*organizations[\s\S]*feedback/)
      assert.isFalse((yield* run("bootstrap", "--name", " ", "--email", "a@b.c")).ok)
      assert.isFalse((yield* run("bootstrap", "--name", "x", "--email", "nowhere")).ok)
    })
  )
})
