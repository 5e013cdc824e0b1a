import { Api } from "@carteiro/schema/Api.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema, SchemaAST } from "effect"
import { HttpApi } from "effect/http-api"
import { bodyDecoder, isRefusal } from "../../packages/http-edge/decoding/Decoder.ts"
import { currentDescription } from "../../packages/openapi/Contract.ts"

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

const { paths } = JSON.parse(currentDescription()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** Every JSON body of the contract: the schemas that decode it, and the example of the description. */
const bodies = (() => {
  const all: Array<readonly [operation: string, schema: Schema.Top, example: unknown]> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const path = endpoint.path.replaceAll(/:([A-Za-z_]\w*)/g, "{$1}")
      const described = paths[path]?.[endpoint.method.toLowerCase()]
      const example = described?.requestBody?.content["application/json"]?.example
      const schemas = [...endpoint.payload.values()].flatMap((one) => [...one.schemas])
      const schema = schemas.length === 1 ? schemas[0] : Schema.Union(schemas)
      if (described !== undefined && example !== undefined && schema !== undefined)
        all.push([described.operationId, schema as Schema.Top, example])
    }
  })
  return all
})()

/** Returns copies of a value, each with another value in one place. */
const withOther = (value: unknown, others: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) {
    const list: ReadonlyArray<unknown> = value
    return [...list.flatMap((item, at) => withOther(item, others).map((other) => list.with(at, other))), ...others]
  }
  if (typeof value !== "object" || value === null) return others
  const members = Object.entries(value).flatMap(([name, member]) =>
    withOther(member, others).map((other) => ({ ...value, [name]: other }))
  )
  return [...members, ...others]
}

const strange = [7, 1.5, "\u0007?", true, [], ["\u0007"], {}, { "\u0007": 1 }, null]

/** What a regular expression looks like in a sentence. */
const pattern = /RegExp|\[[^\]]*-[^\]]*\]|\\[dswpu]|\{\d+,\d*\}|\(\?|\^\W|\$\//

const messagesOf = (schema: Schema.Top, example: unknown): ReadonlyArray<string> => {
  const decode = bodyDecoder(schema, { code: "invalid", strict: true })
  return withOther(example, strange).flatMap((body) => {
    const decoded = decode(body)
    return isRefusal(decoded) ? [decoded.message] : []
  })
}

/** Returns the words of every check in a schema. */
const wordsIn = (ast: SchemaAST.AST, seen: Set<SchemaAST.AST>): ReadonlyArray<string> => {
  if (seen.has(ast)) return []
  seen.add(ast)
  const checks = (ast.checks ?? []).flatMap((check) => {
    const { annotations } = check as {
      readonly annotations?: { readonly expected?: unknown; readonly message?: unknown }
    }
    return [annotations?.expected, annotations?.message].filter((words) => typeof words === "string")
  })
  const parts =
    ast._tag === "Objects"
      ? [
          ...ast.propertySignatures.map(({ type }) => type),
          ...ast.indexSignatures.flatMap((one) => [one.parameter, one.type])
        ]
      : ast._tag === "Arrays"
        ? [...ast.elements, ...ast.rest]
        : ast._tag === "Union"
          ? ast.types
          : ast._tag === "Suspend"
            ? [ast.thunk()]
            : []
  return [...checks, ...parts.flatMap((part) => wordsIn(part, seen))]
}

describe("Sentences about a body", () => {
  it('show no regular expression, whatever is sent gaps-1 "Amendments of November 2026"', () => {
    assert.isAbove(bodies.length, 50)
    for (const [operation, schema, example] of bodies) {
      for (const message of messagesOf(schema, example)) assert.notMatch(message, pattern, operation)
    }
  })

  it("come from checks that have words of their own for a pattern", () => {
    const seen = new Set<SchemaAST.AST>()
    const words = bodies.flatMap(([, schema]) => wordsIn(SchemaAST.toEncoded(schema.ast), seen))
    assert.isAbove(words.length, 100)
    for (const each of words) assert.notMatch(each, pattern)
  })

  it('tell a wrong type as its type gaps-1 "Amendments of November 2026"', () => {
    let told = 0
    for (const [operation, schema, example] of bodies) {
      if (typeof example !== "object" || example === null) continue
      const decode = bodyDecoder(schema, { code: "invalid", strict: true })
      for (const [name, member] of Object.entries(example)) {
        const sent = typeof member === "string" ? 7 : "seven"
        const decoded = decode({ ...example, [name]: sent })
        if (!isRefusal(decoded) || decoded.param !== name) continue
        assert.match(
          decoded.message,
          typeof sent === "number" ? /, got a number\./ : /, got a string\./,
          `${operation} ${name}`
        )
        told += 1
      }
    }
    assert.isAbove(told, 100)
  })
})
