import { type Batch, BatchCommand, type BatchFailure, type BatchRecipient } from "@carteiro/schema/batches/Batch.ts"
import type { BatchWait } from "@carteiro/schema/batches/BatchLookupsApi.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { customerPiece, makeCustomerNames } from "../kit/CustomerNames.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { field, queryParameter, unconfirmed } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, type Saying, say, sentence, statusWord } from "../kit/Language.ts"
import { addressOf, cutPage, pageRows } from "../kit/Lists.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { numberLinker } from "../kit/NumberLinks.ts"
import { countOf, percentOf } from "../kit/Numbers.ts"
import { orNotHere, orNothing } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, form, instant, moment, none, notice, pager, personText, type Tone, table } from "../kit/Parts.ts"
import { phoneText } from "../kit/PhoneText.ts"
import { NotHere } from "../kit/Refusals.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { section, storyPage } from "../kit/Story.ts"
import { messageTones } from "../messages/MessageParts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { Stories, type StoryCall } from "../story/Stories.ts"
import { batchBadge, isMoving, progressOf, reasonsOf, timelineOf, waitNotice } from "./BatchParts.ts"

const address = "/dashboard/batches"
/** Seconds between two looks at a batch that goes on. */
const again = 2

/** One batch: how far it has come, whom it failed for and why, and every recipient. */
export const BatchHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const { batchLookups: lookups } = operations
    const stories = yield* Stories
    const numberLinks = numberLinker(operations)
    const namesOf = yield* makeCustomerNames

    const batchOf = (visit: Visit, environment: EnvironmentEntry, id: string) =>
      orNotHere(operations.batches.get(asVisitor(visit, environment), { params: { batch_id: id } }))

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "bat")
      const onlyFailed = queryParameter(visit.request, "show") === "failed"
      const still = queryParameter(visit.request, "still") !== undefined
      const after = positionOf(queryParameter(visit.request, "after"))
      const caller = asVisitor(visit, environment)
      const {
        batch,
        data: rows,
        waits
      } = yield* orNotHere<Slice>(
        lookups[onlyFailed ? "failures" : "recipients"](caller, {
          params: { batch_id: id },
          query: { limit: String(pageRows + 1), ...(after !== undefined && { after }) }
        })
      )
      const { last, shown } = cutPage(rows)
      const names = yield* namesOf(
        caller,
        shown.map(({ to }) => to)
      )
      const path = `${address}/${environment.id}/${id}`
      const here = { show: onlyFailed ? "failed" : undefined, still: still ? "1" : undefined }
      // A batch ends without an event, so its page looks by itself while it moves.
      const moves = isMoving(batch, visit.now)
      const reasons =
        batch.failed_count === 0 ? undefined : yield* orNothing(lookups.reasons(caller, { params: { batch_id: id } }))
      const made = yield* stories.request(visit, environment, batch.trace_id)
      const changes = yield* stories.changes(visit, id)
      const numberLink = yield* numberLinks(visit, environment)
      return {
        title: html`${calledOf(batch)}`,
        section: "batches",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Batches"],
        again: moves && !still ? again : undefined,
        follows: still ? undefined : "events",
        ...storyPage({
          headline: {
            state: batchBadge(batch.status),
            about: [
              templateOf(batch, environment.id),
              batch.recipient_count === 1 ? say("1 recipient") : html`${countOf(batch.recipient_count)} recipients`,
              numberLink(batch.sender.id)
            ],
            next: visit.mayChange && commandForms(path, visit.csrf, batch.offered_commands)
          },
          warnings: troubleOf(batch, waits && waitNotice(waits, numberLink(batch.sender.id), visit.mayChange)),
          story: html`<div id="standing"${live}><div class="card"${moves && !still && moving(again)}>${progressOf(batch)}</div>
${moves && motion(addressOf(path, { ...here, still: still ? undefined : "1" }), still)}
${counts(batch)}
${reasons && reasonsOf(batch, reasons, addressOf(path, { ...here, show: "failed" }))}</div>
${section("timeline", "What happened", timelineOf(batch, made, changes))}
${recipientsOf({ environmentId: environment.id, names }, shown, onlyFailed, {
  other: addressOf(path, { ...here, show: onlyFailed ? undefined : "failed" }),
  pages: pager(
    after !== undefined ? addressOf(path, here) : undefined,
    last && addressOf(path, { ...here, after: String(last.position) })
  )
})}
${stories.calls(callsOf(id))}`,
          facts: factsOf(batch, environmentName(environment), environment.id)
        })
      }
    })

    const askCancel = Effect.fnUntraced(function* (visit: Visit, error?: Html): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "bat")
      const batch = yield* batchOf(visit, environment, id)
      const here = `${address}/${environment.id}/${id}`
      return { ...cancelPage(batch, here, visit.csrf, error), environment: environment.id }
    })

    const move = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "bat")
      const command = BatchCommand.literals.find((one) => one === field(sent, "command"))
      if (command === undefined) return yield* new NotHere()
      if (command === "cancel") {
        const batch = yield* batchOf(visit, environment, id)
        const error = unconfirmed(sent, calledOf(batch))
        if (error !== undefined) return yield* askCancel(visit, error)
      }
      yield* operations.batches[command](asVisitor(visit, environment), { params: { batch_id: id } })
      return { to: `${address}/${environment.id}/${id}?done=batch_${command}` }
    })

    const path = `${address}/:environment/:id`
    return Layer.mergeAll(
      page({ operation: "batch", path, handler: show }),
      page({ operation: "askCancelBatch", path: `${path}/cancel`, handler: (visit) => askCancel(visit) }),
      action({
        operation: "commandBatch",
        audit: "batch.commanded",
        keeps: ["command"],
        path: `${path}/command`,
        handler: move
      })
    )
  })
)

