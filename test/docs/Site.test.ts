import { readdirSync, readFileSync } from "node:fs"
import { docsGroups } from "@carteiro/guides/DocsNav.ts"
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
      for (const name of [...guides, "sdk", "cli"]) assert.isTrue(pages.has(`/docs/${name}`), name)
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

  it.effect("a guide in Portuguese says so to whoever reads it aloud, and the others are in English", () =>
    Effect.gen(function* () {
      const { call } = yield* Api
      for (const [path, languages] of [
        ["/docs/n8n", ["en", "pt-BR"]],
        ["/docs/webhooks", ["en"]]
      ] as const) {
        const { text } = yield* call("GET", path)
        assert.deepStrictEqual(
          [...text.matchAll(/ lang="([^"]*)"/g)].map(([, language]) => language),
          [...languages]
        )
      }
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
      assert.strictEqual((yield* found("rate_limited"))[0], "/docs/errors/rate_limited")
      assert.deepStrictEqual(yield* found("xyzzyplugh"), [])
      const { text } = yield* call("GET", `/docs/search?q=${encodeURIComponent('"><b>x')}`)
      assert.notInclude(text, "<b>x")
    })
  )
})
