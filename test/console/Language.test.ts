import { catalogOf } from "@carteiro/html/Catalog.ts"
import { type Html, html, named, words } from "@carteiro/html/Html.ts"
import { segmentsOf } from "@carteiro/html/Segments.ts"
import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { catalogs, wantedLanguage } from "../../packages/console/kit/Language.ts"
import { countOf, percentOf } from "../../packages/console/kit/Numbers.ts"
import { table } from "../../packages/console/kit/Parts.ts"
import portuguese from "../../packages/console/kit/portuguese.json" with { type: "json" }
import { Api } from "../support/ApiTest.ts"
import { bareTexts, consoleTexts, contractWords, quotedTexts } from "./ConsoleTexts.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const translations = new Map(Object.entries(portuguese))
/** English texts that a Portuguese page has as well: the name of a language, the code of a plan. */
const alike = new Set(["English", "standard"])
const placesIn = (text: string): ReadonlyArray<string> => (text.match(/\{\d+\}/g) ?? []).toSorted()

it("each text of the console has a Portuguese translation", () => {
  assert.deepStrictEqual(
    [...consoleTexts()].filter(([text]) => !translations.has(text)).map(([text, file]) => `${file}: ${text}`),
    []
  )
})

it("each word of the contract that pages show has a Portuguese translation", () => {
  assert.deepStrictEqual(
    [...contractWords()].filter((word) => !translations.has(word)),
    []
  )
})

it("the catalog contains no text that the console no longer uses", () => {
  const said = new Set([...consoleTexts().keys(), ...contractWords(), ...quotedTexts()])
  assert.deepStrictEqual(
    [...translations.keys()].filter((text) => !said.has(text)),
    []
  )
})

it("a translation has exactly the values of its text, in any order", () => {
  for (const [text, translation] of translations) {
    assert.deepStrictEqual(placesIn(translation), placesIn(text), text)
    assert.notStrictEqual(translation.trim(), "", text)
  }
})

it("every text stands where the catalog finds it", () => {
  assert.deepStrictEqual(bareTexts(), [])
})

it("a template is its source text in English, and values are escaped in each language", () => {
  const said = fc.constantFrom("Sign out", "Nobody is here", "ação")
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), said, (value, translation) => {
      const catalog = catalogOf({ "In {0} since {1}.": `{1}: ${translation} <{0}>`, Go: translation }, "pt-BR")
      const page = html`<p class="${value}">In ${value}  since
${1}.</p> <b title="Go">Go</b>`
      const escaped = html`${value}`.markup
      assert.strictEqual(page.markup, `<p class="${escaped}">In ${escaped}  since\n1.</p> <b title="Go">Go</b>`)
      assert.strictEqual(
        page.in(catalog),
        `<p class="${escaped}">1: ${translation} <${escaped}></p> <b title="${translation}">${translation}</b>`
      )
    })
  )
})

it("a sentence by its name has values in its places, escaped, and is not said without them", () => {
  const catalog = catalogOf({ late: "{amount} atrasado: {why}", plain: "Certo" }, "pt-BR")
  const why = named([["plain"]], "Right")
  const said = (values?: Readonly<Record<string, Html | string>>) => named([["late"]], "As kept {amount}", values)
  assert.strictEqual(said({ amount: "<1>", why }).in(catalog), "&lt;1&gt; atrasado: Certo")
  assert.strictEqual(said({ amount: "<1>", why }).markup, "As kept {amount}")
  assert.strictEqual(said({ amount: "1" }).in(catalog), "As kept {amount}")
  assert.strictEqual(said().in(catalog), "As kept {amount}")
  assert.strictEqual(named([["late"], ["plain"]], "").in(catalog), "Certo")
})

it("values are never translated, words of the page are", () => {
  const catalog = catalogOf({ Save: "Salvar" }, "pt-BR")
  assert.strictEqual(html`<p>${"Save"} ${words("Save")}</p>`.in(catalog), "<p>Save Salvar</p>")
})

it("counts and shares are written as the page's language does, alone and in a table", () => {
  const said = html`${percentOf(7_151)} / ${countOf(1067)} / ${percentOf(1_0000)} / ${percentOf(1)}`
  assert.strictEqual(said.markup, "71.51% / 1,067 / 100% / 0.01%")
  assert.strictEqual(said.in(catalogs.pt), "71,51% / 1.067 / 100% / 0,01%")
  const counted = table("Messages", ["Row", "Sent"], [[1, 12_000]], undefined)
  assert.include(counted.markup, 'class="number"><div>12,000</div>')
  assert.include(counted.in(catalogs.pt), 'class="number"><div>12.000</div>')
})

it("code, attribute names and texts without a letter are left unchanged", () => {
  const none = (parts: ReadonlyArray<string>) => segmentsOf(parts).filter((part) => typeof part === "object")
  assert.deepStrictEqual(none(['<code class="x">GET /v1/me</code>']), [])
  assert.deepStrictEqual(none([' class="', '" required']), [])
  assert.deepStrictEqual(none(["<b>", ": ", " · 3</b>"]), [])
})

it("a browser's languages are read with their weights, and English is the fallback", () => {
  const wishes: ReadonlyArray<readonly [string | undefined, string]> = [
    ["pt-BR,pt;q=0.9,en;q=0.8", "pt"],
    ["en-US,en;q=0.9,pt;q=0.8", "en"],
    ["de, en;q=0.4, pt;q=0.6", "pt"],
    ["PT", "pt"],
    ["pt;q=0, en;q=0.1", "en"],
    ["*, de", "en"],
    ["pt;q=x", "pt"],
    ["", "en"],
    [undefined, "en"]
  ]
  for (const [wish, language] of wishes) assert.strictEqual(wantedLanguage(wish), language, wish)
})

