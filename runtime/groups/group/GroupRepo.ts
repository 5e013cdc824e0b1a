import type { PageRow } from "@carteiro/http-edge/Paging.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { type Walked, walk } from "@carteiro/tables/BoundedWalk.ts"
import { pageSql } from "@carteiro/tables/PageSql.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type GroupRow, groupColumns, stateOf, valuesOf } from "./GroupRow.ts"
import type { GroupDetail, GroupPlace, GroupState, Member } from "./GroupState.ts"
import { insertGroup, saveGroup, suspendGroup } from "./GroupWrites.ts"

/** Filters of a list. */
export interface GroupFilter {
  readonly phone_number_id?: string | undefined
  readonly status?: GroupState["status"] | undefined
}

/** Rows of `groups`; only this repo encrypts and decrypts links. */
export class GroupRepo extends Context.Service<
  GroupRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<GroupDetail | undefined>
    /** Returns groups newest first, after `before` when given, out of a bounded walk. */
    list(
      environmentId: string,
      filter: GroupFilter,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<GroupDetail & PageRow>>
    /** Returns groups of several environments, for owners and events, unordered. */
    among(places: ReadonlyArray<GroupPlace>): Effect.Effect<ReadonlyArray<GroupDetail>>
    /** Returns the group of a number that waits for the report of a request. */
    ofRequest(phoneNumberId: string, requestId: string): Effect.Effect<GroupDetail | undefined>
    /** Returns the group of a number by the provider's id. */
    ofProvider(phoneNumberId: string, providerGroupId: string): Effect.Effect<GroupDetail | undefined>
    insert(group: GroupState): Row
    /**
     * Writes a group that was decided on the version that was read; when the version has changed, nothing of the unit
     * is written.
     */
    save(group: GroupState): Row
    /** Records that the platform suspended a group, or let it go on; an older report changes nothing. */
    suspend(group: GroupPlace, suspended: boolean, at: number): Row
  }
>()("@carteiro/runtime/groups/group/GroupRepo") {
  static readonly layer = Layer.effect(
    GroupRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const columns = sql.literal(groupColumns)
      const opened = (row: GroupRow): GroupDetail => ({
        ...stateOf(
          row,
          row.invite_link === null
            ? null
            : (secrets.open("invite_link", row.invite_link, linkBinding(row.environment_id, row.id)) ?? null)
        ),
        members: membersOf(row),
        suspended_at: row.suspended_at
      })
      const sealed = ({ environment_id, id, invite_link }: GroupState) =>
        invite_link === null ? null : secrets.seal("invite_link", invite_link, linkBinding(environment_id, id))
      return GroupRepo.of({
        find: (environmentId, id) =>
          one(
            sql<GroupRow>`select ${columns} from groups g where g.environment_id = ${environmentId} and id = ${id}`,
            opened
          ),
        list: (environmentId, { phone_number_id, status }, before, count) => {
          const along = [sql`environment_id = ${environmentId}`, sql`id < ${before ?? "~"}`]
          const ofNumber = phone_number_id === undefined ? [] : [sql`phone_number_id = ${phone_number_id}`]
          // With both filters the planner may choose the index of either, so that the walk is that of all groups.
          const isLed = status === undefined
          const found = walk<GroupRow & PageRow>(sql, {
            table: "groups",
            along: isLed ? [...along, ...ofNumber] : along,
            narrowed: isLed ? [] : [...ofNumber, sql`status = ${status}`],
            page: (conditions) => sql`${sql.literal(wide.begin)} select ${columns} from groups g
              where ${sql.and(conditions)} order by id desc limit ${count} ${sql.literal(wide.end)}`
          })
          return Effect.map(found, ({ rows, walked_to }) => ({
            rows: rows.map(({ page_bytes = 0, ...row }) => ({ ...opened(row), page_bytes })),
            walked_to
          }))
        },
        among: (places) =>
          places.length === 0
            ? Effect.succeed([])
            : many(
                sql.unsafe<GroupRow>(amongSql, [
                  arrayParameter(
                    "text",
                    places.map(({ environment_id }) => environment_id)
                  ),
                  arrayParameter(
                    "text",
                    places.map(({ id }) => id)
                  )
                ]),
                opened
              ),
        ofRequest: (phoneNumberId, requestId) =>
          one(
            sql<GroupRow>`select ${columns} from groups g
              where phone_number_id = ${phoneNumberId} and life_request_id = ${requestId}`,
            opened
          ),
        ofProvider: (phoneNumberId, providerGroupId) =>
          one(
            sql<GroupRow>`select ${columns} from groups g
              where phone_number_id = ${phoneNumberId} and provider_group_id = ${providerGroupId}`,
            opened
          ),
        insert: (group) => insertGroup.row(valuesOf(group, null)),
        suspend: ({ environment_id, id }, suspended, told_at) =>
          suspendGroup.row({
            environment_id,
            id,
            suspended_at: suspended ? told_at : null,
            suspension_told_at: told_at
          }),
        save: (group) => saveGroup.row(valuesOf(group, sealed(group)))
      })
    })
  )
}

const amongSql = `select ${groupColumns} from unnest($1::text[], $2::text[]) as k(environment_id, id)
  join groups g on g.environment_id = k.environment_id and g.id = k.id`

/** The page size follows the length of subject and description, which have no limit of their own. */
const wide = pageSql("octet_length(subject) + coalesce(octet_length(description), 0)", "id desc")

/** Returns the value to which an encrypted link is bound: it decrypts for its own row only. */
const linkBinding = (environmentId: string, id: string): string => `${environmentId}/${id}`

/** Returns the members; a deleted group lists none. */
const membersOf = ({ members, status }: GroupRow): ReadonlyArray<Member> =>
  members === null || status === "deleted"
    ? []
    : readJson(members).map(([chat_id, joined_at]) => ({
        chat_id,
        joined_at
      }))
