import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { LentSlot } from "./LentSlot.ts"
import { lentSlot } from "./LentSlotSql.ts"
import {
  type GuardedNumber,
  isPoor,
  type MarketingAttempt,
  type MarketingFacts,
  type Quality
} from "./MarketingGuard.ts"

/** A template send to decide, with the keys of its look-ups. */
export interface GuardedSend {
  readonly message_id: string
  readonly customer_key: string
  /** Null for categories other than marketing, and while its media is not hashed. */
  readonly content_hash: string | null
  readonly template_name: string
  readonly template_language: string
}

/** The facts that decide a send, and the claim on its content that it may take over. */
export interface ReadGuards {
  readonly facts: MarketingFacts
  readonly replaces: string | null
  /** True when the recipient's contact has opted out; the commit also checks erased customers. */
  readonly optedOut: boolean
  /** True when the recipient has a live slot of the number. */
  readonly slotted: boolean
  /** The live slot of another number of its portfolio, which the number may share; undefined without one. */
  readonly lent: LentSlot | undefined
}

/**
 * Template sends of one number. Before dispatch only earlier marketing counts as pending, so that of two waiting
 * messages one can be sent.
 */
interface GuardsAsked {
  readonly number: GuardedNumber
  readonly sends: ReadonlyArray<GuardedSend>
  readonly when: "accept" | "dispatch"
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Reads the limits of templates: rows that hold marketing back, and slots. Sends of many numbers share one statement,
 * so that spread traffic costs few.
 */
export class GuardRepo extends Context.Service<
  GuardRepo,
  {
    /** Returns the limits of these sends, in their order. */
    readGuards(sends: GuardsAsked): Effect.Effect<ReadonlyArray<ReadGuards>>
  }
>()("@carteiro/runtime/messages/guards/GuardRepo") {
  static readonly layer = Layer.effect(
    GuardRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const readGuards = yield* readTogether((asks: ReadonlyArray<GuardsAsked>) => {
        const sends = asks.flatMap((ask) => ask.sends.map((send) => ({ ...ask, send })))
        const column = (name: keyof GuardedSend) =>
          arrayParameter(
            "text",
            sends.map(({ send }) => send[name])
          )
        const ofNumber = (name: "account_id" | "environment_id" | "id" | "portfolio_id") =>
          arrayParameter(
            "text",
            sends.map(({ number }) => number[name])
          )
        const rows = many(
          sql.unsafe<GuardRow>(guardsSql, [
            ofNumber("environment_id"),
            ofNumber("id"),
            ofNumber("account_id"),
            arrayParameter(
              "bool",
              sends.map(({ when }) => when === "dispatch")
            ),
            arrayParameter(
              "timestamptz",
              sends.map(({ now }) => now)
            ),
            column("message_id"),
            column("customer_key"),
            column("content_hash"),
            column("template_name"),
            column("template_language"),
            arrayParameter(
              "bool",
              sends.map(({ number }) => number.environment === "production")
            ),
            arrayParameter(
              "bool",
              sends.map(({ number }) => isPoor(number.quality_rating))
            ),
            ofNumber("portfolio_id")
          ])
        )
        return Effect.map(rows, (found) => {
          let next = 0
          return asks.map(({ number, sends }) =>
            sends.map((send) => toGuards(found[next++] as GuardRow, number, send.content_hash !== null))
          )
        })
      })
      return GuardRepo.of({ readGuards })
    })
  )
}