it.layer(DashboardTest, { excludeTestServices: true })("Language", (it) => {
  it.effect("a page is in the language of its address, which is remembered, otherwise in that of the browser", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      const wish = { headers: { "accept-language": "pt-BR,en;q=0.5" } }
      const wished = yield* call("GET", "/dashboard/sign-in", undefined, wish)
      assert.include(wished.text, '<html lang="pt-BR">')
      assert.include(wished.text, "<h1>Entrar</h1>")
      const someone = yield* signedIn(acme)
      assert.include((yield* someone.get("/dashboard/messages")).text, '<html lang="en">')
      const chosen = yield* someone.get("/dashboard/messages?language=pt")
      assert.include(chosen.text, "<h1>Mensagens</h1>")
      assert.match(chosen.text, /<a href="\?language=en" lang="en" hreflang="en">English<\/a>/)
      const next = yield* someone.get("/dashboard/webhooks")
      assert.include(textOf(next.text), "Desenvolvimento")
      assert.include((yield* someone.get("/dashboard/webhooks?language=xx")).text, '<html lang="pt-BR">')
      assert.include((yield* someone.get("/dashboard/webhooks?language=en")).text, '<html lang="en">')
      assert.include((yield* someone.get("/dashboard/webhooks")).text, '<html lang="en">')
    })
  )

  it.effect("e-mails follow the language that a member signs in with and chooses, and each is written once", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const id = yield* seedMember(other, "admin")
      const known = Effect.map(
        sql<{ readonly language: string | null; readonly version: string }>`
          select language, xmin::text as version from members where id = ${id}`,
        ([row]) => row
      )
      assert.isNull((yield* known)?.language)
      const someone = yield* signedIn(other, id)
      assert.strictEqual((yield* known)?.language, "en")
      yield* someone.get("/dashboard/emails?language=pt")
      const chosen = yield* known
      assert.strictEqual(chosen?.language, "pt")
      yield* someone.get("/dashboard/emails?language=pt")
      yield* someone.get("/dashboard/emails")
      assert.deepStrictEqual(yield* known, chosen)
      // The people whom they add read their language until they choose.
      const added = yield* someone.submit("/dashboard/members", "/dashboard/members", {
        name: "Rui",
        email: "rui@language.test",
        role: "admin"
      })
      assert.isBelow(added.status, 400)
      const rows = yield* sql<{ readonly language: string | null }>`
        select language from members where email = 'rui@language.test'`
      assert.deepStrictEqual(
        rows.map(({ language }) => language),
        ["pt"]
      )
    })
  )

  it.effect("refusals and scripts are in the reader's language, and pages are found by their name in each", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const someone = yield* signedIn(acme)
      yield* someone.get("/dashboard?language=pt")
      const nothing = yield* someone.get("/dashboard/nothing")
      assert.include(textOf(nothing.text), "Nenhuma página do painel tem este endereço")
      const stale = yield* someone.post("/dashboard/sign-out", { csrf: "x" })
      assert.include(textOf(stale.text), "Este formulário está desatualizado")
      const [, address = ""] =
        /src="(\/dashboard\/scripts\/console\.js[^"]*)"/.exec((yield* someone.get("/dashboard")).text) ?? []
      const script = (yield* get(address.replaceAll("&amp;", "&"))).text
      assert.include(script, JSON.stringify(translations.get("Find anything")))
      assert.notMatch(script, /\btr\(/)
      for (const name of ["Modelos", "Templates"]) {
        const { text } = yield* someone.get(`/dashboard/search?q=${name}`)
        assert.include(text, '<a href="/dashboard/templates">Modelos</a>', name)
      }
    })
  )

  it.effect("no page in Portuguese has an English text of the catalog", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const pages = (yield* RouteTable)
        .routes()
        .flatMap((route) =>
          route.kind === "raw" && route.method === "GET" && route.operation.startsWith("dashboard.")
            ? [route.path.replace(":environment", acme.sandbox.id)]
            : []
        )
        // The gallery speaks English to developers.
        .filter((path) => !path.includes("/:") && path !== "/dashboard/kit")
      assert.isAbove(pages.length, 30)
      const english: Array<string> = []
      for (const path of pages) {
        const { headers, text } = yield* someone.get(`${path}?language=pt`)
        if (!headers["content-type"]?.startsWith("text/html") || path.startsWith("/dashboard/docs")) continue
        const read = text.replaceAll(/<(script|style|code|pre|textarea)\b.*?<\/\1>/gs, "<>")
        for (const [, said = ""] of read.matchAll(/>([^<]+)/g)) {
          const one = said.trim()
          if (!alike.has(one) && (translations.get(one) ?? one) !== one) english.push(`${path}: ${one}`)
        }
      }
      assert.deepStrictEqual([...new Set(english)], [])
    })
  )

  it.effect("text that a person wrote is not translated, even when the catalog has it", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const made = yield* someone.submit("/dashboard/projects", "/dashboard/projects", { name: "Settings", slug: "" })
      assert.strictEqual(made.status, 303)
      const list = yield* someone.get("/dashboard/projects?language=pt")
      const [, project = ""] = /href="(\/dashboard\/projects\/prj_[^"]*)">Settings</.exec(list.text) ?? []
      const page = yield* someone.get(project)
      assert.include(page.text, "<h1>Settings</h1>")
      assert.include(textOf(page.text), "Configurações")
    })
  )
})
