import type { FlowEntry } from "@carteiro/schema/flows/Flow.ts"
import { Effect, Layer } from "effect"
import { html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { makeOperationList } from "../kit/OperationList.ts"
import { Operations } from "../kit/Operations.ts"
import { instant, none, personText, type Table, table } from "../kit/Parts.ts"
import { flowBadge } from "./FlowParts.ts"

const address = "/dashboard/flows"

/** Flows of an environment with where they stand. */
export const FlowsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const flows = (yield* makeOperationList)("flows.list", operations.flows.list)
    const { routes } = yield* environmentList({
      operation: "flows",
      path: address,
      title: "Flows",
      section: "flows",
      api: "flows.list",
      follows: "time",
      filters: {},
      read: (environment, _, before, count, visit) => flows(visit, environment, before, count, {}),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => flowTable(id, rows, nothing),
      file: membersOf(
        (flow: FlowEntry) => flow,
        "id",
        "name",
        "status",
        "provider_flow_id",
        "rejection_reason",
        "created_at",
        "updated_at",
        "published_at"
      ),
      empty: () => ({
        purpose: say(
          "A flow is a form of several screens that a message opens in the chat; its answers come back as an event."
        ),
        operation: "flows.create"
      })
    })
    return routes
  })
)

const flowTable = (environmentId: string, flows: ReadonlyArray<FlowEntry>, nothing: Piece): Table =>
  table(
    "Flows, newest first",
    ["Flow", "Status", "Categories", "Created", "Changed", "Published"],
    flows.map((flow) => [
      personText(html`<a href="${address}/${environmentId}/${flow.id}">${flow.name}</a>`),
      flowBadge(flow.status),
      flow.categories.length === 0 ? none("none") : flow.categories.join(", "),
      instant(flow.created_at),
      instant(flow.updated_at),
      instant(flow.published_at)
    ]),
    nothing
  )
