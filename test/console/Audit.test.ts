import { room as auditRoom } from "@carteiro/runtime/audit/room.ts"
import { recordChange } from "@carteiro/runtime/cli/kit/Audited.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { csvReply } from "../../packages/console/kit/Csv.ts"
import { Api } from "../support/ApiTest.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const section = "/dashboard/audit"

interface Row {
  readonly action: string
  readonly member_id: string
  readonly environment_id: string | null
  readonly subject: string | null
  readonly before: string | null
  readonly after: string | null
}

const rowsOf = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Row>`select action, member_id, environment_id, subject, before, after from audit_log
    where organization_id = ${organizationId} order by id`
})

it.layer(DashboardTest, { excludeTestServices: true })("The audit log", (it) => {
  it.effect("a change leaves a row with its author, its subject, and the state before and after", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const colleague = yield* seedMember(acme, "member", "Rita")
      const page = `/dashboard/members/${colleague}`
      assert.strictEqual((yield* someone.submit(page, `${page}/role`, { role: "admin" })).status, 303)
      assert.deepStrictEqual(yield* rowsOf(acme.organization_id), [
        {
          action: "member.role_set",
          member_id: acme.owner.id,
          environment_id: null,
          subject: colleague,
          before: '{"role":"member"}',
          after: '{"role":"admin"}'
        }
      ])
      const shown = textOf((yield* someone.get(section)).text)
      assert.match(shown, /Owner of acme member role set member\.role_set mem_\w+ role: member admin/)
    })
  )

  it.effect("a refused form leaves no row", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const before = yield* rowsOf(acme.organization_id)
      const someone = yield* signedIn(acme)
      const projects = "/dashboard/projects"
      assert.strictEqual((yield* someone.submit(projects, projects, { name: " " })).status, 400)
      assert.strictEqual((yield* someone.post(projects, { name: "Forged", csrf: "x" })).status, 403)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.strictEqual((yield* member.submit(section, projects, { name: "Theirs" })).status, 403)
      assert.strictEqual((yield* someone.submit(projects, `${projects}/prj_none/archive`)).status, 404)
      assert.deepStrictEqual(yield* rowsOf(acme.organization_id), before)
    })
  )

  it.effect("the row of a new key names the key and its scopes, and contains no secret", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const keys = "/dashboard/api-keys"
      const made = yield* someone.submit(keys, keys, {
        name: "Audited",
        project_id: acme.project.id,
        environment: "sandbox",
        scopes: ["messages:read", "webhooks:read"]
      })
      assert.strictEqual(made.status, 201)
      const secret = /svc_sbx_[\w-]+/.exec(made.text)?.[0] ?? ""
      assert.isAbove(secret.length, 20)
      const row = (yield* rowsOf(acme.organization_id)).find(({ action }) => action === "api_key.created")
      assert.match(row?.subject ?? "", /^key_/)
      assert.strictEqual(row?.environment_id, acme.sandbox.id)
      assert.deepStrictEqual(JSON.parse(row?.after ?? ""), {
        name: "Audited",
        scopes: "messages:read, webhooks:read"
      })
      assert.notInclude(JSON.stringify(yield* rowsOf(acme.organization_id)), secret)
    })
  )

  it.effect("is filtered by action and member, and read by its own organization only A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const someone = yield* signedIn(acme)
      const created = yield* someone.get(`${section}?action=api_key.created`)
      assert.include(created.text, "api_key.created")
      assert.notInclude(created.text, "member.role_set")
      const none = yield* someone.get(`${section}?member=mem_none`)
      assert.include(textOf(none.text), "Nothing here is like this")
      const stranger = yield* signedIn(other)
      assert.notInclude((yield* stranger.get(section)).text, "api_key.created")
      assert.notInclude((yield* stranger.get(`${section}/export`)).text, "api_key.created")
    })
  )

  it.effect("a change by an operator is distinguished from those by members, and filtered by operator", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      yield* recordChange(acme.organization_id, {
        action: "organization.suspended",
        before: { status: "active" },
        after: { status: "suspended" }
      })
      const someone = yield* signedIn(acme)
      const shown = textOf((yield* someone.get(`${section}?member=operator`)).text)
      assert.match(
        shown,
        /an operator organization suspended organization\.suspended the organization status: active suspended/
      )
      assert.notInclude(shown, "member.role_set mem_")
      const own = yield* someone.get(`${section}?member=${acme.owner.id}`)
      assert.notInclude(own.text, "<code>organization.suspended")
      const file = yield* someone.get(`${section}/export?member=operator`)
      assert.match(file.text, /,,operator,organization\.suspended,/)
    })
  )

  it.effect("is downloaded as CSV with the filters of the list", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      const someone = yield* signedIn(acme)
      const file = yield* someone.get(`${section}/export?action=member.role_set`)
      assert.strictEqual(file.headers["content-type"], "text/csv; charset=utf-8")
      const [head, first, ...rest] = file.text.split("\r\n")
      assert.strictEqual(head, "id,created_at,member_id,member,action,subject,environment_id,before,after,request_id")
      assert.include(first, `,Owner of acme,member.role_set,mem_`)
      assert.deepStrictEqual(rest, [""])
      assert.strictEqual((yield* call("GET", `${section}/export`)).status, 303)
    })
  )

  it.effect("a cell that a spreadsheet would run is exported as text", () =>
    Effect.sync(() => {
      const { body } = csvReply("x", ["a"], [["=1+1"], ['say "hi", you'], [-5]])
      assert.strictEqual(String(body), `a\r\n'=1+1\r\n"say ""hi"", you"\r\n-5\r\n`)
    })
  )

  it.effect("a row is kept for 400 days", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const kept = (yield* rowsOf(acme.organization_id)).length
      assert.isAbove(kept, 1)
      const age = (days: number) => sql`update audit_log set created_at = created_at - make_interval(days => ${days})
        where organization_id = ${acme.organization_id} and action = 'member.role_set'`
      const purge = Effect.forEach(auditRoom.jobs, ({ run }) => run, { discard: true })
      yield* age(399)
      yield* purge
      assert.lengthOf(yield* rowsOf(acme.organization_id), kept)
      yield* age(2)
      yield* purge
      assert.lengthOf(yield* rowsOf(acme.organization_id), kept - 1)
    })
  )
})
