import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { carteiro, carteiroProcess, json, Product } from "./Cli.ts"

it.layer(Product.layer, { excludeTestServices: true, timeout: 240_000 })("The program", (it) => {
  const run = Effect.fnUntraced(function* (...words: ReadonlyArray<string>) {
    const { base_url, folder, sandbox } = yield* Product
    return yield* carteiro(folder, { CARTEIRO_API_KEY: sandbox.api_key, CARTEIRO_API_BASE: base_url }, ...words)
  })

  it.effect("calls any route, with the query and the body as arguments", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* Product
      const made = json(
        yield* run(
          "api",
          "post",
          "sandbox/inbound-messages",
          "channel=chatapp",
          "from=+5511988887777",
          `to=${sandbox.phone_number_id}`,
          "type=text",
          "text.body=Oi",
          'metadata:={"n":1}'
        )
      )
      assert.strictEqual(made.status, "received")
      const list = json(yield* run("api", "get", "/v1/messages", "limit=1", "direction=inbound"))
      assert.deepStrictEqual([list.data.length, list.data[0].id], [1, made.id])
    })
  )

  it.effect("ends with 1 and the API's envelope when the API refuses, and names the next step A-ERR-01", () =>
    Effect.gen(function* () {
      const plain = yield* run("api", "get", "messages/msg_none")
      assert.deepStrictEqual([plain.code, plain.stdout], [1, ""])
      assert.match(
        plain.stderr,
        /^error: [^\n]+ \(message_not_found, req_\w+\)\nnext: carteiro docs message_not_found\n$/
      )
      const told = yield* run("api", "get", "messages/msg_none", "--json")
      assert.deepStrictEqual([told.code, JSON.parse(told.stderr).error.code], [1, "message_not_found"])
    })
  )

  it.effect("ends with 2 for a malformed command, 3 for an invalid key, 4 without an answer", () =>
    Effect.gen(function* () {
      const { base_url, folder } = yield* Product
      const nobody = { CARTEIRO_API_KEY: "svc_sbx_nothing", CARTEIRO_API_BASE: base_url }
      const wrong = yield* carteiroProcess(folder, {}, "whomi")
      assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
      assert.match(
        wrong.stderr,
        /^error: unknown command 'whomi' \(Did you mean whoami\?\) \(invalid_command\)\nnext: /
      )
      const missing = yield* carteiroProcess(folder, nobody, "contacts", "import", "none.csv", "--source", "site")
      assert.match(
        missing.stderr,
        /^error: there is no none\.csv \(ENOENT\)\nnext: name a file or folder that exists\n$/
      )
      const unknown = yield* carteiroProcess(folder, nobody, "whoami")
      assert.strictEqual(unknown.code, 3)
      assert.include(unknown.stderr, "next: log in again: carteiro login")
      const away = yield* carteiroProcess(
        folder,
        { ...nobody, CARTEIRO_API_BASE: "http://127.0.0.1:1" },
        "whoami",
        "--json"
      )
      assert.deepStrictEqual([away.code, JSON.parse(away.stderr).error.code], [4, "no_answer"])
    })
  )

  it.effect("names a missing file, and a folder in place of a file, in every command that reads one", () =>
    Effect.gen(function* () {
      const { folder } = yield* Product
      const to = ["--to", "+5511988887777"]
      const readers: ReadonlyArray<readonly [kind: string, (path: string) => ReadonlyArray<string>]> = [
        ["csv", (path) => ["contacts", "import", path]],
        ["csv", (path) => ["batches", "run", path, "--template", "welcome"]],
        ["pdf", (path) => ["media", "upload", path]],
        ["pdf", (path) => ["messages", "send", ...to, "--file", path]],
        ["json", (path) => ["api", "post", "messages", "--body", `@${path}`]],
        ["templates", (path) => ["templates", "push", path]]
      ]
      for (const [kind, words] of readers) {
        const missing = yield* run(...words(`none.${kind}`))
        assert.deepStrictEqual([missing.code, missing.stdout], [1, ""], words("").join(" "))
        const sentence = `^error: there is no none\\.${kind} \\(ENOENT\\)\nnext: name a file or folder that exists\n$`
        assert.match(missing.stderr, new RegExp(sentence), words("").join(" "))
        if (kind === "templates") continue
        mkdirSync(join(folder, `folder.${kind}`), { recursive: true })
        const folderGiven = yield* run(...words(`folder.${kind}`))
        assert.strictEqual(folderGiven.code, 1, folderGiven.stderr)
        const told = `^error: folder\\.${kind} is a folder \\(EISDIR\\)\nnext: name a file\n$`
        assert.match(folderGiven.stderr, new RegExp(told), words("").join(" "))
      }
    })
  )

  it.effect("hands integers beyond 2^53 over digit by digit, and prints them so gaps-1", () =>
    Effect.gen(function* () {
      const { folder, sandbox } = yield* Product
      const [order, customer] = ["9007199254740993", "-123456789012345678901234567890"]
      const body = `{"channel":"chatapp","from":"+5511988887777","to":"${sandbox.phone_number_id}","type":"text",
        "text":{"body":"Oi"},"metadata":{"order":${order}}}`
      writeFileSync(join(folder, "long.json"), body)
      for (const source of [body, "@long.json"]) {
        const words = ["sandbox/inbound-messages", "--body", source, `metadata.customer:=${customer}`]
        const made = yield* run("api", "post", ...words)
        const read = yield* run("api", "get", `messages/${json(made).id}`)
        assert.match(read.stdout, new RegExp(`"order": ${order}\\b`))
        assert.match(read.stdout, new RegExp(`"customer": ${customer}\\b`))
      }
      const refused = yield* run("api", "get", "messages", `limit:=${order}`, "--json")
      assert.strictEqual(JSON.parse(refused.stderr).error.param, "limit")
    })
  )

  it.effect("prints no colour into a pipe, and help with examples for every command", () =>
    Effect.gen(function* () {
      const { folder } = yield* Product
      const help = yield* carteiroProcess(folder, {}, "--help")
      assert.strictEqual(help.code, 0)
      assert.notInclude(help.stdout, "\u001b")
      const commands = [...help.stdout.matchAll(/^ {2}([a-z]+)(?: \[options\])? .*/gm)].map(([, name = ""]) => name)
      assert.includeMembers(commands, ["login", "whoami", "api"])
      for (const name of commands.filter((one) => one !== "help")) {
        const own = yield* run(name, "--help")
        assert.strictEqual(own.code, 0, name)
        assert.match(own.stdout, /Examples:\n {2}\$ carteiro |Commands:\n/, name)
        assert.notInclude(own.stdout, "\u001b", name)
      }
    })
  )
})
