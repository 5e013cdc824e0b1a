import { html } from "@carteiro/runtime/dashboard/kit/Html.ts"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"

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

it("any text stays text, between tags and in attributes, and nothing of it is lost", () => {
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

it("markup made by itself goes in as it is, lists and nested ones too", () => {
  const item = (text: string) => html`<li>${text}</li>`
  assert.strictEqual(html`<ul>${[item("<"), [item("b")]]}</ul>`.markup, "<ul><li>&lt;</li><li>b</li></ul>")
})

it("what is absent leaves nothing", () => {
  assert.strictEqual(html`${undefined}${null}${false}${0}${""}`.markup, "0")
})

it("an object that looks like markup is not taken for it", () => {
  const forged = { markup: "<script>" } as unknown as string
  assert.notInclude(html`${[String(forged)]}`.markup, "<script>")
})
