import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { marketingClaimsTable, marketingStopsTable } from "./GuardTables.ts"

/** All marketing of one recipient within an environment: two units of it are never merged into one statement. */
const recipientTarget = rowOf("marketing", "environment_id", "customer_key")

// The facts about the recipient of `a`, written so that the planner uses an index for each look-up, row by row.
const noAttemptTold = `(select h.latest_code from marketing_attempts h where h.environment_id = a.environment_id
      and h.business_id = a.business_id and h.customer_key = a.customer_key) is null`
const noStop = `(select true from marketing_stops s where s.customer_key = a.customer_key
      and s.account_id = a.tried_account_id limit 1) is null`
const nothingUnclassified = `(select true from messages u where u.customer_key = a.customer_key
      and u.environment_id || '' = a.environment_id and u.type = 'template' and u.template_category is null
      and u.status in ('queued', 'sending') limit 1) is null`
const covered = `select count(*) > 0 and count(l.last_policy_warning_at) = 0 from provider_connections l
      where l.environment_id = a.environment_id and l.provider = 'upstream' and l.channel = 'chatapp'
        and l.biz_account_id = a.tried_account_id`

/**
 * Claims the content of a marketing template for its recipient, in the commit that accepts it: a row of another message
 * stops the commit, unless it is the attempt after which the recipient wrote (`replaced_message_id`). With `alone`,
 * sender and recipient may have no other pending marketing either. For a send that is tried without a read of its
 * recipient, `tried_account_id` names the account whose marketing they may have stopped: it passes when no fact could
 * hold it back, and otherwise is decided on a fresh read. gaps-2 C "Guard evaluation order"
 */
export const claimContent = defineWrite({
  name: "marketing_claims.claim",
  columns: {
    environment_id: "text",
    customer_key: "text",
    content_hash: "text",
    business_id: "text",
    message_id: "text",
    replaced_message_id: "text",
    alone: "bool",
    tried_account_id: "text",
    production: "bool",
    claimed_at: "timestamptz"
  },
  claims: "message_id",
  guard: (source) => `select a.unit from ${source} a where case when a.tried_account_id is null
    then not a.alone or not exists (
      select 1 from marketing_claims c where c.customer_key = a.customer_key and c.business_id = a.business_id
        and c.environment_id = a.environment_id and c.attempted_at is null and c.message_id <> a.message_id)
    else (${noAttemptTold}) and (${noStop}) and (${nothingUnclassified}) and (not a.production or (${covered})) end`,
  sql: (source) => `insert into marketing_claims as c (environment_id, customer_key, content_hash, business_id,
      message_id, replaced_message_id, claimed_at)
    select r.environment_id, r.customer_key, r.content_hash, r.business_id, r.message_id, r.replaced_message_id,
      r.claimed_at
    from ${source} r order by r.environment_id, r.customer_key, r.content_hash
    on conflict (environment_id, customer_key, content_hash) do update set
      business_id = excluded.business_id, message_id = excluded.message_id, attempted_at = null,
      replaced_message_id = excluded.replaced_message_id, claimed_at = excluded.claimed_at
    where c.message_id in (excluded.replaced_message_id, excluded.message_id)
    returning c.message_id as key`,
  target: recipientTarget
})

const claimKey = { environment_id: "text", customer_key: "text", content_hash: "text" } as const

/** Records that claimed content was attempted: only a later message of the recipient releases it. M-GRD-02, M-GRD-03 */
export const attemptContent = updateOf(marketingClaimsTable, {
  name: "marketing_claims.attempt",
  set: ["attempted_at"],
  beside: { message_id: "text" },
  where: "t.message_id = r.message_id",
  target: recipientTarget
})

/** Releases claimed content that was never attempted: it may be sent again at once. M-GRD-26 */
export const releaseContent = defineWrite({
  name: "marketing_claims.release",
  columns: { ...claimKey, message_id: "text" },
  sql: (source) => `delete from marketing_claims c using ${source} r
    where c.environment_id = r.environment_id and c.customer_key = r.customer_key
      and c.content_hash = r.content_hash and c.message_id = r.message_id`,
  target: recipientTarget
})

const sameLatest = "excluded.latest_message_id = h.latest_message_id"
const samePrevious = "excluded.latest_message_id is not distinct from h.previous_message_id"
const isLatest = `(${sameLatest} or (not ${samePrevious} and excluded.latest_at >= h.latest_at))`
const pushes = `(not ${sameLatest} and not ${samePrevious} and excluded.latest_at >= h.latest_at)`
const isPrevious = `(not ${sameLatest} and (${samePrevious} or excluded.latest_at >= coalesce(h.previous_at, '-infinity')))`

/**
 * Records a marketing attempt, or its result: of sender and recipient the two latest stay, by their instants. A message
 * that is already recorded changes only its code. gaps-2 C "What counts as an attempt"
 */
export const recordAttempt = defineWrite({
  name: "marketing_attempts.record",
  columns: {
    environment_id: "text",
    business_id: "text",
    customer_key: "text",
    message_id: "text",
    at: "timestamptz",
    code: "int4"
  },
  sql: (source) => `insert into marketing_attempts as h (environment_id, business_id, customer_key, latest_message_id,
      latest_at, latest_code)
    select r.environment_id, r.business_id, r.customer_key, r.message_id, r.at, r.code
    from ${source} r order by r.environment_id, r.business_id, r.customer_key
    on conflict (environment_id, business_id, customer_key) do update set
      latest_message_id = case when ${isLatest} then excluded.latest_message_id else h.latest_message_id end,
      latest_at = case when ${isLatest} then excluded.latest_at else h.latest_at end,
      latest_code = case when ${isLatest} then excluded.latest_code else h.latest_code end,
      previous_message_id = case when ${pushes} then h.latest_message_id when ${isPrevious}
        then excluded.latest_message_id else h.previous_message_id end,
      previous_at = case when ${pushes} then h.latest_at when ${isPrevious}
        then excluded.latest_at else h.previous_at end,
      previous_code = case when ${pushes} then h.latest_code when ${isPrevious}
        then excluded.latest_code else h.previous_code end`,
  target: rowOf("marketing_attempts", "environment_id", "business_id", "customer_key")
})

/**
 * Records that the recipient stopped the marketing of a business account upstream. M-GRD-09, gaps-2 C "Upstream
 * marketing stop"
 */
export const stopMarketing = insertInto(marketingStopsTable, {
  columns: ["environment_id", "account_id", "customer_key", "stopped_at"],
  conflict: { on: ["environment_id", "account_id", "customer_key"] }
})

/** Records that the recipient resumed it upstream, which alone ends the stop. M-GRD-10 */
export const resumeMarketing = defineWrite({
  name: "marketing_stops.resume",
  columns: { account_id: "text", customer_key: "text" },
  sql: (source) => `delete from marketing_stops s using ${source} r
    where s.account_id = r.account_id and s.customer_key = r.customer_key`,
  target: rowOf("marketing_stops", "account_id", "customer_key")
})
