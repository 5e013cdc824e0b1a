import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { auditOf, json, run } from "./Commands.ts"

const Product = WholeProduct({ sweeps: false }).pipe(Layer.provideMerge(NodeServices.layer))
const folder = mkdtempSync(join(tmpdir(), "carteiro-tokens-"))

/** A file that holds a token. */
const tokenFile = (token: string): string => {
  const path = join(folder, token)
  writeFileSync(path, `${token}\n`)
  return path
}

it.layer(Product, { excludeTestServices: true })("carteiro connections", (it) => {
  it.effect(
    "registers, lists, shows, rotates and disconnects an account, and prints no token M-CONN-15 M-CONN-24 M-CONN-31",
    () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const { id: environment, key } = acme.sibling.sandbox
        const on = ["-e", environment] as const
        assert.strictEqual((yield* run("connections", "list", ...on)).text, "no connections")
        const shop = ["--name", "Loja", "--account", "2001", "--number", "1001"] as const
        const made = yield* run(
          "connections",
          "register",
          ...on,
          ...shop,
          "--token-file",
          tokenFile("first-token-1111")
        )
        assert.match(made.text, /^id +pcn_\w+\nchannel +chatapp\nstatus +connected\n/)
        assert.match(made.text, /^credential_last_four +1111$/m)
        const id = /pcn_\w+/.exec(made.text)?.[0] ?? ""
        const { data } = yield* json("connections", "list", ...on, "--channel", "chatapp", "--status", "connected")
        const read = (yield* get(`/v1/provider-connections/${id}`, { key })).body
        assert.deepStrictEqual(data, [withoutTrace(read)])
        assert.deepStrictEqual((yield* json("connections", "list", ...on, "--provider", "pixprov1")).data, [])
        assert.match((yield* run("connections", "list", ...on)).text, /upstream +chatapp +connected +2001 +Loja$/m)
        const shown = yield* json("connections", "show", id, ...on)
        assert.deepStrictEqual(shown, withoutTrace(read))
        const page = (yield* run("connections", "show", id, ...on)).text
        assert.match(page, /^account +may send +blocked by +observed_at\n2001 +not known/m)

        const rotate = (token: string, ...more: ReadonlyArray<string>) =>
          run("connections", "rotate", id, ...on, "--token-file", tokenFile(token), ...more)
        const rotated = yield* rotate("second-token-2222", "--expires-at", "2026-01-03T00:00:00Z")
        assert.match(rotated.text, /^credential_last_four +2222\ntoken_expires_at +2026-01-03T00:00:00.000Z$/m)
        const expiring = (yield* run("connections", "show", id, ...on)).text
        assert.match(expiring, /The token expires within a week\. Rotate the token/)
        assert.match((yield* run("connections", "list", ...on)).text, /2001 +yes +Loja$/m)
        assert.match((yield* rotate("foreign_token")).refusal, /another app/i)
        assert.match((yield* rotate("invalid")).refusal, /\S/)

        const channels = yield* json("connections", "channels", ...on)
        const status = (yield* get("/v1/provider-connections/status", { key })).body
        assert.deepStrictEqual(channels, withoutTrace(status))
        const told = (yield* run("connections", "channels", ...on)).text
        assert.match(told, /^socialapp +missing +no_provider_connection$/m)

        assert.match((yield* run("connections", "disconnect", id, ...on)).refusal, /--yes/)
        const over = yield* json("connections", "disconnect", id, ...on, "--yes")
        assert.strictEqual(over.status, "disconnected")
        assert.strictEqual((yield* run("connections", "disconnect", id, ...on, "--yes")).text, `disconnected ${id}`)
        assert.match((yield* rotate("third-token-3333")).refusal, /connected/)
        for (const text of [made.text, rotated.text, expiring, page, JSON.stringify([data, shown, over])]) {
          assert.notMatch(text, /first-token|second-token/)
        }
        const audited = yield* auditOf(acme.organization_id, id)
        assert.deepStrictEqual(
          audited.map(([action]) => action),
          ["connection.registered", "connection.token_rotated", "connection.disconnected"]
        )
        assert.notMatch(JSON.stringify(audited), /token-/)
      })
  )

  it.effect("completes a registration that a code left pending M-CONN-20 M-CONN-22", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id: environment, key } = acme.project.sandbox
      const on = ["-e", environment] as const
      yield* post("/v1/provider-connections/upstream/oauth", { code: "unproven_code" }, { key })
      const [pending] = (yield* json("connections", "list", ...on, "--status", "pending")).data
      const page = (yield* run("connections", "show", pending.id, ...on)).text
      assert.match(page, /which account it is for is not proven\. Call complete-pending/)
      assert.isFalse((yield* run("connections", "complete", pending.id, ...on)).ok)
      const done = yield* json("connections", "complete", pending.id, ...on, "--account", "2002", "--number", "1002")
      assert.deepStrictEqual([done.status, done.biz_account_id, done.phone_number_id], ["connected", "2002", "1002"])
      assert.match((yield* run("connections", "complete", pending.id, ...on)).refusal, /pending/)
      const [completed] = yield* auditOf(acme.organization_id, pending.id)
      assert.strictEqual(completed?.[0], "connection.completed")
    })
  )

  it.effect("asks people for credentials by a link that lasts half an hour M-SETUP-01 M-SETUP-02", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { id: environment, key } = acme.sandbox
      const made = yield* json("connections", "setup", "-e", environment, "--target", "pixprov1.payments")
      assert.deepStrictEqual([made.status, made.target], ["pending", "pixprov1.payments"])
      assert.strictEqual(new URL(made.url).pathname, `/dashboard/setup/${made.id}`)
      const read = (yield* get(`/v1/provider-credential-setup-sessions/${made.id}`, { key })).body
      assert.deepStrictEqual(withoutTrace(read), { ...made, url: null })
      const text = (yield* run("connections", "setup", "-e", environment, "--target", "upstream.chatapp")).text
      assert.match(text, /^url +http:\/\/\S+\/dashboard\/setup\/pcs_\w+$/m)
    })
  )

  it.effect("refuses unknown ids and malformed input", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const on = ["-e", acme.sandbox.id] as const
      const foreign = ["-e", other.sandbox.id] as const
      const registered = yield* json(
        ...["connections", "register", ...foreign, "--name", "Outra", "--account", "1", "--number", "2"],
        ...["--token-file", tokenFile("their-token-9999")]
      )
      for (const [words, refusal] of [
        [["show", registered.id, ...on], /^No provider connection/],
        [["show", "nonsense", ...on], /^No provider connection/],
        [["disconnect", registered.id, ...on, "--yes"], /^No provider connection/],
        [["rotate", registered.id, ...on, "--token-file", tokenFile("x-token")], /^No provider connection/],
        [["list", "-e", "env_none"], /No environment with this id/],
        [["list", ...on, "--status", "open"], /--help/],
        [["setup", ...on, "--target", "sms"], /--help/],
        [["setup", ...on, "--target", "speechprov1.stt"], /sandbox/i],
        [["register", ...on, "--name", "x", "--token-file", tokenFile("a-token")], /\(biz_account_id\)$/],
        [["register", ...on, "--name", "x", "--token-file", join(folder, "none")], /none cannot be read/]
      ] as const) {
        const ran = yield* run("connections", ...words)
        assert.isFalse(ran.ok, words.join(" "))
        assert.match(ran.refusal, refusal)
      }
    })
  )
})

const withoutTrace = ({ trace_id: _, ...rest }: { readonly trace_id?: string }) => rest
