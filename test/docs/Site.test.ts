import { readdirSync, readFileSync } from "node:fs"
import { docsGroups, languageOf, searchWeight, translatedGuides } from "@carteiro/guides/DocsNav.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { requestsOf } from "../../packages/console/docs/GuideCalls.ts"
import { DashboardTest, signedIn, textOf } from "../console/Visitor.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { read, root } from "./GuideBlocks.ts"

const guides = readdirSync(`${root}docs`).flatMap((name) => (name.endsWith(".md") ? [name.slice(0, -3)] : []))

/** Returns where the links and pictures of a page lead, without those of other servers. */
const linksOf = (page: string, address: string): ReadonlyArray<string> =>
  [...page.matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map(([, href = ""]) => href.replaceAll("&amp;", "&"))
    .filter((href) => !/^(?:https?|data):/.test(href))
    .map((href) => (href.startsWith("#") ? `${address}${href}` : href))

it.layer(DashboardTest, { excludeTestServices: true })("The documentation", (it) => {
  it.effect("every link and picture leads to an existing target, and every anchor to its heading", () =>
    Effect.gen(function* () {
      const { call } = yield* Api
      const pages = new Map<string, string>()
      const wanted = new Set<string>(["/docs", "/llms.txt"])
      for (const link of wanted) {
        const [address = "", anchor] = link.split("#")
        if (!pages.has(address)) {
          const answer = yield* call("GET", address)
          const isSignIn = address.startsWith("/dashboard") && answer.status === 303
          assert.isTrue(answer.status === 200 || isSignIn, `${link}: ${answer.status}`)
          const isPage = answer.headers["content-type"]?.startsWith("text/html") === true && !isSignIn
          pages.set(address, isPage ? answer.text : "")
          const isOurs = isPage && address.startsWith("/docs") && address !== "/docs/explorer"
          if (isOurs) for (const next of linksOf(answer.text, address)) wanted.add(next)
        }
        if (anchor !== undefined) assert.include(pages.get(address), `id="${decodeURIComponent(anchor)}"`, link)
      }
      const translated = [...translatedGuides.keys()].map((name) => `pt/${name}`)
      for (const name of [...guides, "sdk", "cli", ...translated]) assert.isTrue(pages.has(`/docs/${name}`), name)
      assert.isAbove(pages.size, 400)
    })
  )

  it.effect("every guide is in the menu, is served as Markdown, and is named in llms.txt", () =>
    Effect.gen(function* () {
      const { call } = yield* Api
      const listed = docsGroups.flatMap(({ pages }) => pages.map(([address]) => address))
      const llms = yield* call("GET", "/llms.txt")
      assert.strictEqual(llms.headers["content-type"], "text/plain; charset=utf-8")
      for (const name of guides) {
        assert.include(listed, `/docs/${name}`)
        assert.include(llms.text, `(/docs/${name}.md)`)
        const answer = yield* call("GET", `/docs/${name}.md`)
        assert.strictEqual(answer.headers["content-type"], "text/markdown; charset=utf-8")
        assert.strictEqual(answer.text, read(`docs/${name}.md`))
      }
      assert.include((yield* call("GET", "/docs/changelog.md")).text, "# Changelog")
      assert.match(
        (yield* call("GET", "/docs/reference/messages.send.md")).text,
        /^# Send a message\n\n`POST \/v1\/messages`/
      )
    })
  )

  it.effect("the page of an operation shows the members of bodies within its body, folded and without a script", () =>
    Effect.gen(function* () {
      const { call } = yield* Api
      const { text } = yield* call("GET", "/docs/reference/messages.send")
      /** The members that stand folded below the variant, the innermost last. */
      const within = (variant: string, ...members: ReadonlyArray<string>) => {
        let from = text.indexOf(`<summary><code>${variant}</code></summary>`)
        for (const member of members) {
          assert.isAbove(from, 0, `${variant}: ${member}`)
          from = text.indexOf(`<dt><code>${member}</code>`, from)
        }
        assert.isAbove(from, 0, `${variant}: ${members.join()}`)
      }
      within("text", "text", "body", "preview_url")
      within("template", "template", "components", "parameters", "coupon_code", "header_media", "asset_id")
      within("media", "media", "kind", "caption", "inline", "data_base64")
      within("interactive", "interactive", "header", "action", "buttons", "reply", "title")
      assert.strictEqual(text.split("<details").length, text.split("</details>").length)
      assert.notMatch(text, /<script/)
      const markdown = (yield* call("GET", "/docs/reference/messages.send.md")).text
      assert.match(markdown, / {4}- `text` \(object, required\): .*\n {6}- `body` \(string, required\): The text/)
      // A group's page lists what it answers, and a description without a body has no list.
      assert.include((yield* call("GET", "/docs/reference/payments.create")).text, "<code>amount_brl_centavos</code>")
    })
  )

  it.effect("pages have no script, and load nothing from other hosts", () =>
    Effect.gen(function* () {
      const { call } = yield* Api
      for (const path of [
        "/docs",
        "/docs/quickstart",
        "/docs/how-it-works",
        "/docs/reference",
        "/docs/errors",
        "/docs/x"
      ]) {
        const { headers, text } = yield* call("GET", path)
        assert.match(
          headers["content-security-policy"] ?? "",
          /^default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:;/
        )
        assert.notMatch(text, /<script| style=|<style|src="(?!\/)/, path)
      }
      assert.include((yield* call("GET", "/docs/how-it-works")).text, '<svg xmlns="http://www.w3.org/2000/svg"')
      assert.strictEqual((yield* call("GET", "/docs/x")).status, 404)
      assert.strictEqual((yield* call("GET", "/docs/reference/x.y")).status, 404)
    })
  )

  it.effect("a guide in Portuguese says so to whoever reads it aloud, and leads to its other language", () =>
    Effect.gen(function* () {
      const { call } = yield* Api
      for (const [path, language, other] of [
        ["/docs/n8n", "pt-BR", undefined],
        ["/docs/concepts", "en", undefined],
        ["/docs", "en", "/docs/pt"],
        ["/docs/pt", "pt-BR", "/docs"],
        ...[...translatedGuides.keys()].flatMap(
          (name) =>
            [
              [`/docs/${name}`, "en", `/docs/pt/${name}`],
              [`/docs/pt/${name}`, "pt-BR", `/docs/${name}`]
            ] as const
        )
      ] as const) {
        const { text } = yield* call("GET", path)
        assert.include(text, `<html lang="${language}">`, path)
        const leading = other === undefined ? "" : `<a href="${other}" hreflang="${language === "en" ? "pt-BR" : "en"}"`
        assert.include(text, leading, path)
        assert.strictEqual(text.includes('rel="alternate" hreflang'), other !== undefined, path)
      }
      const { text } = yield* call("GET", "/docs/pt/quickstart")
      assert.include(text, '<a href="/docs/pt/webhooks">')
      assert.include(text, '<a href="/docs/connections">')
      assert.include(text, 'src="/docs/images/')
      assert.include((yield* call("GET", "/llms.txt")).text, "(/docs/pt/quickstart.md)")
      assert.strictEqual((yield* call("GET", "/docs/pt/quickstart.md")).text, read("docs/pt/quickstart.md"))
      assert.strictEqual((yield* call("GET", "/docs/pt/slo")).status, 404)
    })
  )

  it.effect("a block that calls the API shows the calls of the guide with curl, SDK and command line", () =>
    Effect.gen(function* () {
      const { call } = yield* Api
      const { text } = yield* call("GET", "/docs/templates")
      assert.match(
        text,
        /<input type="radio" name="block-1" id="block-1-0" checked><label for="block-1-0">Shell<\/label>/
      )
      for (const label of ["curl", "SDK", "CLI"]) assert.include(text, `>${label}</label>`)
      const shown = textOf(text)
      assert.include(shown, 'curl -X POST "http://127.0.0.1')
      assert.include(shown, "carteiro.templates.create({")
      assert.include(shown, "carteiro api post templates --body '{")
      const requests = guides.flatMap((name) =>
        [...readFileSync(`${root}docs/${name}.md`, "utf8").matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = ""]) =>
          requestsOf(block)
        )
      )
      assert.isAbove(requests.length, 100)
      for (const [block, path, body] of [
        [
          'api webhook-endpoints/$WE/recover -d "{\\"from\\":\\"$FROM\\"}"',
          "/v1/webhook-endpoints/WE/recover",
          { from: "FROM" }
        ],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own expansion.
        ['page=$(api "messages?limit=1${C:+&starting_after=$C}")', "/v1/messages", undefined]
      ] as const) {
        assert.deepStrictEqual(
          requestsOf(block).map((request) => [request.path, request.body]),
          [[path, body]]
        )
      }
      assert.isAbove(requests.filter(({ body }) => body !== undefined).length, 30)
    })
  )

  it.effect("calls name the sandbox number of a signed-in reader, and the beginning of their key", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      yield* seedNumber(acme.sandbox)
      const anybody = yield* call("GET", "/docs/quickstart")
      assert.include(anybody.text, "SANDBOX_NUMBER_ID")
      assert.strictEqual(anybody.headers["cache-control"], "public, max-age=300")
      const someone = yield* signedIn(acme)
      const { headers, text } = yield* someone.get("/docs/quickstart")
      assert.strictEqual(headers["cache-control"], "no-store")
      const [number = ""] = /pn_[0-9a-z]{26}/.exec(text) ?? []
      // The search finds what belongs to the reader's organization alone.
      assert.match(
        (yield* someone.get(`/dashboard/search?q=${number}`)).text,
        new RegExp(`/phone-numbers/env_\\w+/${number}"`)
      )
      assert.notInclude(text, "SANDBOX_NUMBER_ID")
      assert.match(textOf(text), /Your key begins with svc_sbx_\w+…/)
      assert.notInclude(text, acme.sandbox.key)
    })
  )

  it.effect("the search finds guides, operations and error codes without a script", () =>
    Effect.gen(function* () {
      const { call } = yield* Api
      const found = (words: string) =>
        Effect.map(call("GET", `/docs/search?q=${encodeURIComponent(words)}`), ({ text }) =>
          [...text.slice(text.indexOf("<main")).matchAll(/<li><a href="([^"]*)"/g)].map(([, address = ""]) => address)
        )
      assert.include(yield* found("service window"), "/docs/glossary#messaging")
      assert.include(yield* found("messages.send"), "/docs/reference/messages.send")
      assert.strictEqual((yield* found("messages.send"))[0], "/docs/reference/messages.send")
      assert.strictEqual((yield* found("rate_limited"))[0], "/docs/errors/rate_limited")
      assert.deepStrictEqual(yield* found("xyzzyplugh"), [])
      const { text } = yield* call("GET", `/docs/search?q=${encodeURIComponent('"><b>x')}`)
      assert.notInclude(text, "<b>x")
    })
  )

  it.effect("the search ranks guides for integrators above documents for operators, in both languages", () =>
    Effect.gen(function* () {
      const { call } = yield* Api
      const found = (words: string, language: string) =>
        Effect.map(call("GET", `/docs/search?q=${encodeURIComponent(words)}&lang=${language}`), ({ text }) =>
          [...text.slice(text.indexOf("<main")).matchAll(/<li><a href="([^"]*)"/g)].map(([, address = ""]) => address)
        )
      for (const [words, language, first] of [
        ["webhook", "en", "/docs/webhooks#webhooks"],
        ["webhook", "pt", "/docs/pt/webhooks#webhooks"],
        ["template", "en", "/docs/templates#templates"],
        ["modelo", "pt", "/docs/pt/templates#modelos"],
        ["pix", "en", /^\/docs\/(?:pt\/)?(?:payments|n8n|quickstart|sdk)#/],
        ["pix", "pt", /^\/docs\/(?:pt\/(?:payments|quickstart)|n8n)#/],
        ["api key", "en", /^\/docs\/(?:quickstart|sdk|cli|concepts|testing-your-integration)#/],
        ["lote", "pt", "/docs/pt/batches#lotes"],
        ["reenviar", "pt", "/docs/pt/webhooks#reenviar"],
        ["idempotencia", "pt", /^\/docs\/pt\/[\w-]+#/],
        ["erro 422", "pt", "/docs/errors#status-422"],
        ["error 429", "en", "/docs/errors#status-429"]
      ] as const) {
        const [best = "", ...others] = yield* found(words, language)
        if (typeof first === "string") assert.strictEqual(best, first, words)
        else assert.match(best, first, `${words}: ${[best, ...others].join(" ")}`)
        const isForIntegrators = (name: string) => searchWeight(name, languageOf(name)) === 1
        const places = [best, ...others].flatMap((address) =>
          /^\/docs\/(?:pt\/)?[\w-]+#/.test(address) && !address.startsWith("/docs/errors")
            ? [isForIntegrators(address.replace(/^\/docs\/|#.*$/g, ""))]
            : []
        )
        const lastOurs = places.lastIndexOf(true)
        assert.isTrue(lastOurs < 0 || !places.slice(0, Math.min(lastOurs, 4)).includes(false), words)
      }
    })
  )
})
