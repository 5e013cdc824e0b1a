import { defineWrite } from "../platform/commit/Write.ts"

/** Names the row that a change of one customer's contact locks. */
const contactTarget = (contact: { readonly environment_id: string | null; readonly match_key: string | null }) =>
  `contacts/${contact.environment_id}/${contact.match_key}`

// Greatest ignores nulls: a contact without any choice takes every one.
const newer = `excluded.opt_in_status <> 'none' and
        coalesce(excluded.opted_in_at, excluded.opted_out_at)
          >= coalesce(greatest(c.opted_in_at, c.opted_out_at), '-infinity')`

/**
 * A customer wrote: the contact is made when there is none, and keeps the latest name and instant. `consent` is what the
 * text asked for, or null; of several in one batch the latest counts, and one older than a recorded choice changes
 * nothing, so a repeated call is the same call. gaps-2 C "Opt-out by message", gaps-2 I "Contact record"
 */
export const heardFrom = defineWrite({
  name: "contacts.heard_from",
  columns: {
    environment_id: "text",
    id: "text",
    customer_type: "text",
    match_key: "text",
    phone: "text",
    profile_name: "text",
    consent: "text",
    at: "timestamptz"
  },
  target: contactTarget,
  sql: (source) => `insert into contacts as c (environment_id, id, customer_type, match_key, phone, profile_name,
      opt_in_status, source, opted_in_at, opted_out_at, last_inbound_at, created_at, updated_at)
    select h.environment_id, h.id, h.customer_type, h.match_key, h.phone, h.profile_name, coalesce(h.consent, 'none'),
      case when h.consent is null then 'inbound' else 'inbound_keyword' end,
      case when h.consent = 'opted_in' then h.consent_at end, case when h.consent = 'opted_out' then h.consent_at end,
      h.latest, h.earliest, h.latest
    from (
      select r.environment_id, r.customer_type, r.match_key, min(r.id) as id, min(r.at) as earliest, max(r.at) as latest,
        (array_agg(r.phone order by r.at))[1] as phone,
        (array_agg(r.profile_name order by r.at desc) filter (where r.profile_name is not null))[1] as profile_name,
        (array_agg(r.consent order by r.at desc) filter (where r.consent is not null))[1] as consent,
        max(r.at) filter (where r.consent is not null) as consent_at
      from ${source} r group by r.environment_id, r.customer_type, r.match_key
    ) h
    order by h.environment_id, h.customer_type, h.match_key
    on conflict (environment_id, customer_type, match_key) do update set
      profile_name = coalesce(excluded.profile_name, c.profile_name),
      last_inbound_at = greatest(c.last_inbound_at, excluded.last_inbound_at),
      updated_at = greatest(c.updated_at, excluded.updated_at),
      opt_in_status = case when ${newer} then excluded.opt_in_status else c.opt_in_status end,
      source = case when ${newer} then excluded.source else c.source end,
      opted_in_at = case when ${newer} then coalesce(excluded.opted_in_at, c.opted_in_at) else c.opted_in_at end,
      opted_out_at = case when ${newer} then coalesce(excluded.opted_out_at, c.opted_out_at) else c.opted_out_at end`
})
