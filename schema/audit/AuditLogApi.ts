import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { rowsOf, rowsQuery } from "../conventions/Page.ts"
import { InvalidQuery } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** Settings by name; never a secret, never data of a customer. */
export const AuditSettings = Schema.Record(Schema.String, Schema.String)
export type AuditSettings = typeof AuditSettings.Type

/** One change that a person made in the console, or an operator by command. Decision 0065 */
export const AuditEntry = Schema.Struct({
  id: id("adt"),
  object: Schema.Literal("audit_entry"),
  /** Null for a change of the organization as a whole. */
  environment_id: Schema.NullOr(Schema.String),
  /** Null for a change of an operator. */
  member_id: Schema.NullOr(Schema.String),
  action: Schema.String,
  /** Id of the thing that was changed; null for one without an id. */
  subject: Schema.NullOr(Schema.String),
  before: Schema.NullOr(AuditSettings),
  after: Schema.NullOr(AuditSettings),
  /** Null for a command, which is no request. */
  request_id: Schema.NullOr(Schema.String),
  created_at: Timestamp
})
export type AuditEntry = typeof AuditEntry.Type

/** A change by its thing and a past participle, such as `member.added`. */
export const AuditAction = Schema.TemplateLiteral([Schema.String, ".", Schema.String])
export type AuditAction = typeof AuditAction.Type

/** A change to write down; its author, request and time are those of the call. */
export const NewAuditEntry = Schema.Struct({
  environment_id: AuditEntry.fields.environment_id,
  action: AuditAction,
  subject: AuditEntry.fields.subject,
  before: AuditEntry.fields.before,
  after: AuditEntry.fields.after
})
export type NewAuditEntry = typeof NewAuditEntry.Type

const traits: OperationTraits = {
  authentication: "person",
  scopes: [],
  rate: "read",
  validation: InvalidQuery.code,
  realTime: true
}

/** The changes that people made in the organization; all of its people may look. Decisions 0065, 0155 */
export class AuditLogApi extends HttpApiGroup.make("auditLog")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...rowsQuery,
        action: Schema.optionalKey(Schema.String),
        /** Id of a member, or `operator`. */
        member_id: Schema.optionalKey(Schema.String),
        /** Id of the thing that was changed. */
        subject: Schema.optionalKey(Schema.String)
      },
      success: rowsOf(AuditEntry)
    }).annotate(Traits, traits),
    /** Writes down a change that the caller made. It takes no token: the change has taken its own. */
    HttpApiEndpoint.post("record", "/", {
      payload: NewAuditEntry,
      success: Schema.Struct({ object: Schema.Literal("audit_record"), trace_id: TraceId }).pipe(
        HttpApiSchema.status(201)
      )
    }).annotate(Traits, { ...traits, rate: "write", rateInHandler: true })
  )
  .prefix("/people/audit-log") {}
