import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { blockOf, readGuides } from "@carteiro/guides/Guides.ts"
import { subscribableEvents } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { typedEndpoint } from "../../packages/console/webhooks/EndpointForm.ts"
import { Api } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { raise, receiver, turnThrough } from "../webhooks/Deliveries.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/webhooks"
const events = ["message.received", "message.failed"]
const secretOf = (text: string, id: string) => new RegExp(`id="${id}"[^>]*>(whsec_[^<]+)<`).exec(text)?.[1] ?? ""
const idOf = (text: string) => /endpoints\/(we_[0-9a-z]{26})/.exec(text)?.[1] ?? ""

/** A person, and a receiver whose tests and deliveries are told apart. */
const staged = Effect.gen(function* () {
  const { acme } = yield* Api
  const someone = yield* signedIn(acme)
  const how = { status: 200 }
  const taken: Array<string> = []
  const { received, url } = yield* receiver((_, request) => {
    const event = JSON.parse(request.rawBody.toString())
    if (how.status === 200 && event.type !== "webhook.test") taken.push(event.id)
    return how.status
  })
  return { acme, someone, how, taken, received, url }
})

type Staged = Effect.Success<typeof staged>

/** Makes an endpoint by the form, and answers its page and its secrets. */
const made = Effect.fnUntraced(function* ({ someone, url }: Staged, { id }: TestEnvironment, description = "") {
  const path = `${page}/${id}/new`
  const answer = yield* someone.submit(path, path, { url, description, subscribed_events: events })
  assert.strictEqual(answer.status, 201, textOf(answer.text))
  const here = `${page}/${id}/endpoints/${idOf(answer.text)}`
  return { answer, here, signing: secretOf(answer.text, "secret"), standard: secretOf(answer.text, "standard-secret") }
})

it("an address of an endpoint that begins with a name of the internet is of https", () => {
  const typed = (url: string) => typedEndpoint(new URLSearchParams({ url })).url
  for (const url of [" loja.example ", "loja.example/hook?x=1", "api.loja-1.example:8443/hook"])
    assert.strictEqual(typed(url), `https://${url.trim()}`)
  for (const url of ["", "nonsense", "http://loja.example", "HTTPS://loja.example", "localhost:4020", "10.0.0.2/hook"])
    assert.strictEqual(typed(url), url)
})

