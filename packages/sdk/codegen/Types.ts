import {
  type Description,
  type JsonSchema,
  nameOfRef,
  type Operation,
  operationsOf,
  reached,
  successOf
} from "./Description.ts"

/** How a schema is written: an answer stays open for values that the API learns later. A-VER-05 */
export interface Writing {
  readonly open: boolean
}

/** Component names that would hide a global. */
const renamed: Readonly<Record<string, string>> = { Error: "ErrorResponse" }

export const typeName = (component: string): string => renamed[component] ?? component

/** Returns a comment for hovering, or nothing. */
export const docOf = (lines: ReadonlyArray<string | undefined>, indent = ""): string => {
  const given = lines.filter((line) => line !== undefined && line !== "").map((line) => line?.replaceAll("*/", "*\\/"))
  if (given.length === 0) return ""
  if (given.length === 1) return `${indent}/** ${given[0]} */\n`
  return `${indent}/**\n${given.map((line) => `${indent} * ${line}\n`).join(`${indent} *\n`)}${indent} */\n`
}

const openText = "(string & {})"

/** Returns the type of a schema as TypeScript. */
export const typeOf = (schema: JsonSchema, writing: Writing, indent = ""): string => {
  if (schema.$ref !== undefined) return typeName(nameOfRef(schema.$ref))
  const known = schema["x-known-values"] ?? schema["x-known-codes"]
  if (known !== undefined) return union([...known.map((value) => JSON.stringify(value)), openText])
  const variants = schema.oneOf ?? schema.anyOf
  if (variants !== undefined) {
    const later = writing.open && schema.discriminator?.propertyName === "type" ? ["NewVariant"] : []
    return union([...variants.map((variant) => typeOf(variant, writing, indent)), ...later])
  }
  if (schema.enum !== undefined) return enumOf(schema.enum, writing)
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? [])
  return types.length === 0 ? "unknown" : union(types.map((type) => plainType(type, schema, writing, indent)))
}

/** A single value tells variants apart and stays closed; several in an answer may become more. */
const enumOf = (values: NonNullable<JsonSchema["enum"]>, { open }: Writing): string => {
  const texts = values.filter((value) => typeof value === "string")
  return union([...values.map((value) => JSON.stringify(value)), ...(open && texts.length > 1 ? [openText] : [])])
}

const plainType = (type: string, schema: JsonSchema, writing: Writing, indent: string): string => {
  if (type === "integer" || type === "number") return "number"
  if (type === "array") {
    const item = typeOf(schema.items ?? {}, writing, indent)
    return writing.open ? `Array<${item}>` : `ReadonlyArray<${item}>`
  }
  return type === "object" ? objectOf(schema, writing, indent) : type
}

const objectOf = (schema: JsonSchema, writing: Writing, indent: string): string => {
  const { additionalProperties, properties, required } = schema
  if (properties === undefined || Object.keys(properties).length === 0) {
    const value = typeof additionalProperties === "object" ? typeOf(additionalProperties, writing, indent) : "unknown"
    return additionalProperties === false ? "Record<string, never>" : `Record<string, ${value}>`
  }
  return `{\n${Object.entries(properties)
    .map(([name, member]) => memberOf(name, member, required?.includes(name) === true, writing, `${indent}  `))
    .join("")}${indent}}`
}

/** Returns one member with its comment. */
export const memberOf = (
  name: string,
  schema: JsonSchema,
  required: boolean,
  writing: Writing,
  indent: string
): string => {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
  const type = typeOf(schema, writing, indent)
  const doc = docOf([schema.description, schema.deprecated === true ? "@deprecated" : undefined], indent)
  return `${doc}${indent}${key}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"}\n`
}

const union = (members: ReadonlyArray<string>): string => [...new Set(members)].join(" | ")

