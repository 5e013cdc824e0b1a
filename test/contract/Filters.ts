import { type DescribedOperation, operations } from "./Described.ts"
import { nodesOf, type PlanNode } from "./Planned.ts"

/** An item of a list as its response shows it. */
type Item = Readonly<Record<string, unknown>>

/** A query of one filter, or of two. */
type Query = Readonly<Record<string, string>>

/** Parameters that page a list, say what its items show, or how long to wait for one. */
const paging = new Set(["starting_after", "after", "cursor", "limit", "include", "wait_ms", "listen_session_id"])

/** Values that no row has, where another text would be refused. An endpoint that does not exist always is. */
const strangers: Query = {
  created_after: "2099-01-01T00:00:00Z",
  created_before: "2001-01-01T00:00:00Z",
  recipient: "+5511999990000",
  phone: "+5511999990000",
  user_id: "BR.1",
  status: "499",
  event_type: "payment.paid",
  event_types: "payment.paid"
}

/** Values that rows have, where the item has no member of the filter's name. */
const ownValues: Readonly<Record<string, (item: Item) => unknown>> = {
  created_after: () => "2001-01-01T00:00:00Z",
  created_before: () => "2099-01-01T00:00:00Z",
  event_types: ({ event_type }) => event_type,
  recipient: ({ sender }) => (sender as Item).id,
  request_id: ({ id }) => id,
  sender_id: ({ recipient }) => (recipient as Item).id,
  source_type: ({ source }) => (source as Item | null)?.type
}

/** The filters of an operation with the values to ask for: each of a closed list, or one that rows have and one that none has. */
const valuesOf = (operation: DescribedOperation, item: Item): ReadonlyArray<readonly [string, ReadonlyArray<string>]> =>
  operation.parameters
    .filter((parameter) => parameter.in === "query" && !paging.has(parameter.name))
    .map(({ name, schema }) => {
      const own = ownValues[name]?.(item) ?? item[name]
      const first = typeof own === "string" || typeof own === "number" ? [String(own)] : []
      const rest = schema.enum?.map(String) ?? (name === "webhook_endpoint_id" ? [] : [strangers[name] ?? "none"])
      return [name, [...new Set([...first, ...rest])]] as const
    })

/** Returns every filter of a list with each of its values, and every pair of filters of which one matches and one does not. */
export const queriesOf = (operationId: string, item: Item): ReadonlyArray<Query> => {
  const operation = operations.find((one) => one.operationId === operationId)
  const filters = operation === undefined ? [] : valuesOf(operation, item)
  const single = filters.flatMap(([name, values]) => values.map((value) => ({ [name]: value })))
  const pairs = filters.flatMap(([one, [own]]) =>
    filters.flatMap(([other, values]) => {
      const foreign = values.at(-1)
      return one === other || own === undefined || foreign === undefined ? [] : [{ [one]: own, [other]: foreign }]
    })
  )
  return [...single, ...pairs]
}

/** Returns the most rows of a table that one node of a plan that ran has read. */
export const mostRead = (plan: PlanNode): number =>
  Math.max(
    0,
    ...nodesOf(plan).map((node) => {
      const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)
      return node["Relation Name"] === undefined && node["Index Name"] === undefined
        ? 0
        : ((node["Actual Rows"] ?? 0) + removed) * (node["Actual Loops"] ?? 1)
    })
  )
