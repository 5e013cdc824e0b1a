import type { ApiCalls } from "@carteiro/openapi/Openapi.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"

/** A part of the description as JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>
type Components = ReturnType<ApiCalls["Service"]["components"]>

/** One member of a body, with the members of its own. */
interface Member {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly meaning: string
  readonly shape: Shape
}

/** The members of a body, and of each of its variants where it has some. */
interface Shape {
  readonly members: ReadonlyArray<Member>
  readonly variants: ReadonlyArray<{ readonly name: string; readonly shape: Shape }>
}

/** Bodies in bodies that are shown; deeper ones are named by their type alone. */
const deepest = 8
const nothing: Shape = { members: [], variants: [] }

/** Returns a part of the description with its reference followed. */
export const followed = (part: Schema | undefined, { responses = {}, schemas = {} }: Components): Schema => {
  const [name = "", kind] = typeof part?.$ref === "string" ? part.$ref.split("/").reverse() : []
  return name === "" ? (part ?? {}) : ((kind === "responses" ? responses : schemas)[name] ?? {})
}

/** Returns everything that a body may hold, eight bodies deep at most, and no body within itself. */
export const shapeOf = (
  schema: Schema | undefined,
  components: Components,
  within: ReadonlyArray<Schema> = []
): Shape => {
  const whole = followed(elementOf(schema ?? {}), components)
  if (within.length >= deepest || within.includes(whole)) return nothing
  const inside = [...within, whole]
  const choices = choicesOf(whole)
  if (choices.length === 1) return shapeOf(choices[0], components, within)
  if (choices.length > 1) {
    const variants = choices.map((one) => ({
      name: variantName(one, components),
      shape: shapeOf(one, components, inside)
    }))
    return { members: [], variants: variants.filter(({ shape }) => !isEmpty(shape)) }
  }
  const required = (whole.required ?? []) as ReadonlyArray<string>
  const members = Object.entries((whole.properties ?? {}) as Readonly<Record<string, Schema>>).map(
    ([name, member]): Member => ({
      name,
      type: typeOf(member, components),
      isRequired: required.includes(name),
      meaning: String(member.description ?? followed(member, components).description ?? ""),
      shape: shapeOf(member, components, inside)
    })
  )
  return { members, variants: [] }
}

/** Returns what a list holds; anything else stays. */
const elementOf = (schema: Schema): Schema =>
  typesOf(schema).includes("array") ? elementOf((schema.items ?? {}) as Schema) : schema

const typesOf = ({ type }: Schema): ReadonlyArray<string> =>
  Array.isArray(type) ? type : typeof type === "string" ? [type] : []

/** Returns the schemas of which one holds, without the one of null. */
const choicesOf = (schema: Schema): ReadonlyArray<Schema> =>
  ((schema.oneOf ?? schema.anyOf ?? []) as ReadonlyArray<Schema>).filter(({ type }) => type !== "null")

/** Returns what tells a variant from the others: its title, else its one `type`, else its name. */
const variantName = (schema: Schema, components: Components): string => {
  const whole = followed(schema, components)
  if (typeof whole.title === "string") return whole.title
  const { properties } = whole as { readonly properties?: Readonly<Record<string, Schema>> }
  const words = (properties?.type?.enum ?? []) as ReadonlyArray<string>
  return words.length === 1 && words[0] !== undefined ? words[0] : typeOf(schema, components)
}

/** Returns the type of a value in words: a list's with that of its elements, several as one of them. */
export const typeOf = (schema: Schema, components: Components): string => {
  if (typeof schema.$ref === "string") return schema.$ref.split("/").at(-1) ?? ""
  const words = schema.enum as ReadonlyArray<unknown> | undefined
  if (words !== undefined) return words.map(String).join(", ")
  const choices = choicesOf(schema)
  if (choices.length > 0) {
    const all = (schema.oneOf ?? schema.anyOf) as ReadonlyArray<Schema>
    const names = choices.map((one) => (choices.length === 1 ? typeOf(one, components) : variantName(one, components)))
    return `${choices.length > 1 ? "one of " : ""}${[...new Set(names)].join(", ")}${all.length > choices.length ? " or null" : ""}`
  }
  const types = typesOf(schema).map((one) =>
    one === "array" ? `list of ${typeOf((schema.items ?? {}) as Schema, components)}` : one
  )
  const type = types.length === 0 ? "any" : types.join(" or ")
  return schema.format === undefined ? type : `${type} (${String(schema.format)})`
}

/** True for a body without members, whose type alone tells what it is. */
export const isEmpty = ({ members, variants }: Shape): boolean => members.length === 0 && variants.length === 0

/** Returns the members of a body, those of bodies within it folded below theirs. */
export const memberList = ({ members, variants }: Shape): Html =>
  html`${
    members.length > 0 &&
    html`<dl class="members">${members.map(
      ({ isRequired, meaning, name, shape, type }) =>
        html`<dt><code>${name}</code> <span class="muted">${type}${isRequired && " required"}</span></dt><dd>${words(meaning)}${
          !isEmpty(shape) && folded(html`Members of <code>${name}</code>`, shape)
        }</dd>`
    )}</dl>`
  }${variants.map(({ name, shape }) => folded(html`<code>${name}</code>`, shape))}`

const folded = (name: Piece, shape: Shape): Html =>
  html`<details class="within"><summary>${name}</summary>${memberList(shape)}</details>`

/** Returns a text whose code stands between backticks. */
export const words = (text: string): Piece =>
  text.split("`").map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece))

/** Returns the members of a body as a list in Markdown, those of bodies within it indented. */
export const memberLines = ({ members, variants }: Shape, indent = ""): ReadonlyArray<string> => [
  ...members.flatMap(({ isRequired, meaning, name, shape, type }) => [
    `${indent}- \`${name}\` (${type}${isRequired ? ", required" : ""})${meaning === "" ? "" : `: ${meaning.replaceAll(/\s+/g, " ")}`}`,
    ...memberLines(shape, `${indent}  `)
  ]),
  ...variants.flatMap(({ name, shape }) => [`${indent}- Variant \`${name}\``, ...memberLines(shape, `${indent}  `)])
]
