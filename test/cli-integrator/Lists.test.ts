import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/Until.ts"
import { carteiro, emptyFolder, json, Product, started } from "./Cli.ts"

const slow = 240_000

const context = Effect.gen(function* () {
  const product = yield* Product
  const folder = yield* emptyFolder
  const env = { CARTEIRO_API_KEY: product.sandbox.api_key, CARTEIRO_API_BASE: product.base_url }
  const run = (...words: ReadonlyArray<string>) => carteiro(folder, env, ...words)
  const file = (name: string, text: string | Uint8Array) => {
    writeFileSync(join(folder, name), text)
    return name
  }
  return { product, folder, env, run, file }
})

/** Passes requests on, and counts the batches; from the given one on, answers of batches are lost while `loses` says so. */
const losing = Effect.fnUntraced(function* (baseUrl: string, from: number, loses: () => boolean) {
  const made: Array<{ readonly key: string; readonly to: ReadonlyArray<string> }> = []
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      for (const name of ["host", "connection", "content-length", "transfer-encoding"]) delete headers[name]
      const method = request.method ?? "GET"
      const answer = await fetch(`${baseUrl}${request.url}`, { method, headers, ...(method === "GET" ? {} : { body }) })
      const text = await answer.text()
      if (method === "POST" && request.url === "/v1/batches") {
        const { recipients } = JSON.parse(String(body)) as {
          readonly recipients: ReadonlyArray<{ readonly to: string }>
        }
        made.push({ key: String(headers["idempotency-key"]), to: recipients.map(({ to }) => to) })
        if (made.length >= from && loses()) return
      }
      response.writeHead(answer.status, { "content-type": "application/json" }).end(text)
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, made }
})

const phone = (at: number) => `+55119${String(50_000_000 + at)}`

