import { valueReply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { EmailsApi, type SentEmail } from "@carteiro/schema/emails/EmailsApi.ts"
import { Effect, Layer } from "effect"
import { MailRepo, type StoredEmail } from "../../mail/MailRepo.ts"

/** The operation of people that lists the e-mails to their organization. Decision 0155 */
export const EmailsHttp = Routes.group(
  EmailsApi,
  Effect.gen(function* () {
    const mail = yield* MailRepo

    return Routes.handlers(EmailsApi, {
      list: Effect.fnUntraced(function* ({ caller, query: { before, limit }, traceId }) {
        const rows = yield* mail.list(caller.organization_id, before, Number(limit))
        return valueReply({ traceId }, 200, { object: "list", data: rows.map(readEmail) })
      })
    })
  })
).pipe(Layer.provide(MailRepo.layer))

const readEmail = ({ body, created_at, error, id, recipients, status, subject }: StoredEmail): SentEmail => ({
  id,
  object: "email",
  subject,
  body,
  status,
  recipients,
  error,
  created_at: formatTimestamp(created_at)
})
