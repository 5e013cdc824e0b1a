import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { matchKey, spellingsOf } from "@carteiro/schema/messages/Vocabulary.ts"
import type { NumberSource, NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { type Walked, walk, walkOn } from "@carteiro/tables/BoundedWalk.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { NumberRow } from "./NumberRead.ts"
import { goneStatuses } from "./NumberState.ts"
import { numberColumns } from "./NumberTables.ts"

/** A number from which an integrator can send at once. */
export interface ReadyNumber {
  readonly id: string
  readonly phone: string | null
  readonly display_name: string | null
  readonly status: string
}

/** Returns all spellings of a phone in E.164: the platform leaves out the ninth digit of some. U-CON-08 */
const phonesOf = (digits: string) =>
  arrayParameter(
    "text",
    spellingsOf(matchKey(digits)).map((spelling) => `+${spelling}`)
  )

/** Filters of a list of numbers. gaps-2 A "Lists" */
export interface NumberFilters {
  readonly status?: NumberStatus | undefined
  readonly source?: NumberSource | undefined
}

/** The live numbers of an account, and the version under which they were counted; null before the first count. */
export interface Roster {
  readonly count: number
  readonly version: number | null
}

/** A number of a tenant's own account at the number provider. */
export interface ImportedNumber {
  readonly provider_connection_id: string
  readonly provider_number_id: string
  readonly phone: string
}

/** A number as the number provider's calls name it. */
export interface NumprovNumber {
  readonly environment_id: string
  readonly id: string
  readonly phone: string | null
}

/** A production number of an account of the chat platform. */
interface AccountNumber {
  readonly environment_id: string
  readonly id: string
  /** Null while it is unknown. */
  readonly portfolio_id: string | null
}

/** Returns the SQL of an instant in the wire format. */
const utc = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Reads numbers, always within one environment or account. A-CONV-21 */
export class NumberDirectory extends Context.Service<
  NumberDirectory,
  {
    /** Returns the oldest active number. */
    firstActive(environmentId: string): Effect.Effect<ReadyNumber | undefined>
    find(environmentId: string, id: string): Effect.Effect<ReadyNumber | undefined>
    /** Returns a number with everything that its reads show. */
    read(environmentId: string, id: string): Effect.Effect<NumberRow | undefined>
    /** Returns numbers that are not released, newest first, after `before` when given. M-PHN-42 */
    list(
      environmentId: string,
      filters: NumberFilters,
      before: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<NumberRow>>
    /** Returns the part of that list that one bounded walk finds. */
    walk(
      environmentId: string,
      filters: NumberFilters,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<NumberRow>>
    /**
     * Returns the live numbers of an organization's production environments, or of one sandbox. gaps-3 E "Phone count
     * for plan_phone_limit_reached"
     */
    roster(accountId: string, kind: EnvironmentKind): Effect.Effect<Roster>
    /** True when any account has that phone, or that number of the chat platform. gaps-2 K "Connect rules" */
    isLive(number: { readonly phone: string; readonly upstream_phone_number_id: string | null }): Effect.Effect<boolean>
    /**
     * True when a connection's number is already managed, or its phone is an imported number of that environment.
     * M-IMP-15
     */
    isImported(environmentId: string, number: ImportedNumber): Effect.Effect<boolean>
    countActive(environmentId: string): Effect.Effect<number>
    /**
     * Returns the number with that id at the number provider: rented through our own account, or managed for a tenant's
     * connection.
     */
    ofNumprov(account: "platform" | (string & {}), providerNumberId: string): Effect.Effect<NumprovNumber | undefined>
    /** Returns the production numbers that have, or had, this id at the chat platform. */
    ofUpstream(upstreamPhoneNumberId: string): Effect.Effect<ReadonlyArray<string>>
    /** Returns the production numbers of an account of the chat platform, by the digits of their phones. */
    ofAccount(bizAccountId: string, digits: string | undefined): Effect.Effect<ReadonlyArray<AccountNumber>>
  }
>()("@carteiro/runtime/phone-numbers/number/NumberDirectory") {
  static readonly layer = Layer.effect(
    NumberDirectory,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const shown = sql.literal(shownColumns)
      const live = sql.literal(`status not in (${goneStatuses.map((status) => `'${status}'`).join(", ")})`)
      const part = (
        environmentId: string,
        { source, status }: NumberFilters,
        before: string | undefined,
        count: number
      ) => {
        const narrowed = [sql`status <> 'released'`]
        if (source !== undefined) narrowed.push(sql`source = ${source}`)
        if (status !== undefined) narrowed.push(sql`status = ${status}`)
        return walk<NumberRow>(sql, {
          table: "phone_numbers",
          along: [sql`environment_id = ${environmentId}`, sql`id < ${before ?? "~"}`],
          narrowed,
          page: (conditions) =>
            sql`select ${shown} from phone_numbers n where ${sql.and(conditions)} order by id desc limit ${count}`
        })
      }
      return NumberDirectory.of({
        firstActive: (environmentId) =>
          one(sql<ReadyNumber>`select id, phone, display_name, status from phone_numbers
            where environment_id = ${environmentId} and status = 'active' order by id limit 1`),
        find: (environmentId, id) =>
          one(sql<ReadyNumber>`select id, phone, display_name, status from phone_numbers
            where environment_id = ${environmentId} and id = ${id}`),
        ofAccount: (bizAccountId, digits) =>
          many(sql<AccountNumber>`select environment_id, id, portfolio_id
            from phone_numbers where biz_account_id = ${bizAccountId}
              and (${digits === undefined} or phone = any(${phonesOf(digits ?? "")}))
              and environment = 'production' order by environment_id, id`),
        read: (environmentId, id) =>
          one(sql<NumberRow>`select ${shown} from phone_numbers n
            where n.environment_id = ${environmentId} and n.id = ${id}`),
        list: (environmentId, filters, before, count) =>
          walkOn(count, (reached, rest) => part(environmentId, filters, reached ?? before, rest)),
        walk: part,
        roster: (accountId, kind) =>
          Effect.map(
            one(sql<Roster>`select
                (select count(*)::int4 from environments e join phone_numbers n on n.environment_id = e.id
                  where ${kind === "production" ? sql`e.organization_id = ${accountId}` : sql`e.id = ${accountId}`}
                    and e.kind = ${kind} and not n.status = any(${arrayParameter("text", goneStatuses)})) as count,
                (select v.version::int4 from number_rosters v where v.account_id = ${accountId}) as version`),
            (row) => row ?? { count: 0, version: null }
          ),
        isLive: ({ phone, upstream_phone_number_id }) =>
          Effect.map(
            one(sql<{ readonly id: string }>`
              (select id from phone_numbers where phone = ${phone} and ${live} limit 1) union all
              (select id from phone_numbers where upstream_phone_number_id = ${upstream_phone_number_id} and ${live} limit 1)`),
            (row) => row !== undefined
          ),
        isImported: (environmentId, { phone, provider_connection_id, provider_number_id }) =>
          Effect.map(
            one(sql<{ readonly id: string }>`
              (select m.id from numprov_enrollments m where m.provider_connection_id = ${provider_connection_id}
                and m.provider_number_id = ${provider_number_id} and m.status <> 'ended') union all
              (select m.id from phone_numbers n join numprov_enrollments m on m.phone_number_id = n.id
                where n.phone = ${phone} and n.environment_id = ${environmentId}
                  and not n.status = any(${arrayParameter("text", goneStatuses)}) limit 1)`),
            (row) => row !== undefined
          ),
        ofUpstream: (upstreamPhoneNumberId) =>
          many(
            sql<{ readonly id: string }>`select id from phone_numbers
              where upstream_phone_number_id = ${upstreamPhoneNumberId} and environment = 'production' order by id`,
            ({ id }) => id
          ),
        ofNumprov: (account, providerNumberId) =>
          one(
            account === "platform"
              ? sql<NumprovNumber>`select environment_id, id, phone from phone_numbers
                  where provider_number_id = ${providerNumberId} and source = 'numprov' and ${live}`
              : sql<NumprovNumber>`select n.environment_id, n.id, n.phone from numprov_enrollments m
                  join phone_numbers n on n.id = m.phone_number_id
                  where m.provider_connection_id = ${account} and m.provider_number_id = ${providerNumberId}
                    and m.status <> 'ended'`
          ),
        countActive: (environmentId) =>
          Effect.map(
            one(sql<{ readonly count: number }>`select count(*)::int4 as count from phone_numbers
              where environment_id = ${environmentId} and status = 'active'`),
            (row) => row?.count ?? 0
          )
      })
    })
  )
}

/** The SQL columns of a `NumberRow`. */
const shownColumns = `${numberColumns.of("n")},
  (select json_build_object('id', m.id, 'object', 'numprov_management', 'status',
      case when m.status = 'active' and n.suspended_at is not null then 'suspended' else m.status end,
      'provider_connection_id', m.provider_connection_id, 'terms_version', m.terms_version,
      'enrolled_at', ${utc("m.enrolled_at")}, 'ended_at', ${utc("m.ended_at")}, 'renewal', null)::text
    from numprov_enrollments m where m.phone_number_id = n.id) as enrollment`
