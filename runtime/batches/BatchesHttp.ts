import { Cursors, idPage, listPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { rawReply, reply, withWarning } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import type { Claim } from "@carteiro/owners/Idempotency.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { inTurns } from "@carteiro/owners/Slices.ts"
import { type BatchCommand, BatchesApi } from "@carteiro/schema/batches/Batch.ts"
import { BatchNotFound } from "@carteiro/schema/batches/BatchErrors.ts"
import { InvalidCursor } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Clock, Effect } from "effect"
import { DataRetention } from "../contacts/Contacts.ts"
import { readPhone, readScenario, recipientWarning } from "../messages/Messages.ts"
import { BatchAcceptance } from "./accept/BatchAcceptance.ts"
import { checkBatchForCaller, checkRecipients, firstWarning } from "./accept/BatchValidation.ts"
import { type BatchRow, readBatch, readFailure, readRecipient } from "./batch/BatchRead.ts"
import { BatchRepo } from "./batch/BatchRepo.ts"
import { failuresAsCsv } from "./batch/FailureExport.ts"
import { BatchCommands } from "./owner/BatchCommands.ts"

/** The routes of batches. M-BAT-01, M-BAT-02, gaps-2 H */
export const BatchesHttp = Routes.group(
  BatchesApi,
  Effect.gen(function* () {
    const acceptance = yield* BatchAcceptance
    const commands = yield* BatchCommands
    const repo = yield* BatchRepo
    const cursors = yield* Cursors
    const retention = yield* DataRetention

    const found = Effect.fnUntraced(function* (environmentId: string, id: string) {
      const row = parseId("bat", id) ? yield* repo.find(environmentId, id) : undefined
      return row ?? (yield* new BatchNotFound())
    })

    /** A page of what stands in a batch by its position. */
    const positioned = Effect.fnUntraced(function* <Row extends { readonly position: number }, Item extends object>(
      request: PositionedRequest,
      rows: (batch: BatchRow, after: number, count: number) => Effect.Effect<ReadonlyArray<Row>>,
      read: (row: Row, batch: BatchRow) => Item
    ) {
      const { caller, operation, params, query } = request
      const { limit, starting_after } = query
      const scope = caller.environment_id
      const [batchId = params.batch_id, after = "-1"] =
        starting_after === undefined ? [] : yield* cursors.decode(operation, scope, starting_after)
      const batch = yield* found(scope, params.batch_id)
      if (batchId !== batch.id) return yield* new InvalidCursor({ param: "starting_after" })
      const size = pageSize(limit)
      const page = yield* listPage(
        scope,
        yield* rows(batch, Number(after), size + 1),
        size,
        (row) => read(row, batch),
        (last) => cursors.encode(operation, scope, [batch.id, String(last.position)])
      )
      return pageReply(request, page)
    })

    const command = (asked: BatchCommand) => (request: CommandRequest) => {
      const item = { environment_id: request.caller.environment_id, claim: request.claim }
      return Effect.map(commands.run(asked, request.params.batch_id, item), (text) => rawReply(200, text))
    }

    return Routes.handlers(BatchesApi, {
      create: Routes.checked(
        checkRecipients(readPhone),
        Effect.fnUntraced(function* (request, customers) {
          const { answer, id } = yield* acceptance.accept(request, request.body, customers)
          commands.wake(id)
          const warning = yield* inTurns(request.caller.environment_id, firstWarning(recipientWarning, customers ?? []))
          return withWarning(answer, warning)
        })
      ),
      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const scope = caller.environment_id
        const asked = { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) }
        const rows = (after: string | undefined, count: number) => repo.list(scope, query.status, after, count)
        return pageReply(request, yield* idPage(asked, rows, (row) => readBatch(row)))
      }),
      get: (request) =>
        Effect.map(found(request.caller.environment_id, request.params.batch_id), (row) =>
          reply(request, 200, readBatch(row))
        ),
      pause: command("pause"),
      resume: command("resume"),
      cancel: command("cancel"),
      recipients: (request) => positioned(request, repo.recipients, readRecipient),
      failures: (request) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          positioned(request, repo.failures, (row) => readFailure(row, now))
        ),
      exportFailures: Effect.fnUntraced(function* (request) {
        const { environment_id } = request.caller
        const batch = yield* found(environment_id, request.params.batch_id)
        yield* retention.allowExport(environment_id)
        return yield* failuresAsCsv(batch, repo, request.now)
      })
    })
  }),
  { callerChecks: { create: checkBatchForCaller(readScenario) } }
)

interface CommandRequest {
  readonly params: { readonly batch_id: string }
  readonly caller: { readonly environment_id: string }
  readonly claim?: Claim
}

interface PositionedRequest extends CommandRequest {
  readonly operation: string
  readonly traceId: string
  readonly query: { readonly limit?: string; readonly starting_after?: string }
}
