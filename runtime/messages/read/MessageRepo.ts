import type { PageRow } from "@carteiro/http-edge/Paging.ts"
import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { formatTimestamp, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Channel, Direction, MessageStatus, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import type { RecentMessage } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { standardRegion } from "@carteiro/spellings/Phone.ts"
import { recipientKeys } from "@carteiro/spellings/RecipientKeys.ts"
import { type Walked, walk, walkSql } from "@carteiro/tables/BoundedWalk.ts"
import { endedByBytes, pageSql } from "@carteiro/tables/PageSql.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { MessageRow } from "../message/MessageRead.ts"
import { conversationColumns, lineColumns, recentColumns } from "../message/MessageTables.ts"
import type { ItemRow } from "../message/MessageText.ts"
import { itemColumns, messageColumns, readItem } from "./MessageRows.ts"

/** The filters of a list of messages, as decoded. */
export interface MessageFilters {
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
  readonly channel?: Channel | undefined
  readonly direction?: Direction | undefined
  readonly status?: MessageStatus | undefined
  readonly type?: MessageType | undefined
  readonly sender_id?: string | undefined
  /** A phone number as it was sent, or as people write it in `region`. */
  readonly recipient?: string | undefined
  /** The country of a recipient without + or 00; Brazil when left out. */
  readonly region?: string | undefined
  readonly batch_id?: string | undefined
  readonly template_name?: string | undefined
  /** Both directions of one customer of the channel `chatapp`, by the key that conversations compare. */
  readonly talk_with?: string | undefined
}

/** A message as a line of a file. */
export type LineRow = SelectedRow<typeof lineColumns>

/** The newest message with a customer, by the key that conversations compare. */
interface PhoneConversation extends MessageKey {
  readonly customer_key: string
}

interface MessageKey {
  readonly environment_id: string
  readonly id: string
}

const nameOf = ({ environment_id, id }: MessageKey): string => `${environment_id}/${id}`

/** Reads of `messages`, always within one environment. */
export class MessageRepo extends Context.Service<
  MessageRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<MessageRow | undefined>
    /** Returns messages newest first after the message `after`; at most `limit` rows, by a bounded walk. */
    list(
      environmentId: string,
      filters: MessageFilters,
      after: string | undefined,
      limit: number
    ): Effect.Effect<Walked<MessageRow & PageRow>>
    /** Returns such a page with the columns that its items show. */
    items(
      environmentId: string,
      filters: MessageFilters,
      after: string | undefined,
      limit: number
    ): Effect.Effect<Walked<ItemRow>>
    /** Returns such a page with the columns of a line. */
    lines(
      environmentId: string,
      filters: MessageFilters,
      after: string | undefined,
      limit: number
    ): Effect.Effect<Walked<LineRow>>
    /**
     * Returns the newest message with each customer of the channel `chatapp`, newest first: those among the newest 2,000 of
     * the environment, those that the customer wrote before the others where there are more than `limit`. What customers
     * write in a group is in no conversation.
     */
    conversations(environmentId: string, limit: number): Effect.Effect<ReadonlyArray<MessageRow>>
    /** Returns the newest message with each customer whose phone ends in these digits, among as many of each of these environments. */
    endingIn(
      environmentIds: ReadonlyArray<string>,
      digits: string,
      limit: number
    ): Effect.Effect<ReadonlyArray<PhoneConversation>>
    /**
     * Returns the last messages of a number, newest first, without their content: those among the newest 20,000 of the
     * environment.
     */
    recent(environmentId: string, numberId: string, limit: number): Effect.Effect<ReadonlyArray<RecentMessage>>
  }
