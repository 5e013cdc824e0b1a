import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { id } from "../conventions/Ids.ts"
import { rowsOf, rowsQuery } from "../conventions/Page.ts"
import { InvalidQuery } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** An e-mail to the owners and admins of an organization. Boot contract, `CARTEIRO_SMTP_URL` */
export const SentEmail = Schema.Struct({
  id: id("eml"),
  object: Schema.Literal("email"),
  /** In English, as the body. */
  subject: Schema.String,
  body: Schema.String,
  /** In the other languages of its readers; empty for e-mails of releases before. */
  translations: Schema.Struct({
    pt: Schema.optionalKey(Schema.Struct({ subject: Schema.String, body: Schema.String }))
  }),
  status: Schema.Literals(["queued", "sent", "failed"]),
  /** Whom it went to; null before it went. */
  recipients: Schema.NullOr(Schema.String),
  /** Why the last attempt came to nothing; null otherwise. */
  error: Schema.NullOr(Schema.String),
  created_at: Timestamp
})
export type SentEmail = typeof SentEmail.Type

/** What owners and admins were written; all people of the organization may look. Decision 0155 */
export class EmailsApi extends HttpApiGroup.make("emails")
  .add(
    HttpApiEndpoint.get("list", "/", { query: rowsQuery, success: rowsOf(SentEmail) }).annotate(Traits, {
      authentication: "person",
      scopes: [],
      rate: "read",
      validation: InvalidQuery.code,
      realTime: true
    })
  )
  .prefix("/people/emails") {}
