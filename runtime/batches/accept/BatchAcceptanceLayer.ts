import { reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { inTurns } from "@carteiro/owners/Slices.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect, Layer } from "effect"
import { checkTemplateParameters, templateNeeds } from "../../templates/Templates.ts"
import { type BatchRow, readBatch } from "../batch/BatchRead.ts"
import { publishBatch } from "../batch/BatchWrites.ts"
import { BatchAcceptance } from "./BatchAcceptance.ts"
import { checkBatchParameters } from "./BatchParameters.ts"
import { batchSources } from "./BatchSources.ts"
import type { StagedRecipient } from "./BatchStaging.ts"
import { newBatch } from "./NewBatch.ts"
import { type StageKey, StageRepo } from "./StageRepo.ts"

/** Recipients one statement stages. */
const stagedAtOnce = 500

/** Stages recipients 500 a statement, then commits the batch. M-BAT-12..22 */
export const batchAcceptanceLayer = Layer.effect(
  BatchAcceptance,
  Effect.gen(function* () {
    const stages = yield* StageRepo
    const sources = yield* batchSources
    const commit = yield* Commit
    const ids = yield* Ids

    const stage = Effect.fnUntraced(function* (key: StageKey, recipients: ReadonlyArray<StagedRecipient>) {
      for (let from = 0; from < recipients.length; from += stagedAtOnce) {
        yield* stages.add(key, recipients.slice(from, from + stagedAtOnce))
      }
    })

    return BatchAcceptance.of({
      accept: Effect.fn("BatchAcceptance.accept")(function* (call, body, customers) {
        const { caller, claim, now } = call
        const { environment_id } = caller
        const template = yield* sources.template(call, body)
        const addressees = yield* sources.addressees(environment_id, body, customers)
        const refusal = yield* inTurns(
          environment_id,
          checkBatchParameters(checkTemplateParameters, templateNeeds(template), body)
        )
        if (refusal !== undefined) return yield* refusal
        const id = ids.mint("bat", now)
        const batch = newBatch(call, id, body, template, addressees)
        const answer = reply(call, 202, readBatch(batch, yield* sources.estimate(batch, addressees, now)))
        const key = { environment_id, batch_id: id }
        // Somebody else's stage is not ours to abandon.
        if (!(yield* stages.open(key, now))) return yield* new ServiceUnavailable({ retry_after_ms: 1000 })
        const published = stage(key, addressees._tag === "Staged" ? addressees.recipients : []).pipe(
          Effect.andThen(commit.write([publishedRow(batch)], { claim, response: answer })),
          Effect.filterOrFail(
            (written) => written(publishBatch.name).has(id),
            () => new ServiceUnavailable({ retry_after_ms: 1000 })
          )
        )
        yield* Effect.onError(published, () => stages.abandon(key))
        return { id, answer }
      })
    })
  })
)

/** Returns the write that publishes a batch whose recipients are staged. */
const publishedRow = (batch: BatchRow) =>
  publishBatch.row({
    environment_id: batch.environment_id,
    id: batch.id,
    environment: batch.environment,
    name: batch.name,
    status: batch.status,
    channel: "chatapp",
    business_id: batch.business_id,
    template_name: batch.template_name,
    template_language: batch.template_language,
    template_id: batch.template_id,
    template_version_id: batch.template_version_id,
    template_version: batch.template_version,
    header_media: batch.header_media,
    filter: batch.filter,
    recipient_count: batch.recipient_count,
    metadata: batch.metadata,
    scheduled_at: batch.scheduled_at,
    trace_id: batch.trace_id,
    due_at: batch.due_at,
    created_at: batch.created_at
  })
