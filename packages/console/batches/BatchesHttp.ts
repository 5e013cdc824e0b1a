import { type Batch, BatchStatus } from "@carteiro/schema/batches/Batch.ts"
import { Effect, Layer } from "effect"
import { wordFilter } from "../kit/Filters.ts"
import { html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { makeOperationList, narrowedBy } from "../kit/OperationList.ts"
import { Operations } from "../kit/Operations.ts"
import { instant, personText, type Table, table } from "../kit/Parts.ts"
import { batchBadge, isMoving, progressOf } from "./BatchParts.ts"

const address = "/dashboard/batches"
/** Seconds between two looks at a list with something under way. */
const again = 5

/** Batches of an environment and how far they have come. */
export const BatchesHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const batches = (yield* makeOperationList)("batches.list", operations.batches.list)
    const { routes } = yield* environmentList({
      operation: "batches",
      path: address,
      title: "Batches",
      section: "batches",
      api: "batches.list",
      follows: "events",
      filters: { status: wordFilter("Status", BatchStatus.literals, { thing: "batch" }) },
      read: (environment, search, before, count, visit) =>
        batches(visit, environment, before, count, narrowedBy(search)),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => batchTable(id, rows, nothing),
      file: {
        ...membersOf((batch: Batch) => batch, "id", "name", "status"),
        template: ({ template }) => template.name,
        ...membersOf((batch: Batch) => batch, "sent_count", "read_count", "failed_count", "created_at")
      },
      begin: ({ id }, { mayChange }) => ({
        button: mayChange ? [`${address}/${id}/new`, "Start a batch"] : undefined
      }),
      empty: () => ({
        purpose: say("A batch sends one approved template to many customers, at the pace that the number allows."),
        operation: "batches.create"
      }),
      around: (_, visit, rows) =>
        Effect.succeed(rows.some((batch) => isMoving(batch, visit.now)) ? { page: { again } } : {})
    })
    return routes
  })
)

const batchTable = (environmentId: string, batches: ReadonlyArray<Batch>, nothing: Piece): Table =>
  table(
    "Batches, newest first",
    ["Batch", "Status", "Progress", "Sent", "Read", "Failed", "Created"],
    batches.map((batch) => [
      personText(html`<a href="${address}/${environmentId}/${batch.id}">${batch.name ?? batch.template.name}</a>`),
      batchBadge(batch.status),
      progressOf(batch),
      batch.sent_count,
      batch.read_count,
      batch.failed_count,
      instant(batch.created_at)
    ]),
    nothing
  )
