import type { SentEmail } from "@carteiro/schema/emails/EmailsApi.ts"
import { Effect, Layer } from "effect"
import { html, type Piece } from "../kit/Html.ts"
import { type Language, say, statusWord } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { organizationList } from "../kit/ListPage.ts"
import { positionOf } from "../kit/Lists.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { badge, moment, none, personText, type Table, table } from "../kit/Parts.ts"
import { languageOf } from "../kit/Reader.ts"

const tones = { queued: "info", sent: "good", failed: "bad" } as const

/** E-mails to owners and admins, also those a development spool keeps. Boot contract, `CARTEIRO_SMTP_URL` */
export const EmailsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { emails } = yield* Operations
    const { routes } = yield* organizationList({
      operation: "emails",
      path: "/dashboard/emails",
      title: "E-mails",
      section: "emails",
      filters: {},
      read: (_, __, before, count, visit) =>
        Effect.map(emails.list(asVisitor(visit), { query: positionOf(before, count) }), ({ data }) => ({
          rows: data,
          walked_to: null
        })),
      idOf: ({ id }) => id,
      table: (rows, _, nothing, visit) =>
        emailTable(
          rows.map((row) => textsFor(row, languageOf(visit.request))),
          nothing
        ),
      file: membersOf((email: SentEmail) => email, "id", "created_at", "status", "recipients", "subject", "error"),
      empty: () => ({
        purpose: say("Nothing was written yet. Owners and admins get an e-mail when something needs them.")
      }),
      around: () =>
        Effect.succeed({
          before: html`<p>What owners and admins were written. In development it is kept in <code>mail</code> of the data directory.</p>`
        })
    })
    return routes
  })
)

/** Returns an e-mail as its readers of this language got it. */
const textsFor = (email: SentEmail, language: Language): SentEmail => ({
  ...email,
  ...(language === "pt" && email.translations.pt)
})

const emailTable = (emails: ReadonlyArray<SentEmail>, nothing: Piece): Table =>
  table(
    "E-mails, newest first",
    ["Subject", "Status", "To", "Text", "Created"],
    emails.map(({ body, created_at, error, recipients, status, subject }) => [
      personText(subject),
      html`${badge(statusWord("email", status), tones[status])} ${error !== null && none(html`${error}`)}`,
      recipients === null ? none("nobody yet") : personText(recipients),
      html`<details><summary>Show</summary><pre>${body}</pre></details>`,
      moment(created_at)
    ]),
    nothing
  )