// A claim reflects its message's own status: a cancelled or missing message holds nothing back. `lateral … limit 1` and
// scalar sub-selects make the planner look up each key by its index; the end of a slot is compared outside its look-up,
// because the planner would use the index of all live slots for a range. Columns that must not be found by the primary
// key, of which only the environment is known, are compared as expressions. Pending messages are looked up only where
// the guards may need a cooldown, and connections only in production.
const guardsSql = `select t.provider_quality as template_quality, l.covered, l.warned_at,
  c.message_id as claimed_by, c.attempted_at, c.claimed_at, m.status as claimed_status, m.sending_since,
  h.latest_at, h.latest_code, h.previous_at, h.previous_code,
  (select true from marketing_stops s where s.customer_key = k.customer_key and s.account_id = k.account_id
    limit 1) is not null as stopped,
  (select true from messages u where u.customer_key = k.customer_key and u.environment_id || '' = k.environment_id
    and u.type = 'template' and u.template_category is null and u.status in ('queued', 'sending')
    and u.id <> k.message_id limit 1) is not null as unclassified,
  case when k.poor or t.provider_quality in ('yellow', 'red') or l.warned_at is not null
    then exists (select 1 from marketing_claims p cross join lateral (select w.id, w.status from messages w
        where w.environment_id = k.environment_id and w.id = p.message_id limit 1) w
      where p.customer_key = k.customer_key and p.business_id = k.business_id
        and p.environment_id = k.environment_id and p.attempted_at is null and p.message_id <> k.message_id
        and (w.status = 'sending' or w.status = 'queued' and (not k.dispatch or w.id < k.message_id)))
    else false end as pending,
  coalesce((select a.expires_at from allowance_slots a where a.environment_id = k.environment_id
    and a.business_id = k.business_id and a.customer_key = k.customer_key) > k.at, false) as slotted,
  e.business_id as lender_id, e.expires_at as lent_until,
  coalesce(n.opt_in_status = 'opted_out', false) as opted_out, n.last_inbound_at as heard_anywhere_at, w.latest_inbound_at as heard_here_at
  from unnest($1::text[], $2::text[], $3::text[], $4::bool[], $5::timestamptz[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::bool[], $12::bool[], $13::text[]) with ordinality as k(environment_id, business_id,
      account_id, dispatch, at, message_id, customer_key, content_hash, template_name, template_language, production, poor,
      portfolio_id, n)
  left join lateral (select t.provider_quality from templates t where t.name = k.template_name
    and t.environment_id = k.environment_id and t.language = k.template_language and t.deleted_at is null limit 1) t
    on true
  left join lateral (select count(*) > 0 as covered, max(l.last_policy_warning_at) as warned_at
    from provider_connections l where k.production and l.environment_id = k.environment_id and l.provider = 'upstream'
      and l.channel = 'chatapp' and l.biz_account_id = k.account_id) l on true
  left join lateral (select c.message_id, c.attempted_at, c.claimed_at from marketing_claims c
    where c.environment_id = k.environment_id and c.customer_key = k.customer_key and c.content_hash = k.content_hash
      and c.message_id <> k.message_id limit 1) c on true
  left join lateral (select m.status, m.sending_since from messages m where m.environment_id = k.environment_id
    and m.id = c.message_id limit 1) m on true
  left join lateral (select h.latest_at, h.latest_code, h.previous_at, h.previous_code from marketing_attempts h
    where h.environment_id = k.environment_id and h.business_id = k.business_id and h.customer_key = k.customer_key
    limit 1) h on true
  left join lateral (select c.last_inbound_at, c.opt_in_status from contacts c where c.environment_id = k.environment_id
    and c.match_key = k.customer_key and c.customer_type = 'phone_e164' limit 1) n on true
  left join lateral (select w.latest_inbound_at from service_windows w where w.environment_id = k.environment_id
    and w.channel = 'chatapp' and w.business_id = k.business_id and w.customer_key = k.customer_key limit 1) w on true
  left join lateral (${lentSlot({
    environment_id: "k.environment_id",
    business_id: "k.business_id",
    portfolio_id: "k.portfolio_id",
    customer_key: "k.customer_key",
    at: "k.at"
  })}) e on true
  order by k.n`

interface GuardRow {
  readonly template_quality: Quality | null
  /** True when a connection of the production environment covers the number's account. */
  readonly covered: boolean
  readonly warned_at: number | null
  readonly claimed_by: string | null
  readonly attempted_at: number | null
  readonly claimed_at: number | null
  readonly claimed_status: string | null
  readonly sending_since: number | null
  readonly latest_at: number | null
  readonly latest_code: number | null
  readonly previous_at: number | null
  readonly previous_code: number | null
  readonly stopped: boolean
  readonly unclassified: boolean
  readonly pending: boolean
  readonly slotted: boolean
  readonly lender_id: string | null
  readonly lent_until: number | null
  readonly opted_out: boolean
  readonly heard_anywhere_at: number | null
  readonly heard_here_at: number | null
}

const toGuards = (row: GuardRow, number: GuardedNumber, verified: boolean): ReadGuards => {
  const heardHere = row.heard_here_at ?? undefined
  return {
    facts: {
      policy: policyOf(row, number),
      stopped: row.stopped,
      verified,
      unclassified: row.unclassified,
      identical: identicalOf(row),
      attempts: [attemptOf(row.latest_at, row.latest_code), attemptOf(row.previous_at, row.previous_code)],
      pending: row.pending,
      heard_anywhere_at: later(row.heard_anywhere_at ?? undefined, heardHere),
      heard_here_at: heardHere
    },
    replaces: row.claimed_by,
    optedOut: row.opted_out,
    slotted: row.slotted,
    lent:
      row.slotted || row.lender_id === null || row.lent_until === null
        ? undefined
        : { lender_id: row.lender_id, expires_at: row.lent_until }
  }
}

// A sandbox has neither connection nor warnings; a production number that never had a connection has no policy.
const policyOf = (row: GuardRow, number: GuardedNumber): MarketingFacts["policy"] => {
  const sandbox = number.environment === "sandbox"
  if (row.template_quality === null || !(sandbox || row.covered)) return undefined
  return {
    phone_quality: number.quality_rating,
    template_quality: row.template_quality,
    last_policy_warning_at: sandbox ? null : row.warned_at
  }
}

const identicalOf = (row: GuardRow): MarketingFacts["identical"] => {
  if (row.attempted_at !== null) return { state: "attempted", attempted_at: row.attempted_at }
  switch (row.claimed_status) {
    case null:
    case "cancelled":
      return undefined
    case "queued":
    case "sending":
      return { state: "pending" }
    default:
      return { state: "attempted", attempted_at: row.sending_since ?? row.claimed_at ?? 0 }
  }
}

const attemptOf = (at: number | null, code: number | null): MarketingAttempt | undefined =>
  at === null ? undefined : { at, code }

const later = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one