/** Asks for the name of a batch before what waits of it is cancelled. */
const cancelPage = (batch: Batch, here: string, csrf: string, error: Html | undefined) =>
  confirmationPage({
    title: "Cancel this batch?",
    section: "batches",
    up: [here, html`${calledOf(batch)}`],
    action: `${here}/command`,
    csrf,
    explanation: html`<p>Messages that have left go on. What still waits is cancelled, and nobody else is written to. This cannot be undone.</p>`,
    button: "Cancel the batch",
    dangerous: true,
    fields: html`<input type="hidden" name="command" value="cancel">`,
    name: { value: calledOf(batch), error }
  })

/** A part of the recipients of a batch, or of its failures. */
interface Slice {
  readonly batch: Batch & { readonly offered_commands: ReadonlyArray<BatchCommand> }
  readonly waits: BatchWait | null
  readonly data: ReadonlyArray<(BatchRecipient | BatchFailure) & { readonly position: number }>
}

const callsOf = (id: string): ReadonlyArray<StoryCall> => [
  { title: "Read it", method: "GET", path: `/v1/batches/${id}` },
  { title: "Read its recipients", method: "GET", path: `/v1/batches/${id}/recipients` }
]

/** Says why a batch failed, or what it waits for. */
const troubleOf = ({ failure }: Batch, waits: Html | null): Html =>
  html`<div id="trouble"${live}>${failure !== null && notice("bad", personText(html`<code>${failure.code}</code> ${refusalText(failure)}`))}${waits}</div>`

const calledOf = ({ name, template }: Batch): string => name ?? template.name

const commandNames: Readonly<Record<BatchCommand, Saying>> = { pause: "Pause", resume: "Resume", cancel: "Cancel…" }

/** The actions that a batch allows now; cancelling asks for confirmation. */
const commandForms = (here: string, csrf: string, offered: ReadonlyArray<BatchCommand>): Html | undefined =>
  offered.length === 0
    ? undefined
    : html`${offered.map((command) =>
        command === "cancel"
          ? html`<a class="button" href="${here}/cancel">${say(commandNames.cancel)}</a>`
          : form(
              `${here}/command`,
              csrf,
              html`<input type="hidden" name="command" value="${command}"><button>${say(commandNames[command])}</button>`
            )
      )}`

/** A position as an address names it; undefined for the start. */
const positionOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{1,6}$/.test(text) ? text : undefined

const motion = (other: string, still: boolean): Html =>
  still
    ? html`<p class="muted">This page stands still. <a href="${other}">Let it move again</a></p>`
    : html`<noscript><p class="muted">This page moves by itself every ${again} seconds. <a href="${other}">Hold it still</a></p></noscript>`

