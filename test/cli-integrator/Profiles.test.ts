import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { carteiro, decide, emptyFolder, json, Product, started } from "./Cli.ts"

const slow = 240_000

it.layer(Product.layer, { excludeTestServices: true, timeout: slow })("Keys of the command line", (it) => {
  it.effect(
    "login stores the key that a person approved in a file that only its owner reads A-DEV-16 A-DEV-18",
    () =>
      Effect.gen(function* () {
        const product = yield* Product
        const { base_url } = product
        const folder = yield* emptyFolder
        const login = yield* started(folder, {}, "login", "--api-base", base_url)
        const [, page = ""] = yield* login.prints(/browser: (\S+)/)
        yield* decide(product, page, "approve")
        const done = yield* login.ended
        assert.strictEqual(done.code, 0, done.stderr)
        const [, name = ""] = /profile (\S+)/.exec(done.stdout) ?? []
        assert.match(name, /-sandbox$/)
        const file = join(folder, "config/carteiro/profiles", `${name}.json`)
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.strictEqual(statSync(join(folder, "config/carteiro/profiles")).mode & 0o777, 0o700)

        const who = json(yield* carteiro(folder, {}, "whoami", "--json"))
        assert.deepStrictEqual([who.profile, who.environment.kind, who.api_key.kind], [name, "sandbox", "agent"])
        assert.include(who.api_key.scopes, "sandbox:write")
        assert.notInclude(who.api_key.scopes, "billing:write")
        const days = (Date.parse(who.api_key.expires_at) - Date.parse(who.api_key.created_at)) / 86_400_000
        assert.strictEqual(Math.round(days), 90)

        // The key's scopes serve the commands: quickstart misses none, and scenarios of each sort play.
        assert.deepStrictEqual(json(yield* carteiro(folder, {}, "api", "get", "sandbox/quickstart")).missing_scopes, [])
        const scenarios = ["payment.paid", "group.participant_joined", "template.paused", "message.media_transcribed"]
        const others = [
          "flow.completed",
          "upstream_signup_session.completed",
          "phone_number.active",
          "agentic.authorized"
        ]
        const play = Effect.fnUntraced(function* (scenario: string) {
          const played = yield* carteiro(folder, {}, "trigger", scenario)
          assert.strictEqual(played.code, 0, `${scenario} ${played.stderr}`)
        })
        yield* Effect.forEach([...scenarios, ...others], play, { concurrency: 4, discard: true })

        const logged = yield* carteiro(folder, {}, "api", "get", "request-logs", "limit=1")
        assert.strictEqual(logged.code, 0, logged.stderr)

        assert.strictEqual((yield* carteiro(folder, {}, "switch", "none")).code, 2)
        const known = json(yield* carteiro(folder, {}, "switch", "--json"))
        assert.deepStrictEqual(
          [known.length, known[0].name, known[0].in_use, "api_key" in known[0]],
          [1, name, true, false]
        )

        const out = yield* carteiro(folder, {}, "logout")
        assert.include(out.stdout, `${base_url}/dashboard/api-keys`)
        assert.isFalse(existsSync(file))
        assert.strictEqual((yield* carteiro(folder, {}, "whoami")).code, 3)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "login --production requests a key that writes neither to billing nor to payments",
    () =>
      Effect.gen(function* () {
        const product = yield* Product
        const { base_url } = product
        const folder = yield* emptyFolder
        const login = yield* started(folder, {}, "login", "--production", "--api-base", base_url, "--json")
        const [, page = ""] = yield* login.prints(/browser: (\S+)/)
        yield* decide(product, page, "approve")
        const done = yield* login.ended
        assert.deepStrictEqual([json(done).environment, "api_key" in json(done)], ["production", false])
        const { scopes } = json(yield* carteiro(folder, {}, "whoami", "--json")).api_key
        assert.includeMembers(scopes, ["messages:write", "webhooks:write", "logs:read"])
        for (const scope of ["billing:write", "payments:write", "sandbox:write"]) assert.notInclude(scopes, scope)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "login ends with one line when the person refuses A-DEV-23",
    () =>
      Effect.gen(function* () {
        const product = yield* Product
        const { base_url } = product
        const folder = yield* emptyFolder
        const login = yield* started(folder, {}, "login", "--production", "--api-base", base_url)
        const [, page = ""] = yield* login.prints(/browser: (\S+)/)
        yield* decide(product, page, "deny")
        const done = yield* login.ended
        assert.strictEqual(done.code, 1)
        assert.match(
          done.stderr,
          /error: the key was refused in the browser \(authorization_denied\)\nnext: carteiro login\n$/
        )
      }).pipe(Effect.scoped),
    slow
  )

  it.effect("CARTEIRO_API_KEY and CARTEIRO_API_BASE serve without any profile", () =>
    Effect.gen(function* () {
      const { base_url, sandbox } = yield* Product
      const folder = yield* emptyFolder
      const env = { CARTEIRO_API_KEY: sandbox.api_key, CARTEIRO_API_BASE: base_url }
      const who = json(yield* carteiro(folder, env, "whoami", "--json"))
      assert.deepStrictEqual([who.profile, who.environment.id], [null, sandbox.environment_id])
      assert.isFalse(existsSync(join(folder, "config")))
    }).pipe(Effect.scoped)
  )
})
