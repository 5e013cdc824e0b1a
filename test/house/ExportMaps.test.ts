import { assert, it } from "@effect/vitest"
import { exportMapProblems } from "./ExportMaps.ts"
import { readSource } from "./SourceText.ts"

const problems = (map: Readonly<Record<string, string>> | undefined, files: Readonly<Record<string, string>>) =>
  exportMapProblems(
    new Map([["packages/owners/package.json", map]]),
    new Map(Object.entries(files).map(([path, text]) => [path, readSource(text)]))
  ).map(({ message }) => message)

const files = {
  "packages/owners/Ids.ts": "export const id = 1",
  "packages/owners/index.ts": "export {}",
  "runtime/app/Node.ts": 'import { id } from "@carteiro/owners/Ids.ts"\nimport "@carteiro/owners"\n'
}

it("an export map names each entry", () => {
  assert.deepStrictEqual(problems({ "./Ids.ts": "./Ids.ts", ".": "./index.ts" }, files), [])
  assert.deepStrictEqual(problems({}, files), [])
  assert.deepStrictEqual(problems(undefined, files), ["a package names its entries in an export map"])
  assert.deepStrictEqual(problems({ "./*": "./*" }, files), ["./* names no single file"])
  assert.deepStrictEqual(problems({ "./ids/*.ts": "./ids/*.ts" }, files), ["./ids/*.ts names no single file"])
})

it("an entry of an export map has its file, and a user outside of its package", () => {
  assert.deepStrictEqual(problems({ "./Owner.ts": "./Owner.ts" }, files), [
    "./Owner.ts leads to ./Owner.ts, which is not there"
  ])
  const own = { ...files, "runtime/app/Node.ts": "", "packages/owners/Own.ts": 'import "@carteiro/owners/Ids.ts"' }
  assert.deepStrictEqual(problems({ "./Ids.ts": "./Ids.ts" }, own), ["nothing imports @carteiro/owners/Ids.ts"])
  const merged = { ...own, "runtime/app/Node.ts": 'declare module "@carteiro/owners/Ids.ts" {}' }
  assert.deepStrictEqual(problems({ "./Ids.ts": "./Ids.ts" }, merged), [])
})
