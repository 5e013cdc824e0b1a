import { reply, replyInTurns } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { BatchNotFound } from "@carteiro/schema/batches/BatchErrors.ts"
import { BatchLookupsApi } from "@carteiro/schema/batches/BatchLookupsApi.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { Clock, Effect } from "effect"
import { BatchPlans } from "./accept/BatchPlans.ts"
import { AudienceRepo } from "./audience/AudienceRepo.ts"
import { type BatchRow, readBatch, readFailure, readRecipient } from "./batch/BatchRead.ts"
import { BatchRepo } from "./batch/BatchRepo.ts"
import { offeredCommands } from "./batch/BatchState.ts"
import { batchWait } from "./feed/BatchWait.ts"
import { FeedRepo } from "./feed/FeedRepo.ts"

/** Recipients among which failures are counted by code, so that one look stays short. */
const countedRecipients = 10_000

/** Operations of people about batches. Decision 0155 */
export const BatchLookupsHttp = Routes.group(
  BatchLookupsApi,
  Effect.gen(function* () {
    const plans = yield* BatchPlans
    const repo = yield* BatchRepo
    const audiences = yield* AudienceRepo
    const feed = yield* FeedRepo

    const find = Effect.fnUntraced(function* ({ caller, params }: BatchRequest) {
      const id = params.batch_id
      const batch = parseId("bat", id) ? yield* repo.find(caller.environment_id, id) : undefined
      return batch ?? (yield* new BatchNotFound())
    })

    const slice = Effect.fnUntraced(function* <Row extends { readonly position: number }, Item extends object>(
      request: SliceRequest,
      rows: (batch: BatchRow, after: number, count: number) => Effect.Effect<ReadonlyArray<Row>>,
      read: (row: Row, batch: BatchRow) => Item
    ) {
      const { after = "-1", limit } = request.query
      const row = yield* find(request)
      const found = yield* rows(row, Number(after), Number(limit))
      const batch = readBatch(row)
      return reply(request, 200, {
        object: "batch_slice",
        batch: { ...batch, offered_commands: offeredCommands(batch.status) },
        waits: batchWait(row, row.status === "processing" ? yield* feed.waiting(row) : undefined),
        data: found.map((one) => ({ ...read(one, row), position: one.position }))
      })
    })

    return Routes.handlers(BatchLookupsApi, {
      recipients: (request) => slice(request, repo.recipients, readRecipient),
      failures: (request) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => slice(request, repo.failures, (row) => readFailure(row, now))),
      reasons: Effect.fnUntraced(function* (request) {
        const reasons = yield* repo.reasons(yield* find(request), countedRecipients)
        return reply(request, 200, {
          object: "list",
          data: reasons.map((one) => ({ ...one, next_allowed_at: formatTimestampOrNull(one.next_allowed_at) })),
          counted_recipients: countedRecipients
        })
      }),
      audiences: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const rows = yield* audiences.list(caller.environment_id, undefined, Number(query.limit))
        return reply({ traceId }, 200, { object: "list", data: rows.map(({ id, name }) => ({ id, name })) })
      }),
      plan: Effect.fnUntraced(function* (request) {
        const { faulty, held, ...plan } = yield* plans.plan(request, request.body)
        return yield* replyInTurns(request.caller.environment_id, request, 200, {
          object: "batch_plan",
          ...plan,
          faulty: faulty.map(({ error, index }) => ({ index, error: refusalOf(error) })),
          held: held.map(({ error, phone }) => ({ phone, error: refusalOf(error) }))
        })
      })
    })
  })
)

interface BatchRequest {
  readonly caller: { readonly environment_id: string }
  readonly params: { readonly batch_id: string }
}

interface SliceRequest extends BatchRequest {
  readonly query: { readonly limit: string; readonly after?: string }
  readonly traceId: string
}

const refusalOf = ({ _tag, details, message, param }: ApiError) => ({
  code: _tag,
  message,
  param: param ?? null,
  guard_reason: typeof details?.guard_reason === "string" ? details.guard_reason : null
})
