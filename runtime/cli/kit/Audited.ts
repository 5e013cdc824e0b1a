import { realNow } from "@carteiro/owners/RealTime.ts"
import type { AuditAction, AuditSettings } from "@carteiro/schema/audit/AuditLogApi.ts"
import { Effect } from "effect"
import { AuditLog } from "../../audit/Operator.ts"

/** The settings that an operator changed, by name; never a secret and never data of a customer. */
export interface OperatorChange {
  readonly action: AuditAction
  readonly environment?: string
  /** Id of what was changed; the organization itself where it is left out. */
  readonly subject?: string
  readonly before?: AuditSettings
  readonly after?: AuditSettings
}

/** Writes a command's change into the audit log of the organization that it concerns, without a member: an operator made it. */
export const recordChange = Effect.fnUntraced(function* (
  organizationId: string,
  { action, after, before, environment, subject }: OperatorChange
) {
  yield* (yield* AuditLog).record(organizationId, {
    environment_id: environment ?? null,
    member_id: null,
    action,
    subject: subject ?? null,
    before: before ?? null,
    after: after ?? null,
    request_id: null,
    created_at: yield* realNow
  })
})
