import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { GroupState, LifeJob, ResetJob } from "./GroupState.ts"
import { groupRowColumns } from "./GroupTables.ts"

/** A row of `groups` as read; instants are epoch milliseconds. */
export interface GroupRow extends SelectedRow<typeof groupRowColumns> {
  /** A JSON list of `[chat_id, joined_at]`, oldest join first; null without members. */
  readonly members: JsonText<ReadonlyArray<readonly [chat_id: string, joined_at: number]>> | null
}

/** The SQL columns of a `GroupRow`; `g` is the group. */
export const groupColumns = `${groupRowColumns.of("g")},
  (select json_agg(json_build_array(p.chat_id, (extract(epoch from p.joined_at) * 1000)::int8)
      order by p.joined_at, p.joined_told)::text
    from group_participants p where p.environment_id = g.environment_id and p.group_id = g.id and p.is_member) as members`

/** Returns the state on which the number's owner decides, with the decrypted link. */
export const stateOf = (row: GroupRow, invite_link: string | null): GroupState => ({
  environment_id: row.environment_id,
  id: row.id,
  environment: row.environment,
  phone_number_id: row.phone_number_id,
  subject: row.subject,
  description: row.description,
  status: row.status,
  provider_group_id: row.provider_group_id,
  invite_link,
  failure:
    row.failure_code === null
      ? null
      : { code: row.failure_code, message: row.failure_message ?? "", provider: row.failure_provider },
  trace_id: row.trace_id,
  version: row.version,
  life: lifeOf(row),
  reset: resetOf(row),
  created_at: row.created_at,
  updated_at: row.updated_at,
  deleted_at: row.deleted_at
})

const lifeOf = (row: GroupRow): LifeJob | null =>
  row.life_state === null
    ? null
    : {
        state: row.life_state,
        due_at: row.life_due_at,
        attempts: row.life_attempts,
        request_id: row.life_request_id
      }

const resetOf = (row: GroupRow): ResetJob | null =>
  row.reset_state === null
    ? null
    : {
        state: row.reset_state,
        due_at: row.reset_due_at,
        attempts: row.reset_attempts,
        requested_at: row.reset_requested_at ?? row.updated_at
      }

/** Returns the values of a group for its writes, with the encrypted link. */
export const valuesOf = (group: GroupState, invite_link: Uint8Array | null) => ({
  environment_id: group.environment_id,
  id: group.id,
  environment: group.environment,
  phone_number_id: group.phone_number_id,
  subject: group.subject,
  description: group.description,
  status: group.status,
  provider_group_id: group.provider_group_id,
  invite_link,
  failure_code: group.failure?.code ?? null,
  failure_message: group.failure?.message ?? null,
  failure_provider: group.failure?.provider ?? null,
  trace_id: group.trace_id,
  version: group.version,
  life_state: group.life?.state ?? null,
  life_due_at: group.life?.due_at ?? null,
  life_attempts: group.life?.attempts ?? 0,
  life_request_id: group.life?.request_id ?? null,
  reset_state: group.reset?.state ?? null,
  reset_due_at: group.reset?.due_at ?? null,
  reset_attempts: group.reset?.attempts ?? 0,
  reset_requested_at: group.reset?.requested_at ?? null,
  created_at: group.created_at,
  updated_at: group.updated_at,
  deleted_at: group.deleted_at
})
