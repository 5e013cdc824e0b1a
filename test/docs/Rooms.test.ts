import { globSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { allCommands } from "@carteiro/runtime/cli/Cli.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"

const root = fileURLToPath(new URL("../../", import.meta.url))
const read = (path: string) => readFileSync(join(root, path), "utf8")
const readmes = globSync(["runtime/*/README.md", "packages/*/README.md"], { cwd: root })
const source = globSync(["schema/**/*.ts", "runtime/**/*.ts", "packages/*/**/*.ts", "test/**/*.ts"], {
  cwd: root,
  exclude: (path) => path.includes("node_modules")
})
const known = new Set(source.flatMap((path) => read(path).match(/\b[A-Z]\w+/g) ?? []))

it("a room's README that lists its folders names each of them", () => {
  for (const readme of readmes.filter((path) => /^Folders|^\| folder \|/m.test(read(path)))) {
    const folders = readdirSync(join(root, dirname(readme)), { withFileTypes: true }).filter((one) => one.isDirectory())
    for (const { name } of folders) {
      if (name !== "node_modules") assert.match(read(readme), new RegExp(`\`${name}/?\``), `${readme} ${name}`)
    }
  }
})

it("code that a README names exists", () => {
  for (const readme of readmes) {
    for (const [, name = ""] of read(readme).matchAll(/`([A-Z][a-z]\w*[A-Z]\w*)[`.]/g)) {
      assert.isTrue(known.has(name), `${readme} ${name}`)
    }
  }
})

it.effect("the README of the command line describes every command", () =>
  Effect.gen(function* () {
    const { subcommands } = (yield* allCommands) as unknown as {
      readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<{ readonly name: string }> }>
    }
    for (const { name } of subcommands.flatMap(({ commands }) => commands)) {
      assert.include(read("runtime/cli/README.md"), `\`${name}\``)
    }
  })
)

it("docs/concepts.md names owners that are hosted", () => {
  const [, table = ""] = /^## Owners$(.*?)^An owner lives/ms.exec(read("docs/concepts.md")) ?? []
  const hosted = source.filter((path) => path.startsWith("runtime/")).map(read)
  for (const [, name = ""] of table.matchAll(/`([A-Z]\w+)`/g)) {
    assert.isTrue(
      hosted.some((text) => text.includes(`"${name}"`)),
      name
    )
  }
})
