import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"

const docs = new URL("../../docs/", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, docs), "utf8")
const linksOf = (text: string) => [...text.matchAll(/\]\((\.\.\/[^)]+\.ts)\)/g)].map(([, path]) => path ?? "")
const section = read("concepts.md").match(/^## One send, file by file$(.*?)^## /ms)?.[1] ?? ""
const stops = section.split(/^(?=\d+\. )/m).filter((text) => /^\d+\. /.test(text))

it("docs/concepts.md leads from the contract to the row and the event through existing files", () => {
  const files = stops.flatMap(linksOf)
  assert.strictEqual(new Set(files).size, files.length)
  assert.strictEqual(files[0], "../schema/messages/SendMessage.ts")
  for (const path of files) assert.doesNotThrow(() => read(path))
})

it("docs/concepts.md names at each step what its files contain", () => {
  for (const stop of stops) {
    const code = linksOf(stop).map(read).join("\n")
    for (const [, name] of stop.matchAll(/`(\w+)`/g))
      assert.match(code, new RegExp(`\\b${name}\\b`), `stop ${stop.slice(0, 3)}`)
  }
})