>()("@carteiro/runtime/messages/read/MessageRepo") {
  static readonly layer = Layer.effect(
    MessageRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const find = yield* readTogether((keys: ReadonlyArray<MessageKey>) =>
        Effect.map(
          many(
            sql.unsafe<MessageRow>(findSql, [
              arrayParameter(
                "text",
                keys.map((key) => key.environment_id)
              ),
              arrayParameter(
                "text",
                keys.map((key) => key.id)
              )
            ])
          ),
          (rows) => {
            const found = new Map(rows.map((row) => [nameOf(row), row]))
            return keys.map((key) => found.get(nameOf(key)))
          }
        )
      )
      const pageOf = (
        columns: string,
        environmentId: string,
        filters: MessageFilters,
        after: string | undefined,
        limit: number
      ) => {
        const along = [sql`environment_id = ${environmentId}`]
        const narrowed: Array<Statement.Fragment> = []
        const { batch_id, channel, created_after, created_before, direction, recipient, sender_id } = filters
        if (after !== undefined) along.push(sql`id < ${after}`)
        // An id begins with its created_at, so both bounds are ranges of the primary key.
        if (created_after !== undefined) along.push(sql`id >= ${boundOf(created_after, 1)}`)
        if (created_before !== undefined) along.push(sql`id < ${boundOf(created_before, 0)}`)
        if (channel !== undefined) narrowed.push(sql`channel = ${channel}`)
        if (direction !== undefined) narrowed.push(sql`direction = ${direction}`)
        if (filters.status !== undefined) narrowed.push(sql`status = ${filters.status}`)
        if (filters.type !== undefined) narrowed.push(sql`type = ${filters.type}`)
        if (sender_id !== undefined) {
          narrowed.push(
            sql`case direction when 'outbound' then business_id = ${sender_id} else customer_id = ${sender_id} end`
          )
        }
        if (recipient !== undefined) {
          const keys = recipientKeys(recipient, filters.region ?? standardRegion)
          // One key leads its index in the order of the page.
          along.push(
            keys.length === 1
              ? sql`customer_key = ${keys[0]}`
              : sql`customer_key = any(${arrayParameter("text", keys)})`
          )
          narrowed.push(sql`direction = 'outbound' and channel = 'chatapp'`)
        }
        if (filters.talk_with !== undefined) {
          along.push(sql`customer_key = ${filters.talk_with}`)
          // What they wrote in a group is no part of the conversation with them.
          narrowed.push(sql`channel = 'chatapp' and provider_group_id is null`)
        }
        // One index leads: that of the customer, else that of the batch.
        const isLed = recipient !== undefined || filters.talk_with !== undefined
        if (batch_id !== undefined) (isLed ? narrowed : along).push(sql`batch_id = ${batch_id}`)
        if (filters.template_name !== undefined) narrowed.push(sql`template_name = ${filters.template_name}`)
        return {
          table: "messages",
          along,
          narrowed,
          page: (conditions: ReadonlyArray<Statement.Fragment>) =>
            sql`select ${sql.literal(columns)} from messages where ${sql.and(conditions)}
              order by id desc limit ${limit}`
        }
      }
      return MessageRepo.of({
        // An index by number would make every send dearer, so the newest messages are searched.
        recent: (environmentId, numberId, limit) =>
          many(
            sql<SelectedRow<typeof recentColumns>>`select ${sql.literal(recentColumns.list)} from messages
              where environment_id = ${environmentId} and business_id = ${numberId} and id >= coalesce((select id
                from messages where environment_id = ${environmentId} order by id desc offset ${recentWithin} limit 1), '')
              order by id desc limit ${limit}`,
            (row): RecentMessage => ({ ...row, created_at: formatTimestamp(row.created_at) })
          ),
        // No index leads to the newest of each customer, so the newest messages are searched. Who waits for an answer comes
        // first: a batch to hundreds would else push them out.
        conversations: (environmentId, limit) =>
          many(
            sql<MessageRow>`${sql.literal(wide.begin)} select ${sql.literal(messageColumns)} from messages
              where environment_id = ${environmentId} and id in (select id from (
                select distinct on (customer_key) id, direction from messages
                where environment_id = ${environmentId} and id >= coalesce((select id from messages
                  where environment_id = ${environmentId} order by id desc offset ${conversationsWithin} limit 1), '')
                and channel = 'chatapp' and customer_key <> '' and provider_group_id is null
                order by customer_key, id desc) newest
                order by direction = 'inbound' desc, id desc limit ${limit})
              order by id desc ${sql.literal(wide.end)}`
          ),
        endingIn: (environmentIds, digits, limit) =>
          many(sql.unsafe<PhoneConversation>(endingInSql, [arrayParameter("text", environmentIds), digits, limit])),
        find: (environmentId, id) => find({ environment_id: environmentId, id }),
        items: (environmentId, filters, after, limit) =>
          Effect.map(
            many(walkSql(sql, pageOf(itemColumns, environmentId, filters, after, limit)).values),
            (found): Walked<ItemRow> => ({
              rows: found.filter(([id]) => id !== null).map(readItem),
              walked_to: (found[0]?.at(-1) ?? null) as string | null
            })
          ),
        lines: (environmentId, filters, after, limit) =>
          walk<LineRow>(sql, pageOf(lineColumns.list, environmentId, filters, after, limit)),
        list: (environmentId, filters, after, limit) => {
          const { page, ...bounded } = pageOf(messageColumns, environmentId, filters, after, limit)
          const rows = walk<MessageRow & PageRow>(sql, {
            ...bounded,
            page: (conditions) => sql`${sql.literal(wide.begin)} ${page(conditions)} ${sql.literal(wide.end)}`
          })
          return Effect.map(rows, endedByBytes)
        }
      })
    })
  )
}

/** Content may be as long as a body, or a vendor's report, may be. */
const wide = pageSql(
  ["content_json", "context_json", "provider_json", "metadata_json", "events_json"]
    .map((column) => `coalesce(octet_length(${column}), 0)`)
    .join(" + "),
  "id desc"
)

/** Messages of an environment among which the last ones of a number are looked for. */
const recentWithin = 20_000

/** Messages of an environment among which the newest of each conversation is looked for. */
const conversationsWithin = 2_000

/** The newest message with each customer of the environments `$1` whose phone ends in the digits `$2`. */
const endingInSql = `select e.id as environment_id, max(m.id) as id, m.customer_key
  from unnest($1::text[]) as e(id) cross join lateral (
    select ${conversationColumns.list} from messages where environment_id = e.id
    order by id desc limit ${conversationsWithin}) as m
  where m.channel = 'chatapp' and m.provider_group_id is null and m.customer_key ~ '^[0-9]+$'
    and right(m.customer_key, length($2::text)) = $2
  group by e.id, m.customer_key order by 2 desc limit $3`

const boundOf = (timestamp: string, later: number): string =>
  lowestIdAt("msg", (parseTimestamp(timestamp) ?? 0) + later)

const findSql = `select m.* from unnest($1::text[], $2::text[]) as k(environment_id, id)
  cross join lateral (select ${messageColumns} from messages
    where messages.environment_id = k.environment_id and messages.id = k.id limit 1) m`
