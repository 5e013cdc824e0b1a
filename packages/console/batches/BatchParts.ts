import type { Batch, BatchCommand, BatchStatus } from "@carteiro/schema/batches/Batch.ts"
import type { BatchWait, FailureReason } from "@carteiro/schema/batches/BatchLookupsApi.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, type Saying, say, statusWord } from "../kit/Language.ts"
import { countOf } from "../kit/Numbers.ts"
import { badge, bar, exactMoment, moment, none, notice, personText, type Tone, table } from "../kit/Parts.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { type Step, timeline } from "../kit/Story.ts"
import type { Change } from "../story/Stories.ts"

const tones: Readonly<Record<BatchStatus, Tone>> = {
  scheduled: "plain",
  queued: "info",
  processing: "info",
  paused: "warn",
  completed: "good",
  cancelled: "warn",
  failed: "bad"
}

/** Where a batch stands. */
export const batchBadge = (status: BatchStatus): Html => badge(statusWord("batch", status), tones[status])

/** How long after its last change a completed batch is still looked at, in milliseconds: customers read what came. */
const settlesMs = 60_000

/** Whether it goes on by itself, or what it sent is likely to be delivered and read just now. */
export const isMoving = ({ status, updated_at }: Batch, now: number): boolean =>
  status === "scheduled" ||
  status === "queued" ||
  status === "processing" ||
  (status === "completed" && now - (parseTimestamp(updated_at) ?? 0) < settlesMs)

/** Recipients a message was made for; all of them once nothing is left to do. */
const reached = ({ enqueued_count, recipient_count, status }: Batch): number =>
  status === "completed" ? recipient_count : Math.min(recipient_count, enqueued_count)

/** How far it has come, as a bar and in words. */
export const progressOf = (batch: Batch): Html => {
  const value = reached(batch)
  const name = html`Progress of ${batch.name ?? batch.id}`
  return html`${bar({ value, most: batch.recipient_count, name })}
<span class="muted">${countOf(value)} of ${countOf(batch.recipient_count)}</span>`
}

/** Failures by code, and among how many recipients they were counted. */
interface CountedFailures {
  readonly data: ReadonlyArray<FailureReason>
  readonly counted_recipients: number
}

/**
 * Returns whom a batch left out or failed for, by code and guard, with the address of its failures; nothing while it failed
 * for nobody.
 */
export const reasonsOf = (
  batch: Batch,
  { counted_recipients, data: reasons }: CountedFailures,
  failures: string
): Html | undefined =>
  reasons.length === 0
    ? undefined
    : html`<section aria-labelledby="reasons"><h2 id="reasons">Failures by code</h2>${table(
        "Failures by code, the most frequent first",
        ["Error", "Guard", "Recipients", "Allowed again"],
        reasons.map(({ count, error_code, guard_reason, next_allowed_at }) => [
          html`<code>${error_code ?? say("unknown")}</code>`,
          guard_reason === null ? none("none") : contractWord(guard_reason),
          count,
          moment(next_allowed_at, "not told")
        ]),
        undefined
      )}
<p>${batch.recipient_count > counted_recipients && html`Counted among the first ${countOf(counted_recipients)} recipients. `}<a href="${failures}">Who they are</a></p></section>`

/** Returns what happened to a batch with the causes: who began it, who stopped it, and how it ended. */
export const timelineOf = (batch: Batch, request: Html | undefined, changes: ReadonlyArray<Change>): Html => {
  const skipped = batch.recipient_guard_skipped_count
  const creator = changes.find(({ action }) => action === "batch.created")?.by
  const last: Step = {
    what: statusWord("batch", batch.status),
    tone: tones[batch.status],
    at: batch.updated_at,
    cause:
      batch.failure !== null
        ? personText(html`<code>${batch.failure.code}</code> ${refusalText(batch.failure)}`)
        : html`${countOf(batch.sent_count)} sent, ${countOf(batch.failed_count)} failed${skipped > 0 && html`, ${countOf(skipped)} of them held back by guards`}`
  }
  return timeline([
    {
      what: say("Accepted"),
      at: batch.created_at,
      cause: creator ?? request
    },
    ...(batch.scheduled_at === null
      ? []
      : [{ what: say("Starts"), at: batch.scheduled_at, cause: say("It was scheduled.") }]),
    ...changes.flatMap(({ after, by, created_at }) => {
      const command = after?.command
      return isCommand(command) ? [{ what: say(commanded[command]), at: created_at, cause: by }] : []
    }),
    last
  ])
}

const commanded = { pause: "Paused", resume: "Resumed", cancel: "Cancelled" } as const satisfies Readonly<
  Record<BatchCommand, Saying>
>

const isCommand = (text: string | undefined): text is BatchCommand =>
  text !== undefined && Object.hasOwn(commanded, text)

/** Says what a batch waits for, until when, and what can be done about it. */
export const waitNotice = (
  { reason, recipient_count: count, until }: BatchWait,
  number: Html,
  mayChange: boolean
): Html => waitNotices[reason](until, count ?? 0, number, mayChange)

type WaitText = (until: string | null, count: number, number: Html, mayChange: boolean) => Html

const waitNotices: Readonly<Record<BatchWait["reason"], WaitText>> = {
  start: (until) =>
    notice("info", html`It waits for its start: ${exactMoment(until)}. It can be paused or cancelled until then.`),
  resume: (_until, _count, _number, mayChange) =>
    notice(
      "warn",
      mayChange
        ? html`It is paused: nothing leaves until somebody presses “Resume”.`
        : html`It is paused: nothing leaves until an owner or admin resumes it.`
    ),
  daily_allowance: (until, count, number) =>
    notice(
      "warn",
      html`${count === 1 ? html`1 message waits` : html`${countOf(count)} messages wait`} for the daily allowance of ${number}: the platform lets a number write first to so many customers in 24 hours. ${until !== null && html`The next try is ${exactMoment(until)}. `}They leave by themselves as places come free, and the allowance grows while customers rate the number well. Nothing is lost; who cannot wait pauses or cancels the batch.`
    ),
  guards: (until, count) =>
    notice(
      "warn",
      html`${count === 1 ? html`1 recipient waits` : html`${countOf(count)} recipients wait`}: how often they were written to could not be checked yet. ${until !== null && html`The next try is ${exactMoment(until)}. `}After 15 minutes without an answer they fail. There is nothing to do.`
    )
}
