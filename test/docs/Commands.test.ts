import { allCommands } from "@carteiro/runtime/cli/Cli.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { blocksOf, documents, guides, read } from "./GuideBlocks.ts"

/** Lines of a guide that are run, those that go on behind a backslash as one. */
const linesOf = (guide: string): ReadonlyArray<string> =>
  blocksOf(guide).flatMap((block) => block.replaceAll(/\\\n\s*/g, "").split("\n"))

interface Named {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Named> }>
}

/** The words behind `operator` that name no command; undefined when all that should do. */
const unknownWord = (carteiro: Named, words: ReadonlyArray<string>): string | undefined => {
  let command = carteiro
  for (const word of words) {
    const below = command.subcommands.flatMap(({ commands }) => commands)
    if (below.length === 0) return undefined
    const next = below.find(({ name }) => name === word)
    if (next === undefined) return word
    command = next
  }
  return undefined
}

const paths: { readonly [path: string]: { readonly [method: string]: unknown } } = JSON.parse(
  read("schema/openapi.json")
).paths

/** A path of a guide, ids and variables being any segment. */
const isRoute = (method: string, path: string): boolean =>
  Object.entries(paths).some(([known, methods]) => {
    const segments = known.split("/")
    const asked = path.split("/")
    return (
      segments.length === asked.length &&
      method.toLowerCase() in methods &&
      segments.every((segment, at) => segment === asked[at] || segment.startsWith("{") || asked[at]?.startsWith("$"))
    )
  })

describe.each(documents)("%s", (guide) => {
  const lines = linesOf(guide)

  it("names existing scripts", () => {
    const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: object }
    for (const line of lines) {
      for (const [, script = ""] of line.matchAll(/\bnpm run (?:-s )?([\w:]+)/g)) assert.property(scripts, script, line)
    }
  })

  it.effect("names existing commands", () =>
    Effect.gen(function* () {
      const carteiro = (yield* allCommands) as unknown as Named
      for (const line of lines) {
        for (const [, rest = ""] of line.matchAll(/\boperator -- ([^|)#]*)/g)) {
          const words = rest.split(/\s+/).filter((word) => /^[a-z][a-z-]*$/.test(word))
          assert.isUndefined(unknownWord(carteiro, words), line)
        }
      }
    })
  )

  it("calls existing routes", () => {
    for (const line of lines) {
      const method = /-X ?([A-Z]+)/.exec(line)?.[1] ?? (/ -d /.test(line) ? "POST" : "GET")
      for (const [, path = ""] of line.matchAll(/\$\{?(?:URL|BASE)\}?(\/v1\/[^\s"'?`)]*)/g)) {
        assert.isTrue(isRoute(method, path), line)
      }
      for (const [, path = ""] of line.matchAll(/\b(?:api|live) ['"]?([a-z][\w/$-]*)/g)) {
        assert.isTrue(isRoute(method, `/v1/${path}`), line)
      }
    }
  })
})

it("every guide takes its commands from one helper, and defines none of its own", () => {
  for (const guide of guides) {
    const commands = linesOf(guide).join("\n")
    if (/\b(?:api|live) /.test(commands)) assert.match(commands, /^\. docs\/api\.sh/m, guide)
    assert.notMatch(commands, /^(?:(?:K|N|B|KEY|URL)=(?!.* api )|(?:api|call)\(\))/m, guide)
  }
})

it("the glossary has the terms that a newcomer meets first", () => {
  for (const word of ["ddd", "BYON", "upstream", "service window"]) {
    assert.match(read("docs/glossary.md"), new RegExp(`^- \\*\\*${word}\\*\\*: `, "im"), word)
  }
})
