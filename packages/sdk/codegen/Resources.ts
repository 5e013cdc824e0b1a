import { type Description, nameOfRef, type Operation, operationsOf, type Parameter, successOf } from "./Description.ts"
import { answerType, docOf, isPage, memberOf, typeName, typeOf } from "./Types.ts"

/** A resource of the client: the operations of one path of names, and the resources below it. */
interface Resource {
  readonly path: ReadonlyArray<string>
  readonly operations: Array<Operation>
  readonly children: Map<string, Resource>
}

/** Resources whose class has more than the API's operations, written by hand. */
const handwritten: Readonly<Record<string, { readonly name: string; readonly from: string }>> = {
  media: { name: "MediaFiles", from: "../MediaFiles.ts" },
  webhooks: { name: "WebhookSignatures", from: "../Webhooks.ts" }
}

/** Returns the names on the way to an operation's method, `phoneNumbers.orders.create` as three. */
export const methodPath = ({ operationId }: { readonly operationId: string }): ReadonlyArray<string> =>
  operationId.split(".").map((part) => part.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()))

const treeOf = (operations: ReadonlyArray<Operation>): Resource => {
  const root: Resource = { path: [], operations: [], children: new Map() }
  for (const operation of operations) {
    let at = root
    for (const name of methodPath(operation).slice(0, -1)) {
      const child = at.children.get(name) ?? { path: [...at.path, name], operations: [], children: new Map() }
      at.children.set(name, child)
      at = child
    }
    at.operations.push(operation)
  }
  return root
}

const pascal = (names: ReadonlyArray<string>): string =>
  names.map((name) => name.slice(0, 1).toUpperCase() + name.slice(1)).join("")

/** Returns the comment of a resource's property: what the description says of its first operation's tag. */
const resourceDoc = (resource: Resource, description: Description): string => {
  const first = (at: Resource): Operation | undefined => at.operations[0] ?? [...at.children.values()].map(first)[0]
  const tag = description.tags?.find(({ name }) => name === first(resource)?.tags?.[0])
  return docOf([tag?.description], "  ")
}

const className = ({ path }: Resource): string => `${pascal(path)}Resource`

/** Returns the file of resources, and the one of the client that holds them. */
export const clientFiles = (description: Description): { readonly resources: string; readonly client: string } => {
  const root = treeOf(operationsOf(description))
  const classes = [...root.children.values()].flatMap((resource) => classesOf(resource, description))
  const inline = operationsOf(description).flatMap((operation) => inlineTypes(operation, description))
  const params = inline.map(({ doc, name, type }) => `${docOf([doc])}export type ${name} = ${type}\n`)
  const body = [...params, ...classes].join("\n")
  const imported = [...Object.keys(description.components.schemas).map(typeName), "Page", "Traced"].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body)
  )
  const bases = Object.values(handwritten).map(({ from, name }) => `import { ${name} } from "${from}"\n`)
  return {
    resources: `${bases.join("")}import type { ApiPromise } from "../transport/ApiPromise.ts"
import type { List } from "../transport/List.ts"
import type { RequestBytes, RequestOptions } from "../transport/Options.ts"
import type { Transport } from "../transport/Transport.ts"
import type { ${imported.sort().join(", ")} } from "./Types.ts"

const segment = encodeURIComponent

${body}`,
    client: clientFile(
      root,
      description,
      inline.map(({ name }) => name)
    )
  }
}

const clientFile = (root: Resource, description: Description, params: ReadonlyArray<string>): string => {
  const names = [...root.children]
  const types = [
    ...Object.keys(description.components.schemas).map(typeName),
    "Page",
    "Traced",
    "NewVariant",
    "Event",
    "EventType",
    "NewEvent"
  ].sort()
  return `import { CarteiroBase } from "../Base.ts"
import type { ClientOptions } from "../transport/Options.ts"
import * as Resources from "./Resources.ts"
import type * as Types from "./Types.ts"

/** A client of the API under one key. */
export class Carteiro extends CarteiroBase {
${names.map(([name, resource]) => `${resourceDoc(resource, description)}  readonly ${name}: Resources.${className(resource)}\n`).join("")}
  constructor(options: ClientOptions = {}) {
    super(options)
${names.map(([name, resource]) => `    this.${name} = new Resources.${className(resource)}(this.transport)\n`).join("")}  }
}

export declare namespace Carteiro {
${types.map((name) => (name === "Page" || name === "Traced" ? `  export type ${name}<T> = Types.${name}<T>\n` : `  export type ${name} = Types.${name}\n`)).join("")}${params.map((name) => `  export type ${name} = Resources.${name}\n`).join("")}}
`
}

