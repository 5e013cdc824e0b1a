import { filled } from "@carteiro/html/Catalog.ts"
import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { valueReply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { EmailsApi, type SentEmail } from "@carteiro/schema/emails/EmailsApi.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { Effect, Layer } from "effect"
import { MailRepo, type StoredEmail } from "../../mail/MailRepo.ts"

/** The operation of people that lists the e-mails to their organization. Decision 0155 */
export const EmailsHttp = Routes.group(
  EmailsApi,
  Effect.gen(function* () {
    const mail = yield* MailRepo
    const publicUrl = yield* PublicUrl

    return Routes.handlers(EmailsApi, {
      list: Effect.fnUntraced(function* ({ caller, query: { before, limit }, traceId }) {
        const rows = yield* mail.list(caller.organization_id, before, Number(limit))
        return valueReply({ traceId }, 200, {
          object: "list",
          data: rows.map((row) => readEmail(row, `${publicUrl()}/dashboard`))
        })
      })
    })
  })
).pipe(Layer.provide(MailRepo.layer))

const readEmail = (email: StoredEmail, dashboard: string): SentEmail => {
  const { body, created_at, error, id, recipients, status, subject } = email
  const { pt } = readJsonOrNull(email.translations) ?? {}
  return {
    id,
    object: "email",
    subject,
    body: filled(body, { dashboard }),
    translations: pt === undefined ? {} : { pt: { subject: pt.subject, body: filled(pt.body, { dashboard }) } },
    status,
    recipients,
    error,
    created_at: formatTimestamp(created_at)
  }
}
