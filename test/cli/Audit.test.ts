import { allCommands } from "@carteiro/runtime/cli/Cli.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { CliTest, json, run } from "./Commands.ts"

/** The action that each command leaves in the audit log; those that only read leave none. */
const changes: Readonly<Record<string, string>> = {
  bootstrap: "organization.created",
  "sign-in": "member.sign_in_link_made",
  "organizations suspend": "organization.suspended",
  "organizations resume": "organization.resumed",
  "organizations block-credit": "organization.credit_blocked",
  "organizations unblock-credit": "organization.credit_unblocked",
  "members add": "member.added",
  "members role": "member.role_set",
  "members deactivate": "member.deactivated",
  "members activate": "member.activated",
  "projects create": "project.created",
  "projects archive": "project.archived",
  "projects restore": "project.restored",
  "projects delete": "project.deleted",
  "keys create": "api_key.created",
  "keys revoke": "api_key.revoked",
  "ledger credit": "billing.credit_added",
  "ledger debit": "billing.credit_taken_back",
  "orders identity": "organization.identity_approved",
  "connections register": "connection.registered",
  "connections rotate": "connection.token_rotated",
  "connections complete": "connection.completed",
  "connections disconnect": "connection.disconnected",
  "connections setup": "connection.setup_begun",
  "feedback review": "feedback.answered",
  "feedback resolve": "feedback.answered",
  "feedback close": "feedback.answered"
}

/** Commands that concern the installation and no one organization; the table `restores` and their output tell of them. */
const ofTheInstallation: ReadonlyArray<string> = ["restore accept", "restore release", "restore fail", "bridge check"]

/** Last words of commands that read. */
const reading =
  /^doctor$| (?:list|show|failures|export|months|channels|held|balance|topups|cards|plan|statement|verify|notices|versions|events|ignored)$/

interface Named {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Named> }>
}

const leavesOf = ({ name, subcommands }: Named, above: string): ReadonlyArray<string> => {
  const words = `${above} ${name}`.trim()
  const below = subcommands.flatMap(({ commands }) => commands)
  return below.length === 0 ? [words] : below.flatMap((command) => leavesOf(command, words))
}

interface Row {
  readonly action: string
  readonly member_id: string | null
  readonly subject: string | null
  readonly environment_id: string | null
  readonly before: string | null
  readonly after: string | null
}

const rowsOf = Effect.fnUntraced(function* (organization: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Row>`select action, member_id, subject, environment_id, before, after from audit_log
    where organization_id = ${organization} order by id`
})