it.layer(Product.layer, { excludeTestServices: true, timeout: slow })("Lists on the command line", (it) => {
  it.effect(
    'a list of an office is shown as it is read, and handed over once a person agrees gaps-2 A "Phones outside `recipient.id`"',
    () =>
      Effect.gen(function* () {
        const { file, run } = yield* context
        const list = file("clientes.csv", Buffer.from("Nome;Telefone;Plano\r\nJoão;(11) 99999-0001;Ouro\r\n", "latin1"))
        const words = ["batches", "run", list, "--template", "welcome"]
        const unmapped = yield* run(...words)
        assert.deepStrictEqual([unmapped.code, unmapped.stdout], [2, ""])
        assert.match(
          unmapped.stderr,
          /welcome needs 1, and clientes\.csv has no column for 1.*\nnext: .*--map 1=<Nome\|Plano>/
        )
        const mapped = [...words, "--map", "1=Nome", "--map", "metadata.plan=Plano"]
        const looked = yield* run(...mapped, "--dry-run")
        assert.match(looked.stderr, /2 +\(11\) 99999-0001 +\+5511999990001/)
        assert.strictEqual(looked.stdout, "1 recipient; nothing was sent\n")
        assert.deepStrictEqual(json(yield* run(...mapped, "--dry-run", "--json")).recipients, [
          {
            row: 2,
            written: "(11) 99999-0001",
            to: "+5511999990001",
            variables: { "1": "João" },
            metadata: { plan: "Ouro" }
          }
        ])
        const asked = yield* run(...mapped)
        assert.deepStrictEqual([asked.code, asked.stdout], [1, ""])
        assert.match(asked.stderr, /1 number read otherwise than written, and nothing was sent/)
        assert.strictEqual(json(yield* run("api", "get", "batches")).data.length, 0)
        const [batch] = json(yield* run(...mapped, "--yes", "--json"))
        const recipients = json(yield* run("api", "get", `batches/${batch.id}/recipients`)).data
        assert.strictEqual(recipients[0].to, "+5511999990001")
        const [message] = json(yield* run("api", "get", "messages", "direction=outbound", "limit=1")).data
        assert.deepStrictEqual([message.recipient.id, message.metadata], ["+5511999990001", { plan: "Ouro" }])
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "a number of another region, a spreadsheet's number and no number are refused with row, column and the likely number",
    () =>
      Effect.gen(function* () {
        const { file, folder, run } = yield* context
        const list = file(
          "c.csv",
          "phone;name\n5511999990011;Ana\n5511999990012.0;Bia\n5,5119E+12;Caio\n99999-0001;Davi\n"
        )
        const words = ["contacts", "import", list]
        const refused = yield* run(...words)
        assert.deepStrictEqual([refused.code, refused.stdout], [2, ""])
        for (const part of [/3 +A +5511999990012\.0 .*\+5511999990012/, /4 +A +5,5119E\+12/, /5 +A +99999-0001/])
          assert.match(refused.stderr, part)
        assert.strictEqual(
          json({ ...refused, stdout: (yield* run(...words, "--json")).stderr }).error.details.rows.length,
          3
        )
        assert.strictEqual(json(yield* run("api", "get", "contacts", "phone=+5511999990011")).data.length, 0)
        const taken = yield* run(...words, "--skip-bad", "--json")
        assert.deepInclude(json(taken), { rows: 1, imported: 1, left_out: 3 })
        const rest = readFileSync(join(folder, "c.rest.csv"), "utf8")
        assert.strictEqual(rest, "\ufeffphone;name\r\n5511999990012.0;Bia\r\n5,5119E+12;Caio\r\n99999-0001;Davi\r\n")
        assert.strictEqual((yield* run(...words.slice(0, 2), list, "--region", "XX")).code, 2)
        file("c.rest.csv", rest.replace("5511999990012.0", "+55 11 99999-0012"))
        assert.deepInclude(json(yield* run("contacts", "import", "c.rest.csv", "--skip-bad", "--json")), {
          imported: 1,
          left_out: 2
        })
        const abroad = file("us.csv", "phone\n(415) 555-2671\n")
        const shown = yield* run("contacts", "import", abroad, "--region", "us", "--dry-run", "--json")
        assert.deepStrictEqual(json(shown).rows, [{ row: 2, written: "(415) 555-2671", phone: "+14155552671" }])
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "the rows that were left out of a list are read again as they were, also without names of columns and from a pipe",
    () =>
      Effect.gen(function* () {
        const { env, file, folder, run } = yield* context
        const metadataOf = (number: string) =>
          Effect.map(run("api", "get", "contacts", `phone=${number}`), (found) => json(found).data[0]?.metadata)
        file("n.csv", "5511999990081;12.50;x;-y\n999;1.234,56;a;+1\n")
        yield* run("contacts", "import", "n.csv", "--skip-bad", "--json")
        const rest = readFileSync(join(folder, "n.rest.csv"), "utf8")
        file("n.rest.csv", rest.replace("999;", "5511999990082;"))
        assert.strictEqual(json(yield* run("contacts", "import", "n.rest.csv", "--json")).imported, 1)
        assert.deepStrictEqual(yield* metadataOf("+5511999990081"), { "1": "12.50", "2": "x", "3": "-y" })
        assert.deepStrictEqual(yield* metadataOf("+5511999990082"), { "1": "1.234,56", "2": "a", "3": "+1" })
        const piped = (text: string, ...words: ReadonlyArray<string>) =>
          Effect.flatMap(started(folder, env, "contacts", "import", "-", ...words), ({ child, ended }) => {
            child.stdin.end(text)
            return ended
          })
        const sheet = "Contato;amount_brl;obs\n(11) 99999-0083;1;2\n77;12.50;a;\n"
        const taken = yield* piped(sheet, "--phone-column", "contato", "--skip-bad", "--yes", "--json")
        assert.deepInclude(json(taken), { imported: 1, left_out: 1 })
        assert.include(taken.stderr, "1 row left out and written to list.rest.csv")
        assert.strictEqual(
          readFileSync(join(folder, "list.rest.csv"), "utf8"),
          "\ufeffContato;amount_brl;obs\r\n77;12.50;a\r\n"
        )
        const refused = yield* piped(sheet, "--phone-column", "fone")
        assert.match(refused.stderr, /no column fone[^\n]*\nnext: one of: Contato, amount_brl, obs/)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "a list of more than ten thousand is checked to its last row before the first part is sent",
    () =>
      Effect.gen(function* () {
        const { file, product, env, folder } = yield* context
        const rows = Array.from({ length: 10_001 }, (_, at) => `${phone(at)};Ana`)
        const proxy = yield* losing(product.base_url, Number.MAX_SAFE_INTEGER, () => false)
        const through = (...words: ReadonlyArray<string>) =>
          carteiro(folder, { ...env, CARTEIRO_API_BASE: proxy.url }, ...words)
        for (const [last, why] of [
          ["12;Bia", /10003 +A +12 /],
          [`${phone(10_002)};`, /10003 +B .*The variable 1 is empty/]
        ] as const) {
          const refused = yield* through(
            "batches",
            "run",
            file("b.csv", ["to;1", ...rows, last].join("\n")),
            "--template",
            "welcome"
          )
          assert.strictEqual(refused.code, 2)
          assert.match(refused.stderr, why)
          assert.deepStrictEqual(proxy.made, [])
        }
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "a run that was killed before an answer was recorded, and whose file was corrected since, sends to nobody twice",
    () =>
      Effect.gen(function* () {
        const { env, file, folder, product } = yield* context
        let isLost = true
        const proxy = yield* losing(product.base_url, 1, () => isLost)
        const through = { ...env, CARTEIRO_API_BASE: proxy.url }
        const words = ["batches", "run", "l.csv", "--template", "welcome", "--json"]
        const people = [21, 22, 23].map((at) => `${phone(90_000 + at)};Ana`)
        file("l.csv", ["to;1", ...people].join("\n"))
        const first = yield* started(folder, through, ...words)
        yield* until(Effect.sync(() => proxy.made.length === 1))
        first.child.kill("SIGKILL")
        yield* first.ended
        isLost = false
        // The second row is corrected and a customer is added: only that one is new.
        file("l.csv", ["to;1", people[0], `${phone(90_022)};Bia`, people[2], `${phone(90_024)};Davi`].join("\n"))
        const again = yield* carteiro(folder, through, ...words)
        assert.strictEqual(again.code, 0, again.stderr)
        assert.include(
          again.stderr,
          "3 recipients accepted by an earlier run of this file are left out; --new sends to all"
        )
        assert.deepStrictEqual(
          proxy.made.slice(1).map(({ to }) => to),
          [[phone(90_024)]]
        )
        assert.strictEqual(json(again).length, 2)
        const messages = json(yield* carteiro(folder, env, "api", "get", "messages", `recipient=${phone(90_022)}`))
        assert.isAtMost(messages.data.length, 1)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "the same rows have the same idempotency key when a run is killed and repeated",
    () =>
      Effect.gen(function* () {
        const { env, file, folder, product } = yield* context
        let isLost = true
        const proxy = yield* losing(product.base_url, 1, () => isLost)
        const through = { ...env, CARTEIRO_API_BASE: proxy.url }
        const words = [
          "batches",
          "run",
          file("k.csv", `to;1\n${phone(91_000)};Ana\n`),
          "--template",
          "welcome",
          "--json"
        ]
        const first = yield* started(folder, through, ...words)
        yield* until(Effect.sync(() => proxy.made.length === 1))
        first.child.kill("SIGKILL")
        yield* first.ended
        isLost = false
        const forgotten = yield* emptyFolder
        writeFileSync(join(forgotten, "k.csv"), readFileSync(join(folder, "k.csv")))
        const again = json(yield* carteiro(forgotten, through, ...words))
        assert.strictEqual(new Set(proxy.made.map(({ key }) => key)).size, 1)
        assert.strictEqual(json(yield* carteiro(folder, through, ...words))[0].id, again[0].id)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "contacts exported for Brazilian spreadsheets are imported again, and nobody who opted out is opted in",
    () =>
      Effect.gen(function* () {
        const { file, folder, run } = yield* context
        yield* run(
          "contacts",
          "import",
          file("in.csv", `phone,plan\n${phone(95_000)},Ouro; =1\n${phone(95_001)},Prata\n`)
        )
        yield* run("api", "post", "contacts/opt-out", `phone=${phone(95_001)}`)
        const written = yield* run("contacts", "export", "--format", "br", "--output", "out.csv")
        assert.strictEqual(written.code, 0, written.stderr)
        const text = readFileSync(join(folder, "out.csv"), "utf8")
        assert.match(text, /^\ufeffphone;opt_in_status;.*metadata\.plan\r\n/)
        assert.match(text, /\+55 11 95009-5000;opted_in;.*"Ouro; =1"\r\n/)
        const again = json(yield* run("contacts", "import", "out.csv", "--json"))
        assert.strictEqual(again.imported, 0)
        assert.strictEqual(again.left_out, (text.match(/;(?:opted_out|none);/g) ?? []).length)
        const [contact] = json(yield* run("api", "get", "contacts", `phone=${phone(95_000)}`)).data
        assert.deepStrictEqual(contact.metadata, { plan: "Ouro; =1" })
        const [out] = json(yield* run("api", "get", "contacts", `phone=${phone(95_001)}`)).data
        assert.strictEqual(out.opt_in_status, "opted_out")
      }).pipe(Effect.scoped),
    slow
  )

  it.effect("phones and tax ids of single commands may be written as people write them", () =>
    Effect.gen(function* () {
      const { run } = yield* context
      const heard = yield* run("trigger", "message.received", "from=(11) 97777-0001", "--json")
      assert.include(heard.stderr, "(11) 97777-0001 is read as +5511977770001")
      const sent = yield* run("messages", "send", "--to", "011 97777-0001", "--text", "Oi", "--json")
      assert.strictEqual(sent.code, 0, sent.stderr)
      assert.include(sent.stderr, "011 97777-0001 is read as +5511977770001")
      assert.strictEqual(json(yield* run("api", "get", `messages/${json(sent).id}`)).recipient.id, "+5511977770001")
      const none = yield* run("messages", "send", "--to", "97777-0001", "--text", "Oi")
      assert.deepStrictEqual([none.code, none.stdout], [2, ""])
      const wrong = yield* run("api", "post", "payments", "customer_tax_id=529.982.247-26")
      assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
      assert.match(wrong.stderr, /customer_tax_id: The last two digits of this CPF do not fit/)
      const taken = yield* run("trigger", "payment.paid", "customer_tax_id=529.982.247-25", "--json")
      assert.strictEqual(taken.code, 0, taken.stderr)
    })
  )
})
