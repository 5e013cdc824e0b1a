import { Api } from "@carteiro/schema/Api.ts"
import { operationsOf } from "../../packages/openapi/description/ContractOperation.ts"
import { operations } from "./Described.ts"

/** A query just outside of the contract. */
export interface BadQuery {
  readonly operationId: string
  readonly search: string
  readonly code: string
  readonly param: string
}

const cursorNames = ["starting_after", "after", "cursor"]
const validations = new Map(operationsOf(Api).map(({ operationId, traits }) => [operationId, traits.validation]))

/** Every list of the contract, with the code and the largest page that it declares. */
const lists = operations.flatMap(({ operationId, parameters }) => {
  const cursor = parameters.find(({ name }) => cursorNames.includes(name))
  const maximum = parameters.find(({ name }) => name === "limit")?.schema.maximum
  const code = validations.get(operationId)
  return cursor === undefined || maximum === undefined || code === undefined
    ? []
    : [[operationId, code, maximum, cursor.name] as const]
})

const pages = lists.flatMap(([operationId, code, maximum, cursor]) => [
  ...[
    "0",
    "-1",
    "1.0",
    "1e1",
    "",
    "%20",
    "abc",
    "NaN",
    "0x10",
    "9".repeat(400),
    "%00",
    "%C2%B2",
    String(maximum + 1)
  ].map((limit): BadQuery => ({ operationId, search: `limit=${limit}`, code, param: "limit" })),
  { operationId, search: "limit=1&limit=1", code, param: "limit" },
  { operationId, search: "limit=%ff", code, param: "limit" },
  { operationId, search: "limit[]=1", code, param: "limit[]" },
  { operationId, search: "surplus=1", code, param: "surplus" },
  { operationId, search: "%F0%9F%99%82=1", code, param: "🙂" },
  { operationId, search: "__proto__=1", code, param: "__proto__" },
  { operationId, search: "Limit=1", code, param: "Limit" },
  { operationId, search: "surplus=1&limit=0", code, param: "limit" },
  ...["", "x", "%00", "%F0%9F%99%82", "A".repeat(513), "AAAA"].map(
    (position): BadQuery => ({ operationId, search: `${cursor}=${position}`, code: "invalid_cursor", param: cursor })
  ),
  { operationId, search: `${cursor}=a&${cursor}=b`, code, param: cursor }
])

const each = (operationId: string, code: string, param: string, values: ReadonlyArray<string>) =>
  values.map((value): BadQuery => ({ operationId, search: `${param}=${value}`, code, param }))

const events = "invalid_webhook_events_query"
const messages = "invalid_messages_query"
const long = "x".repeat(101)

/** Queries one step outside of what the description allows, and what their refusal says. */
export const queries: ReadonlyArray<BadQuery> = [
  ...pages,
  ...each("webhooks.events.list", events, "event_type", ["", long, "%00"]),
  ...each("webhooks.events.list", events, "status", ["", "PENDING", "done"]),
  {
    operationId: "webhooks.events.list",
    search: `event_types=ok&event_types=${long}`,
    code: events,
    param: "event_types.1"
  },
  ...each("requestLogs.list", "invalid_request_logs_query", "status", ["", "9", "6xx", "4XX", "40"]),
  ...each("requestLogs.list", "invalid_request_logs_query", "method", ["", "get", "OPTIONS"]),
  ...["code", "trace_id"].flatMap((param) =>
    each("requestLogs.list", "invalid_request_logs_query", param, ["", long, "%00"])
  ),
  ...each("webhooks.events.listen", events, "wait_ms", ["-1", "25001", "1.5", "", "soon"]),
  ...each("webhooks.events.listen", events, "start_at", ["", "newest", "OLDEST"]),
  ...each("webhooks.events.listen", events, "event_type", ["", long]),
  ...each("webhooks.events.listen", events, "listen_session_id", ["wls_00000000000000000000000000"]),
  ...["created_after", "created_before"].flatMap((param) =>
    each("messages.list", messages, param, [
      "",
      "2026-01-01",
      "2026-01-01T00:00:00",
      "yesterday",
      "2026-13-01T00:00:00Z"
    ])
  ),
  ...each("messages.list", messages, "include", ["", "events"]),
  ...each("messages.list", messages, "channel", ["", "email"]),
  ...each("messages.list", messages, "direction", ["", "both"]),
  ...each("messages.list", messages, "status", ["", "lost"]),
  ...each("messages.list", messages, "type", ["", "fax"]),
  ...each("messages.list", messages, "recipient", ["", "123", "maria", "%00"])
]
