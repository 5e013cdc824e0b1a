import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ItemRow } from "../message/MessageText.ts"
import { itemColumns, readItem } from "./MessageRows.ts"

/** A page of the messages of an environment, newest first, after the message `after`. */
export interface NewestPage {
  readonly environment_id: string
  readonly after: string | undefined
  readonly limit: number
}

/** Messages of an environment by their ids. */
interface AskedItems {
  readonly environment_id: string
  readonly ids: ReadonlyArray<string>
}

/** The id of a message, a blank, and the transaction that wrote its row last. */
export type ItemVersion = string

/** An item with the version of its row. */
export type VersionedItem = readonly [ItemVersion, ItemRow]

/** Returns the id of the message of a version. */
export const idOf = (version: ItemVersion): string => version.slice(0, version.indexOf(" "))

/**
 * Reads of the messages of an environment without filters, which are most: they walk the primary key, and concurrent
 * ones share one statement.
 */
export class NewestRepo extends Context.Service<
  NewestRepo,
  {
    items(page: NewestPage): Effect.Effect<ReadonlyArray<ItemRow>>
    /** Returns which rows a page has, for a reader who may know them already. */
    versions(page: NewestPage): Effect.Effect<ReadonlyArray<ItemVersion>>
    /** Returns items in no order; an id without a message is left out. */
    find(environmentId: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<VersionedItem>>
  }
>()("@carteiro/runtime/messages/read/NewestRepo") {
  static readonly layer = Layer.effect(
    NewestRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const items = yield* readTogether(
        (asks: ReadonlyArray<NewestPage>) =>
          Effect.map(many(sql.unsafe(itemsSql, pagesOf(asks)).values), (rows) => {
            const pages = asks.map((): Array<ItemRow> => [])
            for (const values of rows) pages[(values.at(-1) as number) - 1]?.push(readItem(values))
            return pages
          }),
        { sizeOf: ({ limit }) => limit }
      )
      const versions = yield* readTogether(
        (asks: ReadonlyArray<NewestPage>) =>
          Effect.map(many(sql.unsafe<VersionsRow>(versionsSql, pagesOf(asks))), (rows) => {
            const pages = asks.map((): ReadonlyArray<ItemVersion> => [])
            for (const { ask, versions } of rows) pages[ask - 1] = versions === "" ? [] : versions.split(",")
            return pages
          }),
        { sizeOf: ({ limit }) => limit }
      )
      const find = yield* readTogether(
        (asks: ReadonlyArray<AskedItems>) => {
          const parameters = [
            arrayParameter(
              "text",
              asks.flatMap(({ environment_id, ids }) => ids.map(() => environment_id))
            ),
            arrayParameter(
              "text",
              asks.flatMap(({ ids }) => ids)
            ),
            arrayParameter(
              "int4",
              asks.flatMap(({ ids }, ask) => ids.map(() => ask))
            )
          ]
          return Effect.map(many(sql.unsafe(findSql, parameters).values), (rows) => {
            const found = asks.map((): Array<VersionedItem> => [])
            for (const values of rows) {
              found[values.at(-1) as number]?.push([values.at(-2) as ItemVersion, readItem(values)])
            }
            return found
          })
        },
        { sizeOf: ({ ids }) => ids.length }
      )
      return NewestRepo.of({
        items,
        versions,
        find: (environment_id, ids) => find({ environment_id, ids })
      })
    })
  )
}

interface VersionsRow {
  readonly ask: number
  readonly versions: string
}

const aboveAllIds = "msg_~"

const pagesOf = (asks: ReadonlyArray<NewestPage>) => [
  arrayParameter(
    "text",
    asks.map((ask) => ask.environment_id)
  ),
  arrayParameter(
    "text",
    asks.map((ask) => ask.after ?? aboveAllIds)
  ),
  arrayParameter(
    "int4",
    asks.map((ask) => ask.limit)
  )
]

const asked = "unnest($1::text[], $2::text[], $3::int4[]) with ordinality as k(environment_id, after, count, ask)"
const pageOf = (columns: string) => `select ${columns} from messages
    where messages.environment_id = k.environment_id and messages.id < k.after
    order by messages.id desc limit k.count`
const versionColumn = "messages.id || ' ' || messages.xmin::text"

const itemsSql = `select m.*, k.ask::int4 as ask from ${asked} cross join lateral (${pageOf(itemColumns)}) m`

const versionsSql = `select k.ask::int4 as ask, array_to_string(array(${pageOf(versionColumn)}), ',') as versions
  from ${asked}`

const findSql = `select m.*, k.ask from unnest($1::text[], $2::text[], $3::int4[]) as k(environment_id, id, ask)
  cross join lateral (select ${itemColumns}, ${versionColumn} as version from messages
    where messages.environment_id = k.environment_id and messages.id = k.id limit 1) m`
