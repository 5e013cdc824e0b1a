import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { phoneNumbersTable } from "./NumberTables.ts"

const simulated = (value: string, otherwise = "null"): string =>
  `case when r.environment = 'sandbox' then ${value} else ${otherwise} end`

/**
 * Inserts a fictitious number, active from the start. No phone in the world has it: area code 20 is assigned to no
 * region, and a counter makes each number unique.
 */
const insertFictitious = insertInto(phoneNumbersTable, {
  name: "phone_numbers.insert_fictitious",
  columns: ["environment_id", "id", "environment", "display_name", "created_at"],
  values: {
    source: "'byon'",
    status: "'active'",
    ddd: "'20'",
    phone: "'+55209' || lpad(nextval('fictitious_phones')::text, 8, '0')",
    // A sandbox number has a simulated health snapshot: gaps-2 K "Health sweep".
    quality_rating: simulated("'green'", "'unknown'"),
    messaging_tier: simulated("'tier_1k'", "'unknown'"),
    messaging_limit_tier: simulated("'TIER_1K'"),
    upstream_throughput_tier: simulated("'2'"),
    upstream_quality_rating: simulated("'GREEN'"),
    verified_name: simulated("coalesce(r.display_name, 'Sandbox Sender')"),
    upstream_health_synced_at: simulated("r.created_at"),
    updated_at: "r.created_at",
    activated_at: "r.created_at"
  },
  conflict: "ignore"
})

/** Returns the row of a fictitious number; `at` in epoch milliseconds. */
export const fictitiousNumber = (number: {
  readonly environment_id: string
  readonly id: string
  readonly kind: EnvironmentKind
  readonly at: number
}) =>
  insertFictitious.row({
    environment_id: number.environment_id,
    id: number.id,
    environment: number.kind,
    display_name: number.kind === "sandbox" ? "Sandbox" : "Demo",
    created_at: number.at
  })

/** Sets the chat platform's account, and the id there, of a number without an account. */
export const coverNumber = updateOf(phoneNumbersTable, {
  name: "phone_numbers.cover",
  set: ["upstream_phone_number_id", "biz_account_id", "updated_at"],
  where: "t.upstream_phone_number_id is null",
  target: rowOf("phone_numbers", "id")
})

/**
 * Stores a code that a number in setup received; reads show it for ten minutes. A number in use does not change. gaps-2
 * K "State machine"
 */
export const receiveCode = updateOf(phoneNumbersTable, {
  name: "phone_numbers.receive_code",
  set: ["verification_code", "verification_code_received_at"],
  values: { updated_at: "r.verification_code_received_at" },
  where: "t.status in ('provisioning', 'provisioned', 'verifying')",
  target: rowOf("phone_numbers", "id")
})

/**
 * Records the result of a registration at the chat platform; a null PIN leaves the stored one unchanged. A state that
 * another write set meanwhile stays. U-CON-03
 */
export const recordRegistration = updateOf(phoneNumbersTable, {
  name: "phone_numbers.record_registration",
  beside: { from_state: "text" },
  set: ["registration_state", "registration_pin", "registration_problem", "registration_tried_at"],
  values: { registration_pin: "coalesce(r.registration_pin, t.registration_pin)" },
  where: "t.registration_state is not distinct from r.from_state",
  target: rowOf("phone_numbers", "id")
})

/** Records that the chat platform refused a send because the number is not registered there. U-CON-03 */
export const requireRegistration = updateOf(phoneNumbersTable, {
  name: "phone_numbers.require_registration",
  values: { registration_state: "'required'" },
  where: "t.status = 'active' and t.registration_state is distinct from 'pin_required'",
  target: rowOf("phone_numbers", "id")
})

/** Stores the PIN that an owner entered for a number whose PIN the chat platform holds already. U-CON-03 */
export const enterPin = updateOf(phoneNumbersTable, {
  name: "phone_numbers.enter_pin",
  set: ["registration_pin"],
  values: { registration_state: "'required'", registration_problem: "null", registration_tried_at: "null" },
  guard: "t.registration_state = 'pin_required' and t.status = 'active'",
  returning: "t.id",
  target: rowOf("phone_numbers", "id")
})

const knownTiers = "'tier_50', 'tier_250', 'tier_1k', 'tier_2k', 'tier_10k', 'tier_100k', 'tier_unlimited'"

/** SQL: the tier of the public contract for the lower-case name of a reported limit. */
const tierOf = (reported: string): string => `case when ${reported} = 'tier_unlimited' then 'unlimited'
      when ${reported} in (${knownTiers}) then ${reported} else 'unknown' end`