const counts = (batch: Batch): Html => {
  const tile = (count: number, what: Saying, whole = 0) =>
    html`<li><span class="tile"><strong>${countOf(count)}</strong> ${say(what)}${whole > 0 && html` · ${percentOf(Math.round((count / whole) * 10_000))}`}</span></li>`
  return html`<ul class="tiles">
${tile(batch.enqueued_count, "Messages made")}
${tile(batch.sent_count, "Sent")}
${tile(batch.delivered_count, "Delivered", batch.sent_count)}
${tile(batch.read_count, "Read", batch.sent_count)}
${tile(batch.failed_count, "Failed", batch.enqueued_count)}
${batch.recipient_guard_skipped_count > 0 && tile(batch.recipient_guard_skipped_count, "Skipped by guards")}
${batch.cancelled_count > 0 && tile(batch.cancelled_count, "Messages cancelled")}
</ul>`
}

const factsOf = (batch: Batch, where: Html, environmentId: string): Html =>
  facts([
    [
      "Messages",
      html`<a href="${addressOf("/dashboard/messages", { environment: environmentId, batch_id: batch.id })}">Messages of this batch</a>`
    ],
    batch.scheduled_at === null ? undefined : ["Starts", moment(batch.scheduled_at)],
    batch.metadata === null ? undefined : ["Metadata", html`<pre>${JSON.stringify(batch.metadata, null, 2)}</pre>`],
    ["Environment", where],
    ["Created", instant(batch.created_at)],
    ["Changed", instant(batch.updated_at)],
    ["Id", html`<code>${batch.id}</code>`],
    ["Trace", html`<code>${batch.trace_id}</code>`]
  ])

const templateOf = ({ template }: Batch, environmentId: string): Html => {
  const name = `${template.name}, ${template.language}`
  return template.template_id === null
    ? personText(name)
    : personText(html`<a href="/dashboard/templates/${environmentId}/${template.template_id}">${name}</a>`)
}

/** The environment of a table of recipients, and the names that are known there by phone. */
interface RecipientNames {
  readonly environmentId: string
  readonly names: ReadonlyMap<string, string>
}

const messageLink = ({ environmentId, names }: RecipientNames, to: string | null, messageId: string | null): Piece => {
  const who = customerPiece(to === null ? none("erased") : phoneText(to), names.get(to ?? ""))
  return messageId === null ? who : html`<a href="/dashboard/messages/${environmentId}/${messageId}">${who}</a>`
}

/** Shows a part of the recipients or of the failures, with the way to the other and to the next part. */
const recipientsOf = (
  named: RecipientNames,
  rows: Slice["data"],
  onlyFailed: boolean,
  { other, pages }: { readonly other: string; readonly pages: Html | undefined }
): Html =>
  html`<section aria-labelledby="recipients"><div class="section-head"><h2 id="recipients">${onlyFailed ? say("Failures") : say("Recipients")}</h2>
<p><a class="button" href="${other}">${onlyFailed ? say("All recipients") : say("Only failures")}</a></p></div>
<div id="rows"${live}>${onlyFailed ? failureTable(named, rows as ReadonlyArray<BatchFailure>) : recipientTable(named, rows as ReadonlyArray<BatchRecipient>)}
${pages}</div></section>`

/** How good or bad it is where the message of a recipient stands. */
const recipientTones: ReadonlyMap<string, Tone> = new Map(Object.entries(messageTones))

const recipientTable = (named: RecipientNames, recipients: ReadonlyArray<BatchRecipient>): Html =>
  table(
    "Recipients in the order in which they were given",
    ["Recipient", "Status", "Error"],
    recipients.map(({ error_code, message_id, status, status_reason, to }) => [
      messageLink(named, to, message_id),
      html`${badge(statusWord("message", status), recipientTones.get(status) ?? "plain")}${status_reason !== null && html` ${none(contractWord(status_reason))}`}`,
      error_code ?? none("none")
    ]),
    say("There is no recipient here.")
  )

const failureTable = (named: RecipientNames, failures: ReadonlyArray<BatchFailure>): Html =>
  table(
    "Recipients it failed for, in the order in which they were given",
    ["Recipient", "Error", "Message", "Guard", "Allowed again", "When"],
    failures.map(({ error_code, error_message, failed_at, guard_reason, message_id, next_allowed_at, to }) => [
      messageLink(named, to, message_id),
      error_code ?? none("none"),
      error_message === null ? none("none") : personText(sentence(error_message)),
      guard_reason === null ? none("none") : contractWord(guard_reason),
      moment(next_allowed_at, "not told"),
      moment(failed_at)
    ]),
    say("It has failed for nobody.")
  )