it.layer(CliTest, { excludeTestServices: true })("The audit rows of commands", (it) => {
  it.effect("every command either only reads or leaves a row with a known action", () =>
    Effect.gen(function* () {
      const root = (yield* allCommands) as Named
      const leaves = root.subcommands.flatMap(({ commands }) => commands).flatMap((command) => leavesOf(command, ""))
      assert.isAbove(leaves.length, 45)
      assert.deepStrictEqual(
        leaves.filter((words) => !ofTheInstallation.includes(words) && reading.test(words) === words in changes),
        []
      )
      assert.deepStrictEqual(
        Object.keys(changes).filter((words) => !leaves.includes(words)),
        []
      )
    })
  )

  it.effect(
    "a changed organization, project, key and member each leave a row with before and after, without a member",
    () =>
      Effect.gen(function* () {
        const made = yield* json("bootstrap", "--name", "Audited", "--email", "a@audited.test")
        const organization: string = made.organization_id
        const within = ["--organization", organization] as const
        yield* run("sign-in", "--email", "a@audited.test", ...within)
        yield* run("organizations", "suspend", organization)
        yield* run("organizations", "resume", organization)
        yield* run("organizations", "block-credit", organization)
        yield* run("organizations", "unblock-credit", organization)
        const rita = yield* json("members", "add", ...within, "--email", "rita@audited.test", "--name", "Rita")
        yield* run("members", "role", ...within, rita.id, "--role", "admin")
        yield* run("members", "deactivate", ...within, rita.id)
        yield* run("members", "activate", ...within, rita.id)
        const project = yield* json("projects", "create", ...within, "--name", "Second")
        const named = ["--project", project.id, "--environment", "sandbox", "--name", "k"] as const
        const key = yield* json("keys", "create", ...within, ...named, "--scopes", "messages:read")
        const environment: string = project.environments[0].id
        yield* run("keys", "revoke", "--environment", environment, key.id)
        yield* run("projects", "archive", ...within, project.id)
        yield* run("projects", "restore", ...within, project.id)
        yield* run("projects", "delete", ...within, project.id, "--yes")
        yield* run("orders", "identity", ...within, "--legal-name", "Audited", "--tax-id", "529.982.247-25")
        const rows = yield* rowsOf(organization)
        const settings = (text: string | null) => (text === null ? null : JSON.parse(text))
        assert.deepStrictEqual(
          rows.map(({ action, after, before, subject }) => [action, subject, settings(before), settings(after)]),
          [
            ["organization.created", null, null, { name: "Audited", project: "Main" }],
            ["member.sign_in_link_made", made.member_id, null, null],
            ["member.sign_in_link_made", made.member_id, null, null],
            ["organization.suspended", null, open("active"), open("suspended")],
            ["organization.resumed", null, open("suspended"), open("active")],
            ["organization.credit_blocked", null, open("active"), { status: "active", credit_blocked: "true" }],
            ["organization.credit_unblocked", null, { status: "active", credit_blocked: "true" }, open("active")],
            ["member.added", rita.id, null, { role: "member" }],
            ["member.role_set", rita.id, { role: "member" }, { role: "admin" }],
            ["member.deactivated", rita.id, { active: "true" }, { active: "false" }],
            ["member.activated", rita.id, { active: "false" }, { active: "true" }],
            ["project.created", project.id, null, { name: "Second" }],
            ["api_key.created", key.id, null, { name: "k", scopes: "messages:read" }],
            ["api_key.revoked", key.id, { status: "active" }, { status: "revoked" }],
            ["project.archived", project.id, { status: "active" }, { status: "archived" }],
            ["project.restored", project.id, { status: "archived" }, { status: "active" }],
            ["project.deleted", project.id, null, { status: "deleted" }],
            ["organization.identity_approved", null, { identity: "none" }, { identity: "approved" }]
          ]
        )
        assert.deepStrictEqual([...new Set(rows.map(({ member_id }) => member_id))], [null])
        const ofKey = rows.filter(({ action }) => action.startsWith("api_key."))
        assert.deepStrictEqual(
          ofKey.map(({ environment_id }) => environment_id),
          [environment, environment]
        )
        const kept = JSON.stringify(rows)
        for (const secret of [key.secret, "rita@audited.test", "12345678901", "token="]) assert.notInclude(kept, secret)
      })
  )

  it.effect("an answered report and a started setup leave a row, a refused command none", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const organization = acme.organization_id
      const before = (yield* rowsOf(organization)).length
      const sent = yield* post(
        "/v1/feedback",
        { message: "It is slow" },
        { key: acme.sandbox.key, idempotencyKey: "audited" }
      )
      yield* run("feedback", "review", sent.body.id)
      yield* run("feedback", "resolve", sent.body.id, "--disposition", "documented", "--summary", "Faster now")
      yield* run("connections", "setup", "--environment", acme.sandbox.id, "--target", "upstream.chatapp")
      assert.isFalse((yield* run("projects", "delete", "--organization", organization, acme.project.id)).ok)
      assert.isFalse((yield* run("members", "role", "--organization", organization, "mem_none", "--role", "admin")).ok)
      const rows = (yield* rowsOf(organization)).slice(before)
      assert.deepStrictEqual(
        rows.map(({ action, environment_id }) => [action, environment_id]),
        [
          ["feedback.answered", acme.sandbox.id],
          ["feedback.answered", acme.sandbox.id],
          ["connection.setup_begun", acme.sandbox.id]
        ]
      )
      assert.notInclude(JSON.stringify(rows), "Faster now")
    })
  )
})

const open = (status: string) => ({ status, credit_blocked: "false" })
