import { apiTools } from "@carteiro/runtime/mcp/ApiTools.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { toStrictJsonSchema } from "openai/lib/transform"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { connected } from "./OfficialClient.ts"

/** A JSON Schema, as far as these tests read it. */
interface Json {
  readonly type?: string | ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Json
  readonly enum?: ReadonlyArray<unknown>
  readonly description?: string
  readonly additionalProperties?: unknown
}

/** What strict modes of models take besides the form: no union, no reference, no condition, no map. */
const known = [
  "additionalProperties",
  "description",
  "enum",
  "items",
  "maxItems",
  "maxLength",
  "maximum",
  "minLength",
  "minimum",
  "properties",
  "required",
  "type"
]

/** Returns a schema and all inside it, with their paths. */
const inside = (schema: Json, path: string): ReadonlyArray<readonly [string, Json]> => [
  [path, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => inside(each, `${path}.${name}`)),
  ...(schema.items === undefined ? [] : inside(schema.items, `${path}[]`))
]

it.layer(WholeProduct(), { excludeTestServices: true })("The schemas of MCP tools in strict modes", (it) => {
  it.effect(
    "every object is closed, every optional argument takes null, and no keyword is outside of what strict modes take",
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const client = yield* connected(acme.sandbox.key)
        const { tools } = yield* Effect.promise(() => client.listTools())
        assert.isAtLeast(tools.length, apiTools.length)
        for (const { inputSchema, name } of tools) {
          for (const [path, schema] of inside(inputSchema as Json, name)) {
            assert.includeMembers(known, Object.keys(schema), path)
            const types = [schema.type].flat()
            if (!types.includes("object")) {
              assert.isNotEmpty(schema.description, path)
              continue
            }
            assert.strictEqual(schema.additionalProperties, false, path)
            for (const [property, each] of Object.entries(schema.properties ?? {})) {
              const isOptional = schema.required?.includes(property) !== true
              assert.strictEqual([each.type].flat().includes("null"), isOptional, `${path}.${property}`)
              if (isOptional && each.enum !== undefined) assert.include(each.enum, null, `${path}.${property}`)
            }
          }
        }
      }).pipe(Effect.scoped)
  )

  it.effect("OpenAI's own conversion to a strict schema changes nothing but what must be named", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const client = yield* connected(acme.sandbox.key)
      const { tools } = yield* Effect.promise(() => client.listTools())
      for (const { inputSchema, name } of tools) {
        const properties = Object.keys(inputSchema.properties ?? {})
        assert.deepStrictEqual<unknown>(
          toStrictJsonSchema(inputSchema as Parameters<typeof toStrictJsonSchema>[0]),
          { ...inputSchema, required: properties },
          name
        )
      }
    }).pipe(Effect.scoped)
  )
})
