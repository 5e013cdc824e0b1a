import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { html } from "../../packages/console/kit/Html.ts"
import { linkOut } from "../../packages/console/kit/Parts.ts"

const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39|#96);/g, (entity) => entities[entity] ?? entity)
const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#96;": "`"
}

it("any text stays text, between tags and in attributes, without loss", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const { markup } = html`<p title="${text}">${text}</p>`
      const inner = markup.slice('<p title="'.length, -"</p>".length)
      assert.notMatch(inner.replace('">', ""), /[<>"'`]/)
      const [attribute, content] = inner.split('">')
      assert.deepStrictEqual([unescaped(attribute ?? ""), unescaped(content ?? "")], [text, text])
    })
  )
})

it("nested markup and lists of markup are inserted as markup", () => {
  const item = (text: string) => html`<li>${text}</li>`
  assert.strictEqual(html`<ul>${[item("<"), [item("b")]]}</ul>`.markup, "<ul><li>&lt;</li><li>b</li></ul>")
})

it("absent values leave no text", () => {
  assert.strictEqual(html`${undefined}${null}${false}${0}${""}`.markup, "0")
})

it("an object that looks like markup is escaped", () => {
  const forged = { markup: "<script>" } as unknown as string
  assert.notInclude(html`${[String(forged)]}`.markup, "<script>")
})

it("a vendor's address is a link with https, or with http on this machine, and otherwise text", () => {
  for (const url of ["https://pay.example.com/1?a=b", "http://localhost:8080/sandbox/pay/1", "http://127.0.0.1/1"]) {
    assert.include(linkOut(url).markup, `<a href="${url}"`)
  }
  const others = [
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<b>",
    "http://pay.example.com/1",
    "http://localhost.example.com/1",
    "//pay.example.com/1",
    "/dashboard"
  ]
  for (const url of others) {
    const { markup } = linkOut(url)
    assert.notInclude(markup, "<a")
    assert.strictEqual(unescaped(markup), url)
  }
})
