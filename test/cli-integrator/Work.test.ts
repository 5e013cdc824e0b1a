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
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return name
  }
  return { product, folder, env, run, file }
})

/** Passes requests on to the product; the import with this number, and no later one, waits for ever. */
const stalling = Effect.fnUntraced(function* (baseUrl: string, stalled: number) {
  let imports = 0
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      if (request.url === "/v1/contacts/bulk-import" && ++imports === stalled) return
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      for (const name of ["host", "connection", "content-length", "transfer-encoding"]) delete headers[name]
      const method = request.method ?? "GET"
      const answer = await fetch(`${baseUrl}${request.url}`, { method, headers, ...(method === "GET" ? {} : { body }) })
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
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
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stalls: Effect.sync(() => imports >= stalled) }
})

it.layer(Product.layer, { excludeTestServices: true, timeout: slow })("Daily work", (it) => {
  it.effect("logs tail shows refused requests as they happen, and logs show prints one of them", () =>
    Effect.gen(function* () {
      const { env, folder, product, run } = yield* context
      const tail = yield* started(folder, env, "logs", "tail", "--status", "4xx", "--method", "post")
      yield* tail.prints(/Ready/)
      const refused = yield* run("messages", "send", "--to", "+5511922221111", "--text", "Bom dia")
      assert.strictEqual(refused.code, 1)
      const [, id = ""] = yield* tail.prints(/ {2}POST .* (req_\w{26}) {2}service_window_required/)
      tail.child.kill("SIGINT")
      assert.strictEqual((yield* tail.ended).code, 130)
      const shown = yield* run("logs", "show", id)
      assert.match(shown.stdout, /POST \/v1\/messages\n/)
      assert.match(shown.stdout, /"body": "Bom dia"/)
      const { api_key_id, code, request_body } = json(yield* run("logs", "show", id, "--json"))
      assert.deepStrictEqual([code, request_body.recipient.id], ["service_window_required", "+5511922221111"])
      assert.match(api_key_id, /^key_/)
      assert.notInclude(tail.printed.stdout, product.sandbox.api_key)
    })
  )

  it.effect(
    "messages send sends a text, a template and a file, and tail shows messages in both directions M-MSG-01",
    () =>
      Effect.gen(function* () {
        const { env, file, folder, product, run } = yield* context
        const to = "+5511933332222"
        const tail = yield* started(folder, env, "messages", "tail")
        yield* tail.prints(/Ready/)
        const refused = yield* run("messages", "send", "--to", to, "--text", "Olá")
        assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
        assert.match(refused.stderr, /service_window_required.*\nnext: .*carteiro trigger message\.received/)
        yield* run("trigger", "message.received", `from=${to}`, "text.body=Oi")
        yield* tail.prints(/message\.received +msg_\w+ {2}\+5511933332222: Oi\n/)
        const text = json(yield* run("messages", "send", "--to", to, "--text", "Olá", "--json"))
        yield* tail.prints(new RegExp(`message\\.read +${text.id}`))
        const template = yield* run("messages", "send", "--to", to, "--template", "welcome", "--var", "1=Ana")
        assert.match(template.stdout, /^msg_\w+ {2}queued\n$/)
        const name = file("menu.pdf", "%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n")
        const sent = json(yield* run("messages", "send", "--to", to, "--file", name, "--caption", "Cardápio", "--json"))
        const read = json(yield* run("api", "get", `messages/${sent.id}`))
        assert.deepStrictEqual([read.type, read.sender.id], ["media", product.sandbox.phone_number_id])
        assert.strictEqual((yield* run("messages", "send", "--to", to)).code, 2)
      }).pipe(Effect.scoped)
  )

  it.effect("media upload stores a file in the library and prints its id", () =>
    Effect.gen(function* () {
      const { file, run } = yield* context
      const asset = json(yield* run("media", "upload", file("a.txt", "Oi"), "--json"))
      const { filename, kind, lifecycle, status } = asset
      assert.deepStrictEqual(
        { filename, kind, lifecycle, status },
        { filename: "a.txt", kind: "document", lifecycle: "library", status: "ready" }
      )
      const unknown = yield* run("media", "upload", file("a.xyz", "Oi"))
      assert.deepStrictEqual([unknown.code, /next: name it: --mime-type/.test(unknown.stderr)], [2, true])
    }).pipe(Effect.scoped)
  )

  it.effect("media upload fails for a refused file and says why, and warns of Vorbis before it uploads", () =>
    Effect.gen(function* () {
      const { file, run } = yield* context
      const refused = yield* run("media", "upload", file("a.png", "no picture"))
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /a\.png was refused as image\/png: The bytes are of another type/)
      const page = `OggS${"\0".repeat(22)}\u0001\u001e\u0001vorbis${"\0".repeat(22)}`
      const warned = yield* run("media", "upload", file("voz.oga", page))
      assert.deepStrictEqual([warned.code, /voz\.oga holds Vorbis/.test(warned.stderr)], [0, true])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "templates pull and push keep a folder, with a diff before any write, and import takes the account's U-TPL-08",
    () =>
      Effect.gen(function* () {
        const { folder, run } = yield* context
        // A sandbox has no account to import from. U-TPL-08
        assert.strictEqual((yield* run("templates", "import")).stdout, "0 imported, 0 of the account left out.\n")
        const pulled = yield* run("templates", "pull", "templates")
        assert.include(pulled.stdout, "welcome.pt_BR.json")
        assert.strictEqual((yield* run("templates", "push", "templates")).stdout, "Nothing differs.\n")
        const path = join(folder, "templates/welcome.pt_BR.json")
        const before = JSON.parse(readFileSync(path, "utf8"))
        const body = before.components.find(({ type }: { readonly type: string }) => type === "BODY")
        writeFileSync(join(folder, "templates/agenda.json"), JSON.stringify({ ...before, name: "agenda" }))
        body.text = `${body.text} Até já.`
        writeFileSync(path, JSON.stringify(before))

        const asked = yield* run("templates", "push", "templates")
        assert.strictEqual(asked.code, 1)
        assert.match(asked.stderr, /2 templates differ and nothing was written/)
        assert.match(asked.stdout, /^agenda pt_BR: new\n\+ \{\n/)
        assert.match(asked.stdout, /^welcome pt_BR: a new version behind v1, approved\n[\s\S]*^- .*\n\+ .*Até já\./m)
        assert.strictEqual(json(yield* run("api", "get", "templates", "name=agenda")).data.length, 0)

        const written = json(yield* run("templates", "push", "templates", "--yes", "--submit", "--json"))
        assert.deepStrictEqual(
          written.map(({ name, version }: { readonly name: string; readonly version: number }) => [name, version]),
          [
            ["agenda", 1],
            ["welcome", 2]
          ]
        )
        assert.strictEqual((yield* run("templates", "push", "templates")).stdout, "Nothing differs.\n")
      }).pipe(Effect.scoped)
  )

  it.effect(
    "contacts import continues after the last accepted rows when it was killed M-CON-01",
    () =>
      Effect.gen(function* () {
        const { env, file, folder, product, run } = yield* context
        const phone = (at: number) => `+55119${String(40_000_000 + at)}`
        const rows = Array.from({ length: 2500 }, (_, at) => `${phone(at)},"Ana, ${at}"`)
        const name = file("customers.csv", `phone,name\n${rows.join("\n")}\n`)
        const proxy = yield* stalling(product.base_url, 2)
        const through = { ...env, CARTEIRO_API_BASE: proxy.url }
        const first = yield* started(folder, through, "contacts", "import", name)
        yield* until(proxy.stalls)
        first.child.kill("SIGKILL")
        yield* first.ended
        const again = yield* carteiro(folder, through, "contacts", "import", name, "--json")
        assert.deepStrictEqual(json(again), {
          rows: 2500,
          imported: 1500,
          skipped: 0,
          left_out: 0,
          resumed_behind: 1000
        })
        assert.include(again.stderr, "Going on: 1000 rows of customers accepted before are left out.")
        const once = json(yield* carteiro(folder, through, "contacts", "import", name, "--json"))
        assert.deepStrictEqual(once, { rows: 2500, imported: 0, skipped: 2500, left_out: 0, resumed_behind: 0 })
        const contacts = json(yield* run("api", "get", "contacts", "limit=1"))
        assert.match(contacts.data[0].metadata.name, /^Ana, \d+$/)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "batches run follows a batch to its end, finds it again, and reports failures by its exit code",
    () =>
      Effect.gen(function* () {
        const { file, run } = yield* context
        const name = file("to.csv", "to;1\n+5511922221111;Ana\n+5511922221112;Bia\n")
        const done = yield* run("batches", "run", name, "--template", "welcome", "--json")
        assert.strictEqual(done.code, 0, done.stderr)
        const [batch] = json(done)
        assert.deepStrictEqual([batch.status, batch.recipient_count], ["completed", 2])
        const again = json(yield* run("batches", "run", name, "--template", "welcome", "--json"))
        assert.strictEqual(again[0].id, batch.id)
        const another = json(yield* run("batches", "run", name, "--template", "welcome", "--new", "--json"))
        assert.notStrictEqual(another[0].id, batch.id)
        yield* run("api", "post", "contacts/opt-out", "phone=+5511922221113")
        const out = file("out.csv", "to,1\n+5511922221113,Caio\n+5511922221111,Ana\n")
        const failed = yield* run("batches", "run", out, "--template", "welcome")
        assert.deepStrictEqual([failed.code, failed.stdout], [5, "2 recipients: 1 sent, 1 failed\n"])
        assert.match(failed.stderr, /next: carteiro batches failures bat_\w+\n$/)
        const without = yield* run("batches", "run", file("x.csv", "to\n+5511922221111\n"), "--template", "welcome")
        assert.deepStrictEqual([without.code, without.stdout], [2, ""])
        assert.match(without.stderr, /welcome needs 1, and x\.csv has no column for 1/)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "webhooks resend delivers again what failed since then",
    () =>
      Effect.gen(function* () {
        const { run } = yield* context
        const url = "url=https://nothing.invalid/hook"
        const made = json(
          yield* run("api", "post", "webhook-endpoints", url, 'subscribed_events:=["message.received"]')
        )
        yield* run("trigger", "message.received")
        const failed = run("api", "get", "webhook-events", "status=failed", `webhook_endpoint_id=${made.id}`)
        yield* until(Effect.map(failed, (answer) => json(answer).data.length === 1))
        const words = ["--since", "1h", "--failed", "--endpoint", made.id, "--json"]
        const dry = json(yield* run("webhooks", "resend", ...words, "--dry-run"))
        assert.deepStrictEqual(dry, { found: 1, enqueued: 0, skipped: 0 })
        assert.deepStrictEqual(json(yield* run("webhooks", "resend", ...words)), { found: 1, enqueued: 1, skipped: 0 })
        const future = ["--since", "2999-01-01T00:00:00Z"]
        const later = yield* run("webhooks", "resend", ...future, "--all")
        assert.strictEqual(later.stdout, "0 found, 0 will be delivered again, 0 will not\n")
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "webhooks resend delivers what endpoints missed while they were disabled",
    () =>
      Effect.gen(function* () {
        const { run } = yield* context
        const url = "url=https://nothing.invalid/hook"
        const made = json(
          yield* run("api", "post", "webhook-endpoints", url, 'subscribed_events:=["message.received"]')
        )
        const turn = (status: string) => run("api", "patch", `webhook-endpoints/${made.id}`, `status=${status}`)
        yield* turn("disabled")
        yield* run("trigger", "message.received")
        const words = ["webhooks", "resend", "--since", "1h"]
        const skipped = yield* run(...words)
        assert.include(
          skipped.stdout,
          `${made.id} is disabled: carteiro api patch webhook-endpoints/${made.id} status=active, then resend with --endpoint ${made.id}\n`
        )
        const refused = yield* run(...words, "--endpoint", made.id, "--json")
        assert.strictEqual(json({ ...refused, stdout: refused.stderr }).error.code, "webhook_endpoint_disabled")
        yield* turn("active")
        assert.deepInclude(json(yield* run(...words, "--endpoint", made.id, "--json")), { missed: 1, never_sent: 1 })
        const log = run("api", "get", "webhook-events", `webhook_endpoint_id=${made.id}`)
        yield* until(Effect.map(log, (answer) => json(answer).data.length === 1))
        const again = yield* run(...words, "--endpoint", made.id)
        assert.match(
          again.stdout,
          /^(1 missed by 1 endpoint will be delivered: 0 never sent, 1 failed|1 active endpoint missed nothing)\n$/
        )
        const counted = yield* run(...words, "--dry-run")
        assert.match(counted.stderr, /--dry-run counts with --failed, --all or --event/)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect("open prints pages of the console, docs the meaning of a code", () =>
    Effect.gen(function* () {
      const { product, run } = yield* context
      const page = yield* run("open", "webhooks")
      assert.strictEqual(page.stdout, `${product.base_url}/dashboard/webhooks\n`)
      assert.strictEqual((yield* run("open", "nowhere")).code, 2)
      for (const section of (yield* run("complete", "--", "open", "")).stdout.trim().split("\n")) {
        const { stdout } = yield* run("open", section)
        const text = yield* Effect.promise(() => product.visit(stdout.trim()))
        assert.notInclude(text, "route_not_found", section)
        assert.include(text, "<h1", section)
      }
      const code = yield* run("docs", "service_window_required")
      assert.match(code.stdout, /^code +service_window_required\nstatus +400\nmeaning +The 24-hour/)
      const { page: explained } = json(yield* run("docs", "service_window_required", "--json"))
      const answer = yield* Effect.promise(() => fetch(explained).then(({ status }) => status))
      assert.strictEqual(answer, 200)
      assert.match(code.stdout, /\nremedy +Send an approved template/)
      const common = yield* run("docs", "batch_not_found")
      assert.match(
        common.stdout,
        /^code +batch_not_found\nstatus +404\nmeaning +No batch with this id\.\nroutes +GET \/v1/
      )
      const failure = yield* run("docs", "upstream_rejected")
      assert.match(
        failure.stdout,
        /^code +upstream_rejected\nmeaning +.+\nremedy +Read .provider_error.+\npage +http.+\n$/
      )
      assert.isAbove(json(yield* run("docs", "--json")).length, 100)
      const refused = yield* run("api", "get", "messages/msg_none", "--json")
      const { doc_url } = json({ ...refused, stdout: refused.stderr }).error
      assert.match(doc_url, /^http.+\/docs\/errors\/message_not_found$/)
      const wrong = yield* run("docs", "window_required")
      assert.match(wrong.stderr, /next: service_window_required\n/)
    }).pipe(Effect.scoped)
  )
})
