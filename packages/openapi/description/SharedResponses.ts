import type { Json } from "./Json.ts"

/** A response with the operation that has it first, and the number of operations that have it. */
interface ResponseUse {
  readonly response: Json
  readonly operationId: string
  readonly status: string
  count: number
}

/**
 * Returns the description with each response that several operations have in common written once, in `components`, and a
 * reference wherever it stood. What an operation answers is unchanged.
 */
export const withSharedResponses = (description: Json): Json => {
  const paths = description.paths as Paths
  const components = description.components as Json
  const own = components.responses as Responses
  const uses = usesIn(paths)
  const names = namesOf(uses, new Set(Object.keys(own)))
  const shared = [...names].map(([text, name]) => [name, uses.get(text)?.response])
  return {
    ...description,
    paths: mapValues(paths, (item) =>
      mapValues(item, (operation) => ({ ...operation, responses: referred(operation.responses as Responses, names) }))
    ),
    components: { ...components, responses: { ...own, ...Object.fromEntries(shared) } }
  }
}

type Responses = Readonly<Record<string, Json>>
type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/** Returns the responses of all operations by their text; those that refer to a component already are left out. */
const usesIn = (paths: Paths): ReadonlyMap<string, ResponseUse> => {
  const uses = new Map<string, ResponseUse>()
  for (const { operationId, responses } of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const [status, response] of Object.entries(responses as Responses)) {
      if ("$ref" in response) continue
      const text = JSON.stringify(response)
      const use = uses.get(text) ?? { response, operationId: String(operationId), status, count: 0 }
      use.count += 1
      uses.set(text, use)
    }
  }
  return uses
}

/** Returns a name for the text of each response that occurs more than once. */
const namesOf = (uses: ReadonlyMap<string, ResponseUse>, taken: Set<string>): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const [text, use] of uses) {
    if (use.count === 1) continue
    const name = nameOf(use)
    const free = [name, `${name}_${use.status}`].find((one) => !taken.has(one)) ?? `${name}_${use.operationId}`
    taken.add(free)
    names.set(text, free)
  }
  return names
}

/** Returns the codes of a refusal; a success is named after the operation that has it first. */
const nameOf = ({ operationId, response, status }: ResponseUse): string => {
  const codes = response["x-known-codes"] as ReadonlyArray<string> | undefined
  if (codes === undefined) return `${operationId}.${status}`
  const more = codes.length - namedCodes
  return codes.slice(0, namedCodes).join("_or_") + (more > 0 ? `_or_${more}_more` : "")
}

/** The most codes in the name of a response. */
const namedCodes = 3

const referred = (responses: Responses, names: ReadonlyMap<string, string>): Responses =>
  mapValues(responses, (response) => {
    const name = names.get(JSON.stringify(response))
    return name === undefined ? response : { $ref: `#/components/responses/${name}` }
  })
