import type { OptInStatus } from "@carteiro/schema/contacts/Contact.ts"
import { type Walked, walk } from "@carteiro/tables/BoundedWalk.ts"
import { indexedWords, typedWords } from "@carteiro/tables/FoldedWords.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type ConsentEventRow, type ContactRow, phoneCustomer } from "./ContactState.ts"
import { consentColumns, contactColumns, namedColumns } from "./ContactTables.ts"

/** Filters of a list of contacts. */
export interface ContactFilter {
  readonly match_key?: string | undefined
  readonly opt_in_status?: OptInStatus | undefined
  readonly source?: string | undefined
}

/** A contact with its environment, phone and the name that its profile shows. */
interface NamedContact {
  readonly environment_id: string
  readonly id: string
  /** `+digits`. */
  readonly phone: string
  readonly name: string
}

/** A contact found by its phone: it may have no name. */
interface PhoneContact extends Omit<NamedContact, "name"> {
  readonly name: string | null
}

/** Contacts of a name that one environment reads at most; of more, any of them are shown. */
const mostNamed = 5_000

/** The words of a contact's name, as the index `contacts_name_words` has them. */
const nameWords = indexedWords("left(profile_name, 255)")

/** Reads rows of `contacts` for lists and exports, always within environments that are named. */
export class ContactRepo extends Context.Service<
  ContactRepo,
  {
    /** Returns the contact of an id, also of one that was joined to another contact. */
    find(environmentId: string, id: string): Effect.Effect<ContactRow | undefined>
    /** Returns the known contacts, by match key. */
    findByKeys(environmentId: string, keys: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<ContactRow>>
    /** Returns contacts newest first, before an id when given. Status and source are applied along a bounded walk. */
    list(
      environmentId: string,
      filter: ContactFilter,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<ContactRow>>
    /**
     * Returns contacts in whose name each word of a text begins a word, however accented, in any of these environments,
     * newest first, before an id when given.
     */
    named(
      environmentIds: ReadonlyArray<string>,
      text: string,
      before: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<NamedContact>>
    /** Returns contacts whose phone ends in these digits, in any of these environments, newest first; of many, any of them. */
    endingIn(
      environmentIds: ReadonlyArray<string>,
      digits: string,
      count: number
    ): Effect.Effect<ReadonlyArray<PhoneContact>>
    /** Returns the ids of contacts that were joined to this one. */
    formerIds(environmentId: string, id: string): Effect.Effect<ReadonlyArray<string>>
    /** Returns every choice of a customer, oldest first. */
    consentEvents(environmentId: string, id: string): Effect.Effect<ReadonlyArray<ConsentEventRow>>
  }
>()("@carteiro/runtime/contacts/contact/ContactRepo") {
  static readonly layer = Layer.effect(
    ContactRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const row = sql.literal(contactColumns.list)
      return ContactRepo.of({
        find: (environmentId, id) =>
          one(sql<ContactRow>`select ${row} from contacts where environment_id = ${environmentId}
            and id = coalesce((select contact_id from contact_aliases
              where environment_id = ${environmentId} and id = ${id}), ${id})
            and customer_type = ${phoneCustomer}`),
        // The query makes the planner look up each key by its index, whatever table size it estimates.
        findByKeys: (environmentId, keys) =>
          many(
            sql.unsafe<ContactRow>(
              `select c.* from unnest($2::text[]) as k(key) cross join lateral (
                select ${contactColumns.list} from contacts
                where match_key = k.key and environment_id = $1 and customer_type = '${phoneCustomer}' limit 1) c`,
              [environmentId, arrayParameter("text", keys)]
            )
          ),
        list: (environmentId, { match_key, opt_in_status, source }, before, count) => {
          const along = [sql`environment_id = ${environmentId}`, sql`id < ${before ?? "~"}`]
          const wanted = [
            ...(opt_in_status === undefined ? [] : [sql`opt_in_status = ${opt_in_status}`]),
            ...(source === undefined ? [] : [sql`source = ${source}`])
          ]
          // At most one contact has the phone, and an index finds it.
          const isOne = match_key !== undefined
          return walk<ContactRow>(sql, {
            table: "contacts",
            along: isOne ? [...along, sql`match_key = ${match_key}`, ...wanted] : along,
            narrowed: isOne ? [] : wanted,
            page: (conditions) => sql`select ${row} from contacts
              where ${sql.and(conditions)} and customer_type = ${phoneCustomer} order by id desc limit ${count}`
          })
        },
        // The inner limit keeps the planner from walking an environment, whatever table size it estimates.
        named: (environmentIds, text, before, count) =>
          many(
            sql.unsafe<NamedContact>(
              `select e.id as environment_id, c.id, c.phone, c.profile_name as name
                from unnest($1::text[]) as e(id) cross join lateral (
                  select matched.id, matched.phone, matched.profile_name from (
                    select ${namedColumns.list} from contacts
                    where profile_name is not null and ${nameWords} @@ ${typedWords("$2")}::tsquery limit ${mostNamed}) as matched
                  where matched.environment_id = e.id and matched.customer_type = '${phoneCustomer}' and matched.id < $4
                  order by matched.id desc limit $3) as c
                order by c.id desc limit $3`,
              [arrayParameter("text", environmentIds), text, count, before ?? "~"]
            )
          ),
        // The limit of each environment ends its range of the index: a few digits may end thousands of phones.
        endingIn: (environmentIds, digits, count) => {
          const backwards = [...digits].toReversed().join("")
          return many(
            sql.unsafe<PhoneContact>(
              `select e.id as environment_id, c.id, c.phone, c.profile_name as name
                from unnest($1::text[]) as e(id) cross join lateral (
                  select o.id, o.phone, o.profile_name from contacts o where o.environment_id = e.id and o.phone <> ''
                    and o.customer_type = '${phoneCustomer}' and reverse(o.match_key) >= $2
                    and reverse(o.match_key) < $2 || ':' limit $3) as c
                order by c.id desc limit $3`,
              [arrayParameter("text", environmentIds), backwards, count]
            )
          )
        },
        formerIds: (environmentId, id) =>
          many(
            sql<{ readonly id: string }>`select id from contact_aliases
              where contact_id = ${id} and environment_id = ${environmentId} order by id limit 100`,
            (alias) => alias.id
          ),
        consentEvents: (environmentId, id) =>
          many(sql<ConsentEventRow>`select ${sql.literal(consentColumns.list)} from consent_events
            where environment_id = ${environmentId} and contact_id = ${id} order by id`)
      })
    })
  )
}
