import { writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { carteiro, emptyFolder, json, Product } from "./Cli.ts"

/** What the API of these tests answers to `GET /v1/account`: the region of its project, or a refusal. */
type Account = { readonly region: string } | { readonly status: number }

/** Passes requests on to the product, whose project is in the region of `account`, and counts the reads of it. */
const relayed = Effect.fnUntraced(function* (baseUrl: string, account: Account) {
  let reads = 0
  const answered = async (request: IncomingMessage) => {
    const { authorization, "content-type": type, "idempotency-key": key } = request.headers
    const headers = Object.entries({ authorization, "content-type": type, "idempotency-key": key })
    const body = await buffer(request)
    const answer = await fetch(`${baseUrl}${request.url}`, {
      method: request.method ?? "GET",
      headers: headers.flatMap(
        ([name, value]): Array<[string, string]> => (value === undefined ? [] : [[name, String(value)]])
      ),
      ...(body.length === 0 ? {} : { body })
    })
    const text = await answer.text()
    if (request.url !== "/v1/account") return { status: answer.status, text }
    reads += 1
    if ("status" in account) {
      const error = { type: "permission_error", code: "insufficient_scope", message: "The key may not read this." }
      return { status: account.status, text: JSON.stringify({ error }) }
    }
    const profile = JSON.parse(text)
    profile.project.default_region = account.region
    return { status: answer.status, text: JSON.stringify(profile) }
  }
  const server = createServer((request, response) => {
    void answered(request).then(({ status, text }) =>
      response.writeHead(status, { "content-type": "application/json" }).end(text)
    )
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reads: () => reads }
})

const cited = 'gaps-2 A "Phones outside `recipient.id`"'

it.layer(Product.layer, { excludeTestServices: true, timeout: 240_000 })("Numbers without + or 00", (it) => {
  const inRegion = Effect.fnUntraced(function* (account: Account) {
    const { base_url, sandbox } = yield* Product
    const folder = yield* emptyFolder
    const api = yield* relayed(base_url, account)
    const env = { CARTEIRO_API_KEY: sandbox.api_key, CARTEIRO_API_BASE: api.url }
    writeFileSync(join(folder, "clientes.csv"), "telefone\n912 345 678\n")
    return { ...api, run: (...words: ReadonlyArray<string>) => carteiro(folder, env, ...words) }
  })

  it.effect(`are read in the region of the project by every command that takes one, ${cited}`, () =>
    Effect.gen(function* () {
      const { run } = yield* inRegion({ region: "PT" })
      const sent = yield* run("messages", "send", "--to", "912 345 678", "--template", "welcome", "--var", "1=Ana")
      assert.match(sent.stderr, /912 345 678 is read as \+351912345678/)
      const listed = json(yield* run("contacts", "import", "clientes.csv", "--dry-run", "--json"))
      assert.deepStrictEqual(listed.rows, [{ row: 2, written: "912 345 678", phone: "+351912345678" }])
      const optedIn = json(yield* run("api", "post", "contacts/opt-in", "phone=912 345 678"))
      assert.strictEqual(optedIn.phone, "+351912345678")
      const heard = json(yield* run("trigger", "message.received", "from=912 345 678", "--json"))
      assert.strictEqual(heard.events[0].data.sender.id, "+351912345678")
    })
  )

  it.effect(`are read in the region of --region in place of the project's, ${cited}`, () =>
    Effect.gen(function* () {
      const { reads, run } = yield* inRegion({ region: "PT" })
      const words = ["contacts", "import", "clientes.csv", "--dry-run", "--json"]
      const spanish = json(yield* run(...words, "--region", "es"))
      assert.deepStrictEqual(
        [spanish.rows, spanish.bad.length],
        [[{ row: 2, written: "912 345 678", phone: "+34912345678" }], 0]
      )
      assert.strictEqual(reads(), 0)
    })
  )

  it.effect(
    `ask for --region where the project's cannot be read, and are never taken for Brazilian ones, ${cited}`,
    () =>
      Effect.gen(function* () {
        const { reads, run } = yield* inRegion({ status: 403 })
        for (const words of [
          ["messages", "send", "--to", "(11) 98765-4321", "--text", "Oi"],
          ["contacts", "import", "clientes.csv", "--dry-run"],
          ["api", "post", "contacts/opt-out", "phone=(11) 98765-4321"],
          ["trigger", "message.received", "--customer", "(11) 98765-4321"]
        ]) {
          const before = reads()
          const asked = yield* run(...words)
          assert.deepStrictEqual([asked.code, asked.stdout], [2, ""], words.join(" "))
          assert.match(asked.stderr, /the region of the project is not known.*\nnext: name the region .*--region BR\n$/)
          assert.strictEqual(reads(), before + 1)
        }
        const before = reads()
        const named = json(yield* run("api", "post", "contacts/opt-in", "phone=(11) 98765-4321", "--region", "BR"))
        assert.strictEqual(named.phone, "+5511987654321")
        const international = json(yield* run("api", "post", "contacts/opt-in", "phone=+55 (11) 98765-4321"))
        assert.strictEqual(international.id, named.id)
        assert.strictEqual(reads(), before)
      })
  )
})
