import { bodyDecoder } from "@carteiro/http-edge/Decoding.ts"
import { InvalidQuery } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import { Schema } from "effect"

/** The code for arguments that break a tool's contract. gaps-1 I "Errors through MCP" */
export const invalidArguments = InvalidQuery.code

/** The JSON Schema of an argument, in the words that strict modes know. */
interface ArgumentSchema {
  readonly type: string | ReadonlyArray<unknown>
  readonly description: string
  readonly enum?: ReadonlyArray<string | null>
  readonly [keyword: string]: unknown
}

/** An argument of a tool: its schema for agents, and its decoder. */
export interface Argument {
  readonly json: ArgumentSchema
  readonly schema: Schema.Top
  readonly isRequired: boolean
}

/** The arguments of a tool by name. */
export type Arguments = Readonly<Record<string, Argument>>

/** No id and no path holds half of a surrogate pair, and encoding one into a path fails. */
const isPaired = Schema.makeFilter((value: string) => value.isWellFormed(), {
  expected: "a string without half of a surrogate pair"
})

const text = (description: string, most = 4096): Argument => ({
  json: { type: "string", minLength: 1, maxLength: most, description },
  schema: Schema.String.check(isPaired, Schema.isMinLength(1), Schema.isMaxLength(most)),
  isRequired: true
})

/** A text of any length; the called operation checks it. */
const anyText = (description: string): Argument => ({
  json: { type: "string", description },
  schema: Schema.String.check(isPaired),
  isRequired: true
})

const oneOf = (words: ReadonlyArray<string>, description: string): Argument => ({
  json: { type: "string", enum: words, description },
  schema: Schema.Literals(words),
  isRequired: true
})

const whole = (minimum: number, maximum: number, description: string): Argument => ({
  json: { type: "integer", minimum, maximum, description },
  schema: Schema.Int.check(Schema.isBetween({ minimum, maximum })),
  isRequired: true
})

const word = (description: string) => ({ type: "string", description })

/** Texts by name, as a list of pairs: strict modes close every object, and so drop the members of a map. */
const pairs = (description: string): Argument => ({
  json: {
    type: "array",
    maxItems: 100,
    description,
    items: {
      type: "object",
      properties: { name: word("The name, such as 1 or order"), value: word("The value") },
      required: ["name", "value"],
      additionalProperties: false
    }
  },
  schema: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })).check(Schema.isMaxLength(100)),
  isRequired: true
})

/** An argument that may be left out. Strict modes have a model name every argument, so null stands for one left out. */
const optional = ({ json, schema }: Argument): Argument => ({
  json: {
    ...json,
    type: [json.type, "null"],
    ...(json.enum === undefined ? {} : { enum: [...json.enum, null] })
  },
  schema: Schema.NullOr(schema),
  isRequired: false
})

/** The kinds of arguments. */
export const argument = { text, anyText, oneOf, whole, pairs, optional }

/** Returns the JSON Schema of a tool's arguments. */
export const inputSchemaOf = (declared: Arguments): object => {
  const required = Object.keys(declared).filter((name) => declared[name]?.isRequired)
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(declared).map(([name, { json }]) => [name, json])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false
  }
}

/** Returns the decoder of a tool's arguments, which refuses the first wrong one as `invalid_query`. */
export const decoderOf = (declared: Arguments) =>
  bodyDecoder(
    Schema.Struct(
      Object.fromEntries(
        Object.entries(declared).map(([name, { isRequired, schema }]) => [
          name,
          isRequired ? schema : Schema.optionalKey(schema)
        ])
      )
    ),
    { code: invalidArguments, strict: true }
  )