/** Returns the file of types: every component, the events, and the page. */
export const typesFile = (description: Description): string => {
  const operations = operationsOf(description)
  const answers = reached(
    [...operations.flatMap((operation) => successOf(operation).schemas), ...eventSchemas(description)],
    description
  )
  const components = Object.entries(description.components.schemas).map(([name, schema]) => {
    const open = answers.has(name) || name === "Error" || name === "ErrorCode"
    return `${docOf([schema.description])}export type ${typeName(name)} = ${typeOf(schema, { open })}\n`
  })
  return [pageType, tracedType, newVariantType, ...components, eventTypes(description)].join("\n")
}

const eventSchemas = ({ webhooks }: Description): ReadonlyArray<JsonSchema> =>
  Object.values(webhooks).map(({ post }) => post.requestBody?.content["application/json"]?.schema ?? {})

const pageType = `/** One page of a list. It may hold fewer rows than its limit while more follow. */
export type Page<Row> = {
  object: "list"
  /** The rows of this page. */
  data: Array<Row>
  /** True when another page follows. */
  has_more: boolean
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Trace of the request. */
  trace_id: string
}
`

const tracedType = `/** A thing together with the trace of the request that answered it. */
export type Traced<Thing> = Thing & {
  /** Trace of the request; quote it when you ask for help. */
  trace_id: string
}
`

// A template, because TypeScript takes a `string` for every literal, and would lose the other variants' members with it.
const newVariantType = `/** A variant that the API learned after this version of the client. A \`switch\` over \`type\` meets it in its \`default\`. */
export type NewVariant = {
  /** Any name that this version of the client does not know. */
  type: \`\${string} (new)\`
  [member: string]: unknown
}
`

const eventTypes = (description: Description): string => {
  const types = Object.keys(description.webhooks)
  const names = eventSchemas(description).map(({ $ref = "" }) => typeName(nameOfRef($ref)))
  return `/** The types of events. New ones may appear. */
export type EventType = ${union([...types.map((type) => JSON.stringify(type)), openText])}

/**
 * One event, told apart by its \`type\`. New types may appear: end a \`switch\` over them with a \`default\` that ignores them.
 */
export type Event = ${[...names, "NewEvent"].join(" | ")}

/** An event of a type that the API learned after this version of the client. */
export type NewEvent = Omit<${names[0]}, "type" | "data"> & {
  /** Any type that this version of the client does not know. */
  type: NewVariant["type"]
  data: Record<string, unknown>
}
`
}

/** Returns true for the answer of a list with pages. */
export const isPage = ({ properties }: JsonSchema): boolean =>
  properties?.object?.enum?.[0] === "list" && "next_cursor" in properties && "data" in properties

/** Returns the type of what an operation answers. */
export const answerType = (operation: Operation, description: Description): string => {
  const { mediaType, schemas } = successOf(operation)
  if (mediaType === "application/octet-stream") return "Response"
  if (mediaType.startsWith("text/")) return "string"
  return union(
    schemas.map((schema) => pageOf(schema) ?? tracedOf(schema, description) ?? typeOf(schema, { open: true }))
  )
}

const pageOf = (schema: JsonSchema): string | undefined => {
  const isPlain = isPage(schema) && Object.keys(schema.properties ?? {}).length === 5
  return isPlain ? `Page<${typeOf(schema.properties?.data?.items ?? {}, { open: true })}>` : undefined
}

/** Recognizes a named thing that is answered together with the trace of the request. */
const tracedOf = ({ properties = {} }: JsonSchema, { components }: Description): string | undefined => {
  const { trace_id, ...own } = properties
  if (trace_id === undefined) return undefined
  const text = membersText(own)
  const named = Object.entries(components.schemas).find(([, schema]) => membersText(schema.properties ?? {}) === text)
  return named === undefined ? undefined : `Traced<${typeName(named[0])}>`
}

const membersText = (properties: Readonly<Record<string, JsonSchema>>): string =>
  JSON.stringify(Object.entries(properties).sort(([left], [right]) => (left < right ? -1 : 1)))