/** The reported allowance; one that is not reported keeps the known one. U-LIM-01 */
const allowanceOf = {
  messaging_limit_tier: "coalesce(r.messaging_limit_tier, t.messaging_limit_tier)",
  messaging_tier: `case when r.messaging_tier is null then t.messaging_tier else ${tierOf("r.messaging_tier")} end`
}

/**
 * Records the quality and allowance that the chat platform reports; a null leaves the column unchanged. gaps-2 K
 * "Health sweep"
 */
export const reportQuality = updateOf(phoneNumbersTable, {
  name: "phone_numbers.report_quality",
  set: ["quality_rating", "messaging_limit_tier", "messaging_tier", "upstream_throughput_tier", "updated_at"],
  values: {
    quality_rating: "coalesce(r.quality_rating, t.quality_rating)",
    upstream_throughput_tier: "coalesce(r.upstream_throughput_tier, t.upstream_throughput_tier)",
    ...allowanceOf
  },
  target: rowOf("phone_numbers", "id")
})

/** Records the chat platform's review of a number's name. gaps-2 K "Inner phone shapes" */
export const reportName = updateOf(phoneNumbersTable, {
  name: "phone_numbers.report_name",
  set: ["verified_name", "pending_name_review", "name_review", "updated_at"],
  values: {
    verified_name: "coalesce(r.verified_name, t.verified_name)",
    name_review: "coalesce(r.name_review, t.name_review)"
  },
  target: rowOf("phone_numbers", "id")
})

/**
 * Records all results of a health check of a number in one update: a missing value becomes unknown, a missing allowance
 * or portfolio keeps the known one (U-LIM-01), and a name under review keeps the time when it was first seen. gaps-2 K "Health
 * sweep"
 */
export const reportHealth = updateOf(phoneNumbersTable, {
  name: "phone_numbers.report_health",
  beside: { pending_name: "text" },
  set: [
    "portfolio_id",
    "quality_rating",
    "upstream_quality_rating",
    "messaging_limit_tier",
    "messaging_tier",
    "upstream_throughput_tier",
    "verified_name",
    "upstream_health_synced_at"
  ],
  values: {
    ...allowanceOf,
    portfolio_id: "coalesce(r.portfolio_id, t.portfolio_id)",
    portfolio_changed_at: `case when r.portfolio_id <> coalesce(t.portfolio_id, '') then r.upstream_health_synced_at
      else t.portfolio_changed_at end`,
    pending_name_review: `case when r.pending_name is null then null
      when t.pending_name_review is not null and t.pending_name_review::json ->> 'name' = r.pending_name
        then t.pending_name_review
      else json_build_object('name', r.pending_name, 'submitted_at',
        to_char(r.upstream_health_synced_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text end`,
    updated_at: "r.upstream_health_synced_at"
  },
  where: "t.status = 'active'",
  target: rowOf("phone_numbers", "id")
})

/**
 * Records the limit that the chat platform reports for a portfolio, and gives it to all numbers of the portfolio in the
 * same commit, in whichever environment they are. A limit that is not reported keeps the known one: at first the one that
 * a number of the portfolio was reported with last. U-LIM-01, U-LIM-02
 */
export const reportPortfolio = defineWrite({
  name: "portfolios.report",
  columns: { portfolio_id: "text", messaging_limit_tier: "text", updated_at: "timestamptz" },
  before: [
    {
      name: "portfolio_reported",
      sql: (source) => `insert into portfolios as p (id, messaging_limit_tier, messaging_tier, updated_at)
        select k.id, k.reported, ${tierOf("lower(k.reported)")}, k.updated_at from (
          select distinct on (r.portfolio_id) r.portfolio_id as id, r.updated_at, coalesce(r.messaging_limit_tier,
            (select q.messaging_limit_tier from portfolios q where q.id = r.portfolio_id),
            (select n.messaging_limit_tier from phone_numbers n where n.portfolio_id = r.portfolio_id
              and n.messaging_limit_tier is not null order by n.upstream_health_synced_at desc nulls last, n.id limit 1))
            as reported
          from ${source} r order by r.portfolio_id, r.messaging_limit_tier is null) k
        on conflict (id) do update set messaging_limit_tier = excluded.messaging_limit_tier,
          messaging_tier = excluded.messaging_tier, updated_at = excluded.updated_at,
          limit_revision = p.limit_revision + (p.messaging_tier <> excluded.messaging_tier)::int4
        returning id, messaging_limit_tier, messaging_tier`
    }
  ],
  sql: () => `update phone_numbers t set messaging_limit_tier = p.messaging_limit_tier, messaging_tier = p.messaging_tier
    from portfolio_reported p where t.portfolio_id = p.id and p.messaging_limit_tier is not null
      and (t.messaging_limit_tier, t.messaging_tier) is distinct from (p.messaging_limit_tier, p.messaging_tier)`,
  target: rowOf("portfolios", "portfolio_id")
})
