import { existsSync, readdirSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Commands, carteiro, emptyFolder } from "./Cli.ts"

/** What a terminal acts on: controls but line feeds, and characters that turn text. */
const acting = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/u
const hostile = "\u001b]0;owned\u0007\u001b[2J\u202egpj.exe\u009b31m\r"

/** An API that is not the one that a person means: every text of its answers acts on terminals, and names lead elsewhere. */
const hostileApi = Effect.fnUntraced(function* (answers: Readonly<Record<string, unknown>>) {
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? ""
    const body = answers[path]
    response.writeHead(body === undefined ? 400 : 200, { "content-type": "application/json" })
    response.end(
      JSON.stringify(
        body ?? {
          error: {
            type: "invalid_request_error",
            code: `x${hostile}`,
            message: `No ${hostile}\nerror: again`,
            param: hostile
          }
        }
      )
    )
    request.resume()
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

const page = (...data: ReadonlyArray<unknown>) => ({ object: "list", data, has_more: false, next_cursor: null })
const template = (name: string, language = "pt_BR") => ({
  id: "tpl_1",
  name,
  language,
  category: "utility",
  parameter_format: "POSITIONAL",
  components: [{ type: "BODY", text: `Olá ${hostile}` }],
  version: 1,
  approved_version: 1,
  status: `approved${hostile}`
})

const run = Effect.fnUntraced(function* (answers: Readonly<Record<string, unknown>>, ...words: ReadonlyArray<string>) {
  const folder = yield* emptyFolder
  const env = { CARTEIRO_API_KEY: "sk_sandbox_x", CARTEIRO_API_BASE: yield* hostileApi(answers) }
  return { folder, ended: yield* carteiro(folder, env, ...words) }
})

it.layer(Commands.layer)("Texts of an API", (it) => {
  it.effect("templates pull writes nothing for a name that leads out of its folder", () =>
    Effect.gen(function* () {
      for (const [name, language] of [
        ["../../escaped", "pt_BR"],
        ["..\\escaped", "pt_BR"],
        ["/tmp/escaped", "pt_BR"],
        ["escaped", "../pt_BR"],
        ["a\0b", "pt_BR"],
        ["", "pt_BR"],
        [hostile, "pt_BR"]
      ] as const) {
        const { ended, folder } = yield* run(
          { "/v1/templates": page(template("welcome"), template(name, language)) },
          "templates",
          "pull",
          "some/templates"
        )
        assert.strictEqual(ended.code, 1, name)
        assert.match(ended.stderr, /unsafe_file_name/)
        assert.notMatch(ended.stderr, acting)
        assert.isFalse(existsSync(join(folder, "some/templates/welcome.pt_BR.json")), "written in part")
        assert.deepStrictEqual(
          readdirSync(folder, { recursive: true }).filter((path) => String(path).includes("escaped")),
          []
        )
      }
    }).pipe(Effect.scoped)
  )

  it.effect("an environment id of the API names no folder outside of the settings", () =>
    Effect.gen(function* () {
      const account = { environment: { id: "../../../escaped", kind: "sandbox" } }
      const { ended, folder } = yield* run({ "/v1/account": account }, "listen")
      assert.strictEqual(ended.code, 1)
      assert.match(ended.stderr, /unsafe_file_name/)
      assert.isFalse(existsSync(join(folder, "escaped")))
    }).pipe(Effect.scoped)
  )

  it.effect("no text of the API acts on the terminal, in results, tables, JSON and refusals of each command", () =>
    Effect.gen(function* () {
      const log = {
        id: `req_${hostile}`,
        method: "POST",
        path: `/v1/${hostile}`,
        route: hostile,
        query: hostile,
        status: 400,
        code: hostile,
        duration_ms: 1,
        created_at: "2026-01-01T00:00:00.000Z",
        api_key_id: hostile,
        source_address: hostile,
        request_body: { text: hostile },
        response_body: hostile,
        details: "kept",
        replayed: false
      }
      const account = {
        organization: { id: "org_1", name: hostile },
        project: { id: "prj_1", name: hostile, slug: hostile },
        environment: { id: "env_1", kind: hostile },
        api_key: { id: "key_1", name: hostile, expires_at: hostile, scopes: [hostile] },
        dashboard_owner: { name: hostile, email: hostile }
      }
      const answers = {
        "/v1/account": account,
        "/v1/templates": page(template("welcome")),
        "/v1/request-logs/req_1": log,
        "/v1/messages": page({ id: hostile, text: hostile }),
        "/v1/contacts": page({ phone: hostile, opt_in_status: hostile, metadata: { [hostile]: hostile } })
      }
      for (const words of [
        ["whoami"],
        ["templates", "push", "templates"],
        ["logs", "show", "req_1"],
        ["api", "get", "messages"],
        ["api", "get", "nothing"],
        ["contacts", "export", "--json"],
        ["batches", "failures", "bat_1"],
        ["messages", "send", "--to", "+5511999990001", "--text", "Oi"],
        ["clock", "show"],
        ["trigger", "message.received"]
      ]) {
        for (const more of [[], ["--json"]]) {
          const { ended } = yield* run(answers, ...words, ...more)
          const printed = ended.stdout + ended.stderr
          assert.notMatch(printed, acting, words.join(" "))
          if (words[0] !== "templates") assert.include(printed, "\\u001b", words.join(" "))
        }
      }
    }).pipe(Effect.scoped)
  )
})