it.layer(DashboardTest, { excludeTestServices: true })("Webhook endpoints", (it) => {
  it.effect("are created by a form with an example of every event, and show their secrets once A-WHE-13 A-WHE-14", () =>
    Effect.gen(function* () {
      const stage = yield* staged
      const { get } = yield* Api
      const { acme, someone, url } = stage
      const { id, key } = acme.sandbox
      assert.include((yield* someone.get(`${page}?environment=${id}`)).text, `href="${page}/${id}/new"`)
      const form = (yield* someone.get(`${page}/${id}/new`)).text
      for (const { type } of subscribableEvents) {
        assert.include(form, `value="${type}"`)
        assert.include(form, `"type": "${type}"`)
      }
      const folded = form.match(/<details class="card family">/g) ?? []
      assert.lengthOf(folded, 6, "every family, so that the button is in reach")
      const told = textOf(form)
      for (const part of ["Messages 5 of 9 chosen", "Flows 0 of 1 chosen", "Payments 3 of 8 chosen"])
        assert.include(told, part)
      assert.match(form, /value="payment\.paid"[^>]* checked/)
      // The members that all events have are shown once: with an envelope for each event the page weighed 66 KB.
      assert.lengthOf(form.match(/"trace_id"/g) ?? [], 1)
      const { answer, here, signing, standard } = yield* made(stage, acme.sandbox, "Order service")
      assert.match(signing, /^whsec_/)
      assert.match(standard, /^whsec_/)
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      const { body } = yield* get(`/v1/webhook-endpoints/${idOf(answer.text)}`, { key })
      assert.deepInclude(body, { url, description: "Order service", subscribed_events: events, status: "active" })
      const shown = yield* someone.get(here)
      assert.include(textOf(shown.text), "Order service")
      for (const secret of [signing, standard]) assert.notInclude(shown.text, secret)
    })
  )

  it.effect("are refused at the field, as the API refuses them, and keep their input A-WHE-18..21", () =>
    Effect.gen(function* () {
      const { acme, someone, url } = yield* staged
      const path = `${page}/${acme.sandbox.id}/new`
      const refused = [
        [{ url: "nonsense" }, "url", "Write a whole address"],
        [{ url: "http://203.0.114.7/hook" }, "url", "must be https"],
        [{ url: "https://10.0.0.2/hook" }, "url", "must be https, public"],
        [{ url: "http://localhost:4612/loja" }, "url", "as http://127.0.0.1:4020 with any path"],
        [{ url: "http://127.0.0.1:4612/loja" }, "url", "as http://127.0.0.1:4020 with any path"],
        [{ url: `${url}#part` }, "url", "without #"],
        [{ description: "x".repeat(256) }, "description", "description"],
        [{ subscribed_events: [] }, undefined, "Choose at least one event."],
        [{ subscribed_events: ["message.created"] }, undefined, "Choose at least one event."]
      ] as const
      for (const [fields, name, said] of refused) {
        const typed = { url, description: "Kept", subscribed_events: events, ...fields }
        const answer = yield* someone.submit(path, path, typed)
        assert.strictEqual(answer.status, 400, JSON.stringify(fields))
        assert.include(textOf(answer.text), said)
        if (name !== undefined) assert.match(answer.text, new RegExp(`id="${name}"[^>]*aria-invalid="true"`))
        assert.include(answer.text, `value="${typed.url}"`)
      }
    })
  )

  it.effect("are edited, tested and rotated, and deleted after their name is typed A-WHE-17 A-WHE-35 A-WHT-01", () =>
    Effect.gen(function* () {
      const stage = yield* staged
      const { get } = yield* Api
      const { acme, received, someone, url } = stage
      const { id, key } = acme.production
      const { answer, here, signing } = yield* made(stage, acme.production, "Orders")
      const read = Effect.map(get(`/v1/webhook-endpoints/${idOf(answer.text)}`, { key }), ({ body }) => body)
      assert.include((yield* someone.get(`${here}/edit`)).text, 'value="message.failed" checked')
      const wrong = yield* someone.submit(`${here}/edit`, `${here}/edit`, {
        url: "nonsense",
        subscribed_events: events
      })
      assert.strictEqual(wrong.status, 400)
      const changed = { url: `${url}/other`, description: "", subscribed_events: ["message.read"] }
      const saved = yield* someone.submit(`${here}/edit`, `${here}/edit`, changed)
      assert.strictEqual(saved.headers.location, `${here}?done=saved`)
      assert.deepInclude(yield* read, { ...changed, description: null })
      const tested = yield* someone.submit(here, `${here}/test`)
      const delivery = tested.headers.location ?? ""
      assert.match(delivery, /\/deliveries\/whe_/)
      yield* quiesce
      assert.deepStrictEqual(
        received.map(({ rawBody }) => JSON.parse(rawBody.toString()).type),
        ["webhook.test"]
      )
      const told = yield* someone.get(delivery)
      assert.include(textOf(told.text), "delivered")
      assert.include(told.text, `href="${here}"`)
      assert.match(textOf(told.text), /Send again/)
      assert.include(told.text, `action="${here}/test"`)
      assert.include(textOf((yield* someone.get(`${here}/rotate`)).text), "without overlap")
      const rotated = yield* someone.submit(`${here}/rotate`, `${here}/rotate`)
      assert.notStrictEqual(secretOf(rotated.text, "secret"), signing)
      const name = new URL(url).host
      const refused = yield* someone.submit(`${here}/delete`, `${here}/delete`, { name: "another" })
      assert.deepStrictEqual([refused.status, textOf(refused.text).includes(`That is not ${name}.`)], [400, true])
      const gone = yield* someone.submit(`${here}/delete`, `${here}/delete`, { name })
      assert.strictEqual(gone.headers.location, `${page}?environment=${id}&done=endpoint_deleted`)
      assert.strictEqual((yield* someone.get(here)).status, 404)
    })
  )

  it.effect("show an outage, and one button recovers exactly the missed events", () =>
    Effect.gen(function* () {
      const stage = yield* staged
      const { acme, how, someone, taken } = stage
      const { here } = yield* made(stage, acme.sandbox)
      yield* raise(acme.sandbox, 1)
      yield* quiesce
      assert.notInclude((yield* someone.get(here)).text, 'id="recovery"')
      how.status = 503
      yield* turnBy(1000)
      yield* raise(acme.sandbox, 1)
      yield* turnBy(1000)
      assert.include(textOf((yield* someone.get(here)).text), "Pending ones are tried again by themselves")
      yield* raise(acme.sandbox, 19)
      yield* turnThrough(60_000)
      yield* raise(acme.sandbox, 4)
      const down = textOf((yield* someone.get(here)).text)
      assert.include(down, "Twenty deliveries in a row failed, the last one with 503 (server error) .")
      assert.match(down, /24 events were missed since .*: 4 never sent, 20 failed for good/)
      assert.include(down, "Test, enable and deliver 24 events")
      yield* someone.submit(here, `${here}/recover`)
      yield* turnBy(2000)
      assert.match(textOf((yield* someone.get(here)).text), /The test of .* failed: 503 .*The endpoint stays disabled/)
      how.status = 200
      assert.strictEqual((yield* someone.submit(here, `${here}/recover`)).headers.location, `${here}#recovery`)
      const moving = yield* someone.get(here)
      assert.include(moving.text, "data-moves")
      assert.include(moving.text, '<noscript><meta http-equiv="refresh"')
      assert.include(moving.headers["content-security-policy"] ?? "", "script-src 'self'")
      const script = /src="([^"]*live[^"]*)"/.exec(moving.text)?.[1] ?? ""
      assert.include((yield* someone.get(script)).text, "data-moves")
      yield* turnBy(3000)
      const well = yield* someone.get(here)
      assert.match(textOf(well.text), /Each of the 24 events that it missed .* was delivered/)
      assert.notInclude(well.text, "data-moves")
      assert.lengthOf(taken, 25)
      assert.lengthOf(new Set(taken), 25)
    })
  )

  it.effect("are changed by owners and admins only", () =>
    Effect.gen(function* () {
      const stage = yield* staged
      const { acme, someone } = stage
      const { here } = yield* made(stage, acme.sandbox)
      const name = new URL(stage.url).host
      yield* someone.submit(`${here}/disable`, `${here}/status`, { status: "disabled", name })
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      const shown = (yield* member.get(here)).text
      assert.include(textOf(shown), "It was disabled by hand")
      for (const path of ["recover", "test", "edit", "rotate", "delete", "status"]) {
        assert.notInclude(shown, `${here}/${path}"`)
        assert.strictEqual((yield* member.submit("/dashboard", `${here}/${path}`)).status, 403, path)
      }
      assert.strictEqual((yield* member.submit("/dashboard", `${page}/${acme.sandbox.id}/new`)).status, 403)
      const other = yield* signedIn((yield* Api).other)
      for (const path of ["", "/edit", "/rotate", "/delete"]) {
        assert.strictEqual((yield* other.get(`${here}${path}`)).status, 404, path)
      }
    })
  )

  it.effect("a delivery's bodies copy whole, and it leads to those before and after it to the same endpoint", () =>
    Effect.gen(function* () {
      const stage = yield* staged
      const { acme, someone } = stage
      const { here } = yield* made(stage, acme.sandbox)
      yield* made(stage, acme.sandbox)
      yield* raise(acme.sandbox, 3)
      yield* quiesce
      const ids = [...(yield* someone.get(here)).text.matchAll(/deliveries\/(whe_[0-9a-z]{26})"/g)].map(([, id]) => id)
      assert.lengthOf(ids, 3)
      const at = (id: string | undefined) => `${page}/${acme.sandbox.id}/deliveries/${id}`
      const [later, middle, first] = yield* Effect.forEach(ids, (id) =>
        Effect.map(someone.get(at(id)), ({ text }) => text)
      )
      assert.match(
        later ?? "",
        /<label for="request-body">Request body<\/label>\s*<textarea id="request-body" class="copied-whole"/
      )
      const [, body = ""] = /id="request-body"[^>]*readonly[^>]*>\n([\s\S]*?)<\/textarea>/.exec(later ?? "") ?? []
      assert.strictEqual(JSON.parse(read(body)).type, "message.received")
      const beside = (text = "") =>
        [...text.matchAll(/href="([^"]*)">Delivery (before|after) this one</g)].map(([, to, side]) => [side, to])
      assert.deepStrictEqual(beside(later), [["before", at(ids[1])]])
      assert.deepStrictEqual(beside(middle), [
        ["before", at(ids[2])],
        ["after", at(ids[0])]
      ])
      assert.deepStrictEqual(beside(first), [["after", at(ids[1])]])
    })
  )

  it.effect("links to its message and shows code that verifies it in eight languages A-SIG-07..12", () =>
    Effect.gen(function* () {
      const stage = yield* staged
      const { acme, someone } = stage
      const { here, signing, standard } = yield* made(stage, acme.sandbox)
      yield* raise(acme.sandbox, 1)
      yield* quiesce
      const delivery = /deliveries\/(whe_[0-9a-z]{26})/.exec((yield* someone.get(here)).text)?.[1] ?? ""
      const { text } = yield* someone.get(`${page}/${acme.sandbox.id}/deliveries/${delivery}`)
      assert.include(text, `href="/dashboard/messages/${acme.sandbox.id}/msg_0"`)
      const parts = text.split('<details id="verify-').slice(1)
      const [[shell = ""] = [], [typescript = ""] = [], [command = "", python = ""] = [], ...others] = parts.map(
        (part) => [...part.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)].map(([, code = ""]) => read(code))
      )
      const guide = readGuides().get("webhooks") ?? ""
      assert.deepStrictEqual(
        [python, ...others.map(([, source]) => source)],
        ["py", "php", "go", "rb", "java", "cs"].map((language) => blockOf(guide, language))
      )
      const ran = yield* Effect.promise(() => runAll({ shell, typescript, python, command, signing, standard }))
      assert.deepStrictEqual(
        ran.shell,
        [...shell.matchAll(/^# ([0-9a-f]{64}|[A-Za-z0-9+/=]{44})$/gm)].map(([, one]) => one)
      )
      assert.lengthOf(ran.shell, 2)
      assert.match(ran.typescript, /^message\.received evt_/)
      if (hasPython) assert.deepStrictEqual(ran.python, ["verified"])
    })
  )
})

/** The text of a piece of markup, with its line breaks. */
const read = (markup: string): string =>
  markup
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&#96;", "`")
    .replaceAll("&amp;", "&")

/** Machines without Python run the other two. */
const hasPython = spawnSync("python3", ["--version"]).error === undefined

/** Runs what the page shows, but for the call at the end of the shell's part. */
const runAll = async (
  code: Readonly<Record<"shell" | "typescript" | "python" | "command" | "signing" | "standard", string>>
) => {
  // Within the workspace, so that the SDK is found as an integrator's project finds it.
  const folder = mkdtempSync(join(fileURLToPath(new URL("../", import.meta.url)), ".verify-"))
  const env = { ...process.env, SECRET: code.signing, STANDARD_SECRET: code.standard }
  const run = promisify(execFile)
  try {
    const lines = async (program: string, ...words: ReadonlyArray<string>) =>
      (await run(program, words, { cwd: folder, env })).stdout.trim().split("\n")
    const shell = await lines("bash", "-ec", code.shell.slice(0, code.shell.indexOf("# The same request")))
    writeFileSync(join(folder, "verify.mts"), code.typescript)
    const [typescript = ""] = await lines(process.execPath, "verify.mts")
    writeFileSync(join(folder, "verify.py"), code.python)
    return { shell, typescript, python: hasPython ? await lines("bash", "-ec", code.command) : [] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
