import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { GroupNotActive, GroupNotFound } from "@carteiro/schema/groups/GroupErrors.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** A group as a send to it finds it. U-SND-11 */
export interface KnownGroup {
  /** `suspended` while the platform lets nobody write in it, else the status of the group. */
  readonly status: string
  readonly provider_group_id: string | null
}

/** Returns the SQL of the status by which sends to the group `group` are judged. */
export const groupStatus = (group: string): string =>
  `case when ${group}.status = 'active' and ${group}.suspended_at is not null then 'suspended' else ${group}.status end`

/** Returns why nothing can be sent to a group of the number; `param` names the member with its id. U-SND-11 */
export const groupRefusal = (group: KnownGroup | undefined, param: string): ApiError | undefined => {
  if (group === undefined) return new GroupNotFound({ param })
  if (group.status === "active" && group.provider_group_id !== null) return undefined
  const message = sentences[group.status]
  return new GroupNotActive(message === undefined ? { param } : { param, message })
}

const sentences: { readonly [status: string]: string } = {
  pending: "The group is still being made: send once group.created arrived.",
  deleting: "The group is being deleted: send to another one.",
  deleted: "The group was deleted: send to another one.",
  failed: "The group could not be made: make another one with POST /v1/groups.",
  suspended: "The platform suspended the group: send once its suspended_at is gone."
}

/** Names groups of a number for other rooms. */
export class NamedGroups extends Context.Service<
  NamedGroups,
  {
    /** Returns our ids of a number's groups, by the provider's ids, in one statement for all of them. U-INB-06 */
    find(
      number: { readonly environment_id: string; readonly id: string },
      providerIds: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, string>>
    /** Returns groups of a number by our ids, as sends to them find them. U-SND-11 */
    sendable(
      number: { readonly environment_id: string; readonly id: string },
      groupIds: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, KnownGroup>>
    /** Returns the provider's id of an active group of a number; undefined for any other. U-INB-06 */
    providerId(
      number: { readonly environment_id: string; readonly id: string },
      groupId: string
    ): Effect.Effect<string | undefined>
  }
>()("@carteiro/runtime/groups/group/NamedGroups") {
  static readonly layer = Layer.effect(
    NamedGroups,
    Effect.map(SqlClient.SqlClient, (sql) =>
      NamedGroups.of({
        find: ({ environment_id, id }, providerIds) =>
          providerIds.length === 0
            ? Effect.succeed(new Map<string, string>())
            : Effect.map(
                many(
                  sql<{ readonly id: string; readonly provider_group_id: string }>`select id, provider_group_id
                    from groups where provider_group_id = any(${arrayParameter("text", providerIds)})
                      and phone_number_id = ${id} and environment_id = ${environment_id} order by id`
                ),
                (rows) => new Map(rows.map((row) => [row.provider_group_id, row.id]))
              ),
        sendable: ({ environment_id, id }, groupIds) =>
          Effect.map(
            many(
              sql<KnownGroup & { readonly id: string }>`select g.id, ${sql.literal(groupStatus("g"))} as status,
                  g.provider_group_id from groups g
                where g.environment_id = ${environment_id} and g.id = any(${arrayParameter("text", groupIds)})
                  and g.phone_number_id = ${id}`
            ),
            (rows) => new Map(rows.map((row) => [row.id, row]))
          ),
        providerId: ({ environment_id, id }, groupId) =>
          Effect.map(
            one(
              sql<{ readonly provider_group_id: string | null }>`select provider_group_id from groups
                where environment_id = ${environment_id} and id = ${groupId} and phone_number_id = ${id}
                  and status = 'active'`
            ),
            (row) => row?.provider_group_id ?? undefined
          )
      })
    )
  )
}
