import { invalid } from "./Refusal.ts"

/** One condition of a search: a field, how it is compared, and with what. */
interface Condition {
  readonly isNegated: boolean
  readonly field: string
  readonly key: string | null
  readonly operator: string
  readonly value: string
}

/** An object that a search looks at, with the fields that it may name. */
export interface Searched {
  readonly metadata: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string | number | null>>
}

const condition =
  /^\s*(-)?([a-z_]+)(?:\[(?:"([^"]*)"|'([^']*)')\])?\s*(:|~|<=|>=|<|>)\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(-?\d+|null))\s*/

/** The most conditions of one search. */
const most = 10

/** Returns a test by the search language: `metadata['external_id']:'ctu_1' AND customer:'cus_1'`. */
export const searchOf = (query: string, names: ReadonlyArray<string>): ((item: Searched) => boolean) => {
  const conditions: Array<Condition> = []
  let joint: string | null = null
  for (let rest = query; rest.trim() !== ""; ) {
    const part = condition.exec(rest)
    if (part === null || conditions.length >= most) throw unreadable(query)
    const [whole, minus, field = "", doubleKey, singleKey, operator = "", double, single, plain] = part
    const key = doubleKey ?? singleKey ?? null
    if (!names.includes(field) && field !== "metadata") {
      throw invalid(`Field \`${field}\` is an unsupported search field for resource.`, "query")
    }
    if ((field === "metadata") !== (key !== null)) throw unreadable(query)
    const value = (double ?? single ?? plain ?? "").replace(/\\(.)/g, "$1")
    conditions.push({ isNegated: minus === "-", field, key, operator, value })
    rest = rest.slice(whole.length)
    const word = /^(AND|OR)\b/i.exec(rest)?.[1]?.toUpperCase() ?? "AND"
    if (joint !== null && rest !== "" && word !== joint) throw invalid("You cannot combine AND and OR.", "query")
    if (rest !== "") joint = word
    rest = rest.replace(/^(AND|OR)\b/i, "")
  }
  if (conditions.length === 0) throw unreadable(query)
  return (item) => {
    const holds = (one: Condition) => isMet(one, item) !== one.isNegated
    return joint === "OR" ? conditions.some(holds) : conditions.every(holds)
  }
}

const isMet = ({ field, key, operator, value }: Condition, { fields, metadata }: Searched): boolean => {
  const own = key === null ? (fields[field] ?? null) : (metadata[key] ?? null)
  if (value === "null" && operator === ":") return own === null
  if (own === null) return false
  switch (operator) {
    case ":":
      return String(own) === value
    case "~":
      return String(own).includes(value)
    case ">":
      return Number(own) > Number(value)
    case ">=":
      return Number(own) >= Number(value)
    case "<":
      return Number(own) < Number(value)
    default:
      return Number(own) <= Number(value)
  }
}

const unreadable = (query: string) =>
  invalid(
    `We were unable to parse your search query: ${query}. Try using the format \`metadata["key"]:"value"\` to query ` +
      'for metadata or key:"value" to query for other fields.',
    "query"
  )
