import { parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { MailRepo, type StoredEmail } from "../../mail/MailRepo.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { addressOf, cutPage, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, given, instant, none, pager, table } from "../kit/Parts.ts"

const address = "/dashboard/emails"
const tones = { queued: "info", sent: "good", failed: "bad" } as const

/** E-mails to owners and admins, also those a development spool keeps. Boot contract, `CARTEIRO_SMTP_URL` */
export const EmailsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const mail = yield* MailRepo
    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const before = asked(visit.request, "before")
      const after = before !== undefined && parseId("eml", before) ? before : undefined
      const { last, shown } = cutPage(yield* mail.list(visit.organizationId, after, pageRows + 1))
      return {
        title: "E-mails",
        section: "emails",
        body: html`<p>What owners and admins were written. In development it is kept in <code>mail</code> of the data directory.</p>
${emailTable(shown)}
${pager("e-mails", after && address, last && addressOf(address, { before: last.id }))}`
      }
    })
    return page({ operation: "emails", path: address, handler: list })
  })
).pipe(Layer.provide(MailRepo.layer))

const emailTable = (emails: ReadonlyArray<StoredEmail>): Html =>
  table(
    "E-mails, newest first",
    ["Subject", "Status", "To", "Text", "Written"],
    emails.map(({ body, created_at, error, recipients, status, subject }) => [
      given(subject),
      html`${badge(status, tones[status])} ${error !== null && none(error)}`,
      recipients === null ? none("nobody yet") : given(recipients),
      html`<details><summary>Show</summary><pre>${body}</pre></details>`,
      instant(created_at)
    ]),
    "Nothing was written yet."
  )
