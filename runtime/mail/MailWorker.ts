import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { type DueOwners, wakeAfterCommit } from "@carteiro/owners/DueWork.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { makeOwnerQueues, type QueueKind, type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import { defineWorker, type Queued, queued } from "@carteiro/owners/Worker.ts"
import { MailSender } from "@carteiro/provider/MailSender.ts"
import { languages } from "@carteiro/schema/conventions/Language.ts"
import { Effect, Layer } from "effect"
import { type DueEmail, recordTry } from "./MailOutcome.ts"
import { partsOf, type Tried, together } from "./MailParts.ts"
import { MailRecipients } from "./MailRecipients.ts"
import { MailRepo } from "./MailRepo.ts"
import { insertEmail, recordEmail, reserveEmail } from "./MailWrites.ts"

/** Sends the e-mails of one organization, whose id is the owner's; it decides nothing. gaps-3 E "Failure notification" */
const MailWorker = defineWorker("Mail")

interface QueuedEmail extends QueueRow {
  readonly email: DueEmail
}

type MailState = Queued<undefined, QueuedEmail, Tried>

/** A try that takes longer has no result; it ends well before its reservation does. In milliseconds. */
const callMs = 45_000
const reservedMs = 120_000

const broken: Tried = { result: { _tag: "Failed", reason: "timeout" }, recipients: [] }

const owners = MailWorker.toLayer(
  Effect.gen(function* () {
    const repo = yield* MailRepo
    const sender = yield* MailSender
    const recipientsOf = yield* MailRecipients
    const publicUrl = yield* PublicUrl

    const kind: QueueKind<MailState, undefined, QueuedEmail, Tried> = {
      ahead: 0,
      writeAtOnce: 16,
      retryMs: 1000,
      drainMs: 4000,
      callMs,
      makeRows: () => new QueueRows(2, true),
      terms: () => undefined,
      destination: () => "mail",
      read: (_state, owner, { rows }) =>
        sender === undefined
          ? Effect.succeed({ rows: [], next: undefined })
          : Effect.map(repo.due(owner.id, owner.now(), rows), ({ emails, next }) => ({
              rows: emails.map((email) => ({ id: email.id, bytes: email.body.length, email })),
              next
            })),
      reserve: (rows, _state, owner) => {
        const now = owner.now()
        const units = rows.map(({ id }) => ({
          rows: [reserveEmail.row({ organization_id: owner.id, id, now, until: now + reservedMs })]
        }))
        return Effect.map(owner.commit(units), ({ keys }) => {
          const reserved = keys(reserveEmail.name)
          return rows.filter(({ id }) => reserved.has(id))
        })
      },
      call: Effect.fnUntraced(function* ({ email }: QueuedEmail, _state: MailState, owner: OwnerHandle) {
        if (sender === undefined) return undefined
        const parts = partsOf(email, yield* recipientsOf(owner.id), `${publicUrl()}/dashboard`)
        const results = yield* Effect.forEach(parts, (part) => sender.send(part), { concurrency: languages.length })
        return together(email, parts, results)
      }),
      broken: () => broken,
      end: (batch, _state, owner) =>
        Effect.suspend(() => {
          const lost: Array<Effect.Effect<void>> = []
          const units = batch.map(({ at, result: { recipients, result }, row: { email } }) => {
            const outcome = recordTry(email, result, at)
            if (outcome.due_at !== null) owner.dueAt(outcome.due_at)
            if (outcome.status === "failed") {
              lost.push(Effect.logError("an e-mail was not delivered", { email: email.id, reason: outcome.error }))
            }
            const key = { organization_id: owner.id, id: email.id }
            return { rows: [recordEmail.row({ ...key, recipients: recipients.join(", ") || null, ...outcome })] }
          })
          return Effect.as(Effect.andThen(owner.record(units), Effect.all(lost)), true)
        })
    }
    const queueOf = yield* makeOwnerQueues(kind)

    return queued(queueOf)
  })
)

/** Hosts the owners of mail, woken by what is written; the sweeper is the guarantee. */
export const mailOwners = Layer.merge(owners, wakeAfterCommit(MailWorker.name, insertEmail.name)).pipe(
  Layer.provide(MailRepo.layer)
)

/** Organizations with e-mails to send, for the sweeper. */
export const dueMail: DueOwners = {
  type: MailWorker.name,
  due: (now, after, limit) =>
    Effect.provide(
      Effect.flatMap(MailRepo, (repo) => repo.dueOrganizations(now, after, limit)),
      MailRepo.layer
    )
}
