import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { facetsOf } from "./generators/Facets.ts"
import { tableOf, validatorTableOf } from "./generators/Table.ts"

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8")
const facts = JSON.parse(read("test/openapi/generators/facts.json"))

it("the guide's table of generators says what was measured", () => {
  assert.include(read("docs/generated-clients.md"), `\n${tableOf(facts.generators)}\n`)
  assert.lengthOf(facts.generators, 8)
})

it("the guide's table of validators says what was measured, and each takes the API's instants in both directions", () => {
  assert.include(read("docs/generated-clients.md"), `\n${validatorTableOf(facts.validators)}\n`)
  assert.lengthOf(facts.validators, 9)
  for (const { answer, name, request } of facts.validators)
    assert.deepStrictEqual([request, answer], [true, true], name)
})

it("the versions in the table are those that the lockfile of the generators pins", () => {
  const { dependencies } = JSON.parse(read("test/openapi/generators/package.json"))
  const pinned = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`)
  const names: Readonly<Record<string, string>> = { "hey-api": "@hey-api/openapi-ts", kubb: "@kubb/core" }
  for (const { name, version } of [...facts.generators, ...facts.validators]) {
    const [generator = "", validator] = name.split(", ")
    const plugin = generator === "kubb" && validator !== undefined ? "@kubb/plugin-zod" : names[generator]
    assert.include(pinned, `${plugin ?? generator} ${version}`)
  }
  for (const linter of Object.keys(facts.linters)) assert.include(pinned, linter)
})

it("the description has the forms that were measured: headers, instants, unions and cursors", () => {
  assert.deepStrictEqual(facetsOf(JSON.parse(read("schema/openapi.json"))), facts.facets)
})

it("Spectral and Redocly reported nothing", () => {
  assert.deepStrictEqual(Object.values(facts.linters), [0, 0])
})
