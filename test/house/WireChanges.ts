import { apiCompare } from "api-smart-diff"

/** A change of the wire that breaks a client of the release before. */
export interface BreakingChange {
  /** Where it stands in the description, with references followed: `paths /v1/messages post requestBody … enum 1`. */
  readonly at: string
  readonly reason: string
}

/** A breaking change that was decided, with its reason: a correction of the description, or the end of a deprecation. */
export interface DecidedChange {
  /** The beginning of its place. */
  readonly at: string
  readonly reason: string
}

/** A description as far as it is compared. */
export interface Description {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post: { readonly requestBody: object } }>>
  readonly components?: { readonly responses?: Readonly<Record<string, object>> }
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>
}

interface Change {
  readonly action: string
  readonly type: string
  readonly path: ReadonlyArray<string | number>
  readonly before?: unknown
  readonly after?: unknown
}

/**
 * Returns what a client of the release before meets that its code does not expect. The library follows references, matches what
 * belongs together and knows which way a schema is read; the rules below decide where the contract says more than JSON Schema
 * does, or the library less. A-VER-05
 */
export const breakingChanges = (
  before: Description,
  after: Description,
  decided: ReadonlyArray<DecidedChange> = []
): ReadonlyArray<BreakingChange> =>
  apiCompare(readable(before), readable(after))
    .diffs.flatMap((change: Change) => {
      const reason = reasonOf(change)
      return reason === undefined ? [] : [{ at: change.path.join(" "), reason }]
    })
    .filter(({ at }) => !decided.some((one) => at.startsWith(one.at)))

/**
 * Returns a description as the library reads it whole. It does not read webhooks: their bodies are shown to it as answers, which is
 * how a receiver reads them. Behind a reference to a response it takes the schema for one of a request, so responses stand in place.
 */
const readable = ({ components, openapi, paths, webhooks = {} }: Description): object => ({
  openapi,
  info: { title: "Carteiro", version: "1" },
  paths: {
    ...withResponsesInPlace(paths, components?.responses ?? {}),
    ...Object.fromEntries(
      Object.entries(webhooks).map(([type, { post }]) => [
        `/${type}`,
        { get: { responses: { 200: { description: "An event.", ...post.requestBody } } } }
      ])
    )
  },
  components
})

const withResponsesInPlace = (paths: Description["paths"], shared: Readonly<Record<string, object>>): object =>
  mapValues(paths, (item) =>
    mapValues(item, (operation) => ({
      ...operation,
      responses: mapValues(operation.responses, (response) =>
        response.$ref === undefined ? response : shared[response.$ref.split("/").at(-1) ?? ""]
      )
    }))
  )

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/** Returns why a change breaks clients; undefined for one that does not. */
const reasonOf = (change: Change): string | undefined => {
  const { action, path, type } = change
  // What operations refer to is compared where they refer to it.
  if (path[0] !== "paths") return undefined
  if (isTypeChange(change)) return typeReason(change)
  if (path.at(-1) === "operationId" && action === "replace") return "generated clients lose the name of the operation"
  if (path.at(-2) === "properties" && action === "remove") return "a member is gone"
  if (path.includes("x-required-scopes") && action !== "remove") return "a key needs another scope"
  if (type !== "breaking" || isGrowth(change)) return undefined
  return `${isAnswer(path) ? "an answer breaks its promise" : "a request is refused that was taken"} (${action})`
}

/** True for what the contract says may appear or go: new values, new variants of answers, and refusals. A-VER-05 */
const isGrowth = ({ action, path }: Change): boolean =>
  (isAnswer(path) && action === "add" && ["enum", "oneOf"].includes(String(path.at(-2)))) ||
  (path.at(-2) === "responses" && (Number(path.at(-1)) >= 400 || path.at(-1) === "default"))

const isAnswer = (path: Change["path"]): boolean => path[3] === "responses"

const isTypeChange = ({ action, path }: Change): boolean =>
  action === "replace" &&
  (path.at(-1) === "type" ? path.at(-2) !== "properties" : path.at(-2) === "type" && typeof path.at(-1) === "number")

/** A request may take more types than before, an answer fewer; the library takes any other type of an answer. */
const typeReason = ({ after, before, path }: Change): string | undefined => {
  const [was, is] = [[before].flat(), [after].flat()]
  const fits = isAnswer(path) ? is.every((type) => was.includes(type)) : was.every((type) => is.includes(type))
  return fits ? undefined : `the type is ${is.join(" or ")}, and was ${was.join(" or ")}`
}
