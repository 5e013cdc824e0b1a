import { type Batch, BatchStatus } from "@carteiro/schema/batches/Batch.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer, Schema } from "effect"
import { BatchDirectory } from "../../batches/Batches.ts"
import { type Chosen, chosenEnvironment, environmentField } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { addressOf, askedWord, choicesOf, cutPage, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { given, instant, pager, select, table } from "../kit/Parts.ts"
import { batchBadge, isMoving, progressOf } from "./BatchParts.ts"

const address = "/dashboard/batches"
/** Seconds between two looks at a list with something under way. */
const again = 5

/** Batches of an environment and how far they have come. M-BAT-08, M-BAT-09 */
export const BatchesHttp = Layer.unwrap(
  Effect.gen(function* () {
    const batches = yield* BatchDirectory

    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const { request } = visit
      const status = askedWord(request, "status", Schema.is(BatchStatus))
      const before = asked(request, "before")
      const rows =
        environment === undefined ? [] : yield* batches.list(environment.id, { status, before }, pageRows + 1)
      const { last, shown } = cutPage(rows)
      const here = { environment: environment?.id, status }
      return {
        title: "Batches",
        section: "batches",
        environment: environment?.id,
        again: shown.some((batch) => isMoving(batch, visit.now)) ? again : undefined,
        body: html`${searchForm(chosen, status)}
${batchTable(
  environment?.id ?? "",
  shown,
  status === undefined
    ? html`There is no batch yet. Send one with <code>POST /v1/batches</code>.`
    : "No batch is like this."
)}
${pager("batches", before && addressOf(address, here), last && addressOf(address, { ...here, before: last.id }))}`
      }
    })

    return page({ operation: "batches", path: address, handler: list })
  })
)

const searchForm = (chosen: Chosen, status: BatchStatus | undefined): Html =>
  html`<form method="get" action="${address}" class="search" role="search">
${environmentField(chosen)}
${select({ name: "status", label: "Status", choices: choicesOf(BatchStatus.literals), chosen: status ?? "" })}
<button>Show</button>
</form>`

const batchTable = (environmentId: string, batches: ReadonlyArray<Batch>, nothing: Piece): Html =>
  table(
    "Batches, newest first",
    ["Batch", "Status", "Progress", "Sent", "Read", "Failed", "Created"],
    batches.map((batch) => [
      given(html`<a href="${address}/${environmentId}/${batch.id}">${batch.name ?? batch.template.name}</a>`),
      batchBadge(batch.status),
      progressOf(batch),
      batch.sent_count,
      batch.read_count,
      batch.failed_count,
      instant(batch.created_at)
    ]),
    nothing
  )
