import { Ids } from "@carteiro/owners/Ids.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { makeOwnerQueues, type OwnerQueue, type QueueKind } from "@carteiro/owners/Queue.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Random } from "effect"
import { Outbox } from "../../outbox/Outbox.ts"
import type { TemplateState } from "../template/TemplateState.ts"
import { savedSync, savedTemplate } from "../template/TemplateWrites.ts"
import { makeProviderCalls } from "./ProviderCalls.ts"
import { brokenReview, type EndedReview, type ReviewResult, type ReviewRow, ReviewRows } from "./ReviewRows.ts"
import { afterSubmission, pauseAfter } from "./Submission.ts"
import { afterListing, syncAgainMs, syncEveryMs } from "./Synchronization.ts"
import { movedRows } from "./TemplateMoves.ts"
import type { TemplatesMemory } from "./TemplatesMemory.ts"

/** The state of the owner of an environment's templates. */
export interface OwnedTemplates {
  readonly memory: TemplatesMemory
  readonly queue: OwnerQueue<OwnedTemplates, undefined, ReviewRow, ReviewResult>
}

type ReviewKind = QueueKind<OwnedTemplates, undefined, ReviewRow, ReviewResult>

interface ReviewContext {
  readonly outbox: Outbox["Service"]
  readonly ids: Ids["Service"]
  readonly random: Random.Random
}

/** The attempts after which a removal without an answer is given up; they take about a day. */
const removalAttempts = 150

/**
 * The queue of an environment's template calls to the provider: submissions, removals, and its list. An attempt is
 * counted before it is sent, so that one without an answer is looked up before it is repeated. gaps-2 G
 */
const reviewKind = Effect.gen(function* () {
  const calls = yield* makeProviderCalls
  const context: ReviewContext = { outbox: yield* Outbox, ids: yield* Ids, random: yield* Random.Random }
  const kind: ReviewKind = {
    ahead: 0,
    writeAtOnce: 64,
    retryMs: 250,
    drainMs: 2000,
    callMs: 120_000,
    makeRows: () => new ReviewRows(),
    terms: () => undefined,
    destination: () => "provider templates",
    read: ({ memory }, owner) => Effect.sync(() => dueRows(memory, owner.now())),
    reserve: (rows, { memory }, owner) => reserve(rows, memory, owner),
    call: (row, _state, owner) => {
      switch (row.kind) {
        case "submission":
          return Effect.map(calls.submit(row.template), (result) => ({ kind: row.kind, result }))
        case "removal":
          return Effect.map(calls.remove(row.template), (result) => ({ kind: row.kind, result }))
        case "listing":
          return Effect.map(calls.list(owner.id), (result) => ({ kind: row.kind, result }))
      }
    },
    broken: brokenReview,
    end: (batch, { memory }, owner) =>
      Effect.suspend(() => {
        const rows = batch.flatMap((ended) => endedRows(ended, memory, owner, context))
        if (rows.length === 0) return Effect.succeed(true)
        return Effect.map(owner.commit([{ rows }]), ({ statuses }) => statuses[0] === "committed")
      })
  }
  return kind
})

/** Makes the queue of an environment's templates, for their owner. */
export const makeReviewQueues = Effect.flatMap(reviewKind, makeOwnerQueues)

const dueRows = (memory: TemplatesMemory, now: number) => {
  const rows: Array<ReviewRow> = memory
    .due(now)
    .filter(({ environment }) => environment === "production")
    .map((template) => ({
      id: template.id,
      bytes: 0,
      kind: template.deleted_at === null ? "submission" : "removal",
      template
    }))
  if (memory.syncDueAt !== undefined && memory.syncDueAt <= now) rows.push({ id: "listing", bytes: 0, kind: "listing" })
  return { rows, next: memory.nextDue(now) }
}

const reserve = (rows: ReadonlyArray<ReviewRow>, memory: TemplatesMemory, owner: OwnerHandle) =>
  Effect.suspend(() => {
    const counted = rows.map((row): ReviewRow => {
      if (row.kind === "listing") return row
      const template = { ...row.template, attempts: row.template.attempts + 1 }
      memory.put(template)
      return { ...row, template }
    })
    const written = counted.flatMap((row) => (row.kind === "listing" ? [] : savedTemplate(row.template, [])))
    if (written.length === 0) return Effect.succeed(counted)
    return Effect.map(owner.commit([{ rows: written }]), ({ statuses }) => (statuses[0] === "committed" ? counted : []))
  })

/** Decides on ended calls and returns their rows; it does not yield in between. */
const endedRows = (
  { result: ended, row, since }: EndedReview,
  memory: TemplatesMemory,
  owner: OwnerHandle,
  context: ReviewContext
): ReadonlyArray<Row> => {
  const now = owner.now()
  if (ended.kind === "listing") return listedRows(ended.result, since, memory, owner, context)
  const template = memory.known(row.id)
  if (template === undefined) return []
  if (ended.kind === "removal" || template.deleted_at !== null)
    return removedRows(template, ended, memory, owner, context)
  const moved = afterSubmission(template, ended.result, { now, draw: context.random.nextDoubleUnsafe() })
  memory.put(moved.template)
  const rows = movedRows(context.outbox, template, moved, { at: now, trace_id: template.trace_id })
  if (ended.result._tag !== "Done" || memory.syncDueAt !== undefined) return rows
  return [...rows, ...nextSync(memory, owner, syncEveryMs)]
}

/** Returns the rows that remove a template that was deleted during its submission, once the provider has it. */
const removedRows = (
  template: TemplateState,
  ended: Exclude<ReviewResult, { readonly kind: "listing" }>,
  memory: TemplatesMemory,
  owner: OwnerHandle,
  context: ReviewContext
): ReadonlyArray<Row> => {
  const now = owner.now()
  const next =
    ended.kind === "submission" && ended.result._tag === "Done"
      ? { ...template, provider_template_id: ended.result.value.provider_template_id, due_at: now, attempts: 0 }
      : ended.result._tag === "Failed" && template.attempts < removalAttempts
        ? { ...template, due_at: now + pauseAfter(template.attempts, context.random.nextDoubleUnsafe()) }
        : { ...template, due_at: null }
  memory.put(next)
  return savedTemplate(next, [])
}

const listedRows = (
  result: Extract<ReviewResult, { readonly kind: "listing" }>["result"],
  since: number,
  memory: TemplatesMemory,
  owner: OwnerHandle,
  { ids, outbox }: ReviewContext
): ReadonlyArray<Row> => {
  const now = owner.now()
  if (result._tag !== "Done") return nextSync(memory, owner, syncAgainMs)
  const trace_id = ids.traceId()
  const rows = memory.living.flatMap((template) => {
    const moved = afterListing(template, result.value, { since, now })
    if (moved === undefined) return []
    memory.put(moved.template)
    return movedRows(outbox, template, moved, { at: now, trace_id })
  })
  return [...rows, ...nextSync(memory, owner, syncEveryMs)]
}

/** Returns the row of the next comparison with the provider, that long from now. */
export const nextSync = (memory: TemplatesMemory, owner: OwnerHandle, afterMs: number): ReadonlyArray<Row> => {
  memory.syncDueAt = owner.now() + afterMs
  owner.dueAt(memory.syncDueAt)
  return [savedSync(owner.id, memory.syncDueAt)]
}
