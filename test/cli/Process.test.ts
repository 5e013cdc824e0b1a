import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { loadedBy } from "../support/Loaded.ts"
import { runProgram } from "../support/Program.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const root = join(import.meta.dirname, "../..")

const carteiro = (env: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) =>
  runProgram("cli/main.ts", env, ...words)

it.layer(TestDatabase.layer, { excludeTestServices: true })("the process", (it) => {
  it.effect(
    "prints only its result on stdout, with the settings of a node (Boot contract, Settings)",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const sql = yield* SqlClient.SqlClient
        const env = {
          DATABASE_URL: url,
          CARTEIRO_MASTER_KEY: "07".repeat(32),
          CARTEIRO_PUBLIC_URL: "https://api.example.com",
          CARTEIRO_SMTP_URL: "smtp://127.0.0.1:9",
          CARTEIRO_MAIL_FROM: "billing@example.com",
          CARTEIRO_MODE: "production"
        }
        const made = yield* carteiro(env, "bootstrap", "--name", "Sol", "--email", "ana@sol.test", "--json")
        assert.deepStrictEqual([made.code, made.stderr], [0, ""])
        const { organization_id, sign_in_url } = JSON.parse(made.stdout)
        assert.match(sign_in_url, /^https:\/\/api\.example\.com\/dashboard\/sign-in\?token=/)
        const rows = yield* sql`select name from organizations where id = ${organization_id}`
        assert.deepStrictEqual(rows, [{ name: "Sol" }])
        const refused = yield* carteiro(env, "organizations", "suspend", "org_none", "--json")
        assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
        assert.strictEqual(JSON.parse(refused.stderr).error.code, "organization_not_found")
      }),
    240_000
  )

  it.effect(
    "refuses wrong settings with one line, and shows help without any (Boot contract, Settings)",
    () =>
      Effect.gen(function* () {
        const wrong = yield* carteiro({ DATABASE_URL: "mysql://x" }, "organizations", "list")
        assert.strictEqual(wrong.code, 1)
        assert.match(wrong.stderr, /^DATABASE_URL: expected [^\n]*\n$/)
        const help = yield* carteiro({ DATABASE_URL: "mysql://x" }, "organizations", "--help")
        assert.deepStrictEqual([help.code, help.stdout.includes("block-credit")], [0, true])
      }),
    240_000
  )

  it.effect(
    "a malformed command is one line and exit code 2, a failing one exit code 1, neither with a stack trace",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const sql = yield* SqlClient.SqlClient
        const env = { DATABASE_URL: url, CARTEIRO_MASTER_KEY: "07".repeat(32) }
        const wrong = yield* carteiro(env, "organizations", "list", "--limit", "0")
        assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
        assert.match(wrong.stderr, /^[^\n]+ \(see carteiro-operator organizations list --help\)\n$/)
        const json = yield* carteiro(env, "keys", "list", "--json")
        assert.deepStrictEqual([json.code, JSON.parse(json.stderr).error.code], [2, "usage"])
        yield* sql`alter table organizations rename column credit_blocked to gone`
        const failed = yield* carteiro(env, "organizations", "list")
        yield* sql`alter table organizations rename column gone to credit_blocked`
        assert.deepStrictEqual([failed.code, failed.stdout], [1, ""])
        assert.match(failed.stderr, /^[^\n]+\n$/)
        assert.notInclude(failed.stderr, "    at ")
      }),
    240_000
  )
})

it.live(
  "help loads no room, and the help of one command no other command",
  () =>
    Effect.gen(function* () {
      const { loaded, ran } = yield* loadedBy("cli/main.ts", "--help")
      assert.strictEqual(ran.code, 0)
      assert.match(ran.stdout, /^ {2}keys +List, create and revoke API keys$/m)
      assert.match(ran.stdout, /^ {2}bootstrap +Create an organization /m)
      assert.isBelow(loaded.length, 420, "a room brings hundreds of modules")
      assert.deepStrictEqual(
        loaded.filter((path) => /^runtime\/(?!boot|cli|platform|package\.json)/.test(path)),
        []
      )
      const one = yield* loadedBy("cli/main.ts", "keys", "--help")
      assert.match(one.ran.stdout, /^ {2}revoke +Revoke a key/m)
      assert.deepStrictEqual(
        one.loaded.filter((path) => /Commands?\.ts$/.test(path)),
        ["runtime/cli/commands/KeyCommands.ts"]
      )
      const words = yield* carteiro({}, "--completions", "bash")
      assert.include(words.stdout, "block-credit", "completions know every command")
    }),
  240_000
)

it("the script's old name runs the operator's commands and names both new scripts", async () => {
  const { stderr, stdout } = await promisify(execFile)("npm", ["run", "-s", "carteiro", "--", "--help"], { cwd: root })
  assert.include(stdout, "carteiro-operator <subcommand>")
  assert.match(stderr, /npm run carteiro is npm run operator now; npx carteiro is/)
}, 240_000)
