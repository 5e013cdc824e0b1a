import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Names groups of a number for other rooms. */
export class NamedGroups extends Context.Service<
  NamedGroups,
  {
    /** Returns our ids of a number's groups, by the provider's ids, in one statement for all of them. U-INB-06 */
    find(
      number: { readonly environment_id: string; readonly id: string },
      providerIds: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, string>>
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