const classesOf = (resource: Resource, description: Description): ReadonlyArray<string> => {
  const children = [...resource.children]
  const below = children.flatMap(([, child]) => classesOf(child, description))
  const base = handwritten[resource.path.join(".")]
  const fields = children
    .map(([name, child]) => `${resourceDoc(child, description)}  readonly ${name}: ${className(child)}\n`)
    .join("")
  const inits = children.map(([name, child]) => `    this.${name} = new ${className(child)}(transport)\n`).join("")
  const own = base === undefined ? `  protected readonly transport: Transport\n` : ""
  const construct =
    base === undefined
      ? `\n  constructor(transport: Transport) {\n    this.transport = transport\n${inits}  }\n`
      : inits === ""
        ? ""
        : `\n  constructor(transport: Transport) {\n    super(transport)\n${inits}  }\n`
  const methods = resource.operations.map((operation) => methodOf(operation, description)).join("")
  return [
    ...below,
    `export class ${className(resource)}${base === undefined ? "" : ` extends ${base.name}`} {\n${own}${fields}${construct}${methods}}\n`
  ]
}

const ofKind = (operation: Operation, kind: Parameter["in"]): ReadonlyArray<Parameter> =>
  operation.parameters?.filter((parameter) => parameter.in === kind) ?? []

const paramsName = (operation: Operation, suffix: string): string => `${pascal(methodPath(operation))}${suffix}`

/** A type that the description gives no name: a query, a body or an answer of one operation. */
interface InlineType {
  readonly name: string
  readonly type: string
  readonly doc: string
}

const inlineTypes = (operation: Operation, description: Description): ReadonlyArray<InlineType> => {
  const query = ofKind(operation, "query")
  const body = operation.requestBody?.content["application/json"]?.schema
  const answer = answerType(operation, description)
  const of = (what: string) => `${what} of \`${operation.operationId}\`.`
  const members = query.map((one) =>
    memberOf(one.name, { ...one.schema, ...described(one) }, one.required === true, { open: false }, "  ")
  )
  return [
    ...(query.length === 0
      ? []
      : [{ name: paramsName(operation, "Query"), type: `{\n${members.join("")}}`, doc: of("Query") }]),
    ...(body === undefined || body.$ref !== undefined
      ? []
      : [{ name: paramsName(operation, "Params"), type: typeOf(body, { open: false }), doc: of("Body") }]),
    ...(answer.includes("{") ? [{ name: paramsName(operation, "Answer"), type: answer, doc: of("Answer") }] : [])
  ]
}

const described = ({ description }: Parameter) => (description === undefined ? {} : { description })

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const methodOf = (operation: Operation, description: Description): string => {
  const paths = ofKind(operation, "path")
  const query = ofKind(operation, "query")
  const { mediaType, schemas } = successOf(operation)
  const cursor = query.find(({ name }) => name === "starting_after" || name === "after")
  const isList = cursor !== undefined && schemas.every(isPage)
  const given = [
    ...paths.map(({ name }) => `${camel(name)}: string`),
    ...bodyParameters(operation),
    ...(query.length === 0
      ? []
      : [`query${query.some(({ required }) => required) ? "" : "?"}: ${paramsName(operation, "Query")}`]),
    "options?: RequestOptions"
  ]
  const shape = answerType(operation, description)
  const answer = shape.includes("{") ? paramsName(operation, "Answer") : shape
  const call = [
    `method: "${operation.method}"`,
    `path: ${pathText(operation.path)}`,
    ...(query.length === 0 ? [] : ["query"]),
    ...callBody(operation),
    ...(ofKind(operation, "header").some(({ name }) => name === "idempotency-key") ? ["keyed: true"] : []),
    ...(mediaType === "application/octet-stream"
      ? [`answer: "stream"`]
      : mediaType.startsWith("text/")
        ? [`answer: "text"`]
        : [])
  ].join(", ")
  const scopes = operation["x-required-scopes"]
  const doc = docOf(
    [
      `${operation.summary}.`,
      operation.description,
      scopes.length === 0 ? undefined : `Needs scope ${scopes.map((scope) => `\`${scope}\``).join(", ")}.`,
      `\`${operation.method} ${operation.path}\``,
      operation.deprecated === true ? "@deprecated" : undefined
    ],
    "  "
  )
  const name = methodPath(operation).at(-1) ?? ""
  const returns = isList ? `List<${answer}>` : `ApiPromise<${answer}>`
  const starts = isList
    ? `this.transport.list({ ${call} }, "${cursor.name}", options)`
    : `this.transport.call({ ${call} }, options)`
  return `\n${doc}  ${name}(${given.join(", ")}): ${returns} {\n    return ${starts}\n  }\n`
}

const bodyParameters = (operation: Operation): ReadonlyArray<string> => {
  const { requestBody } = operation
  if (requestBody === undefined) return []
  const schema = requestBody.content["application/json"]?.schema
  if (schema === undefined) return ["bytes: RequestBytes", "contentType: string"]
  const type = schema.$ref === undefined ? paramsName(operation, "Params") : typeName(nameOfRef(schema.$ref))
  return [`body${requestBody.required === true ? "" : "?"}: ${type}`]
}

const callBody = ({ requestBody }: Operation): ReadonlyArray<string> => {
  if (requestBody === undefined) return []
  if (requestBody.content["application/json"] !== undefined) return ["body"]
  return ["bytes", "contentType"]
}

const pathText = (path: string): string =>
  path.includes("{")
    ? `\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${segment(${camel(name)})}`)}\``
    : JSON.stringify(path)
