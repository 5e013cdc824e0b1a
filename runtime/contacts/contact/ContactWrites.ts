import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { json } from "@carteiro/tables/StoredJson.ts"
import { insertInto } from "@carteiro/tables/TableWrite.ts"
import { defineWrite, type Step } from "@carteiro/tables/Write.ts"
import { consentEventsTable, contactsTable } from "./ContactTables.ts"

/** Names the row that a change of one customer's contact locks. */
const contactTarget = (contact: { readonly environment_id: string | null; readonly match_key: string | null }) =>
  `contacts/${contact.environment_id}/${contact.match_key}`

/** Removes the opt-out that an erasure left behind; the new contact's row holds it from then on. */
const takeSuppressions = (name: string): Step => ({
  name,
  sql: (source) => `delete from contact_suppressions s using ${source} r
    where s.environment_id = r.environment_id and s.subject = any(string_to_array(r.subjects, ','))
    returning s.environment_id, r.match_key, r.customer_type, s.source, s.opted_out_at`
})

// `greatest` ignores nulls: a contact without a choice accepts every choice.
const newer = `excluded.opt_in_status <> 'none' and
        coalesce(greatest(excluded.opted_in_at, excluded.opted_out_at), '-infinity')
          >= coalesce(greatest(c.opted_in_at, c.opted_out_at), '-infinity')`

/**
 * Records that a customer wrote: creates a missing contact, and keeps the latest name and instant. `consent` is the
 * choice that the text makes, or null; of several in one batch the latest counts, and one older than a recorded choice
 * changes nothing, so that a repeated call has one effect. A customer who was erased after an opt-out is created as
 * opted out. gaps-2 C "Opt-out by message", gaps-2 I "Contact record", "Erasure"
 */
export const heardFrom = defineWrite({
  name: "contacts.heard_from",
  columns: {
    environment_id: "text",
    id: "text",
    customer_type: "text",
    match_key: "text",
    subjects: "text",
    phone: "text",
    profile_name: "text",
    user_id: "text",
    username: "text",
    consent: "text",
    at: "timestamptz"
  },
  target: contactTarget,
  before: [takeSuppressions("contacts_heard_suppressed")],
  sql: (source) => `insert into contacts as c (environment_id, id, customer_type, match_key, phone, profile_name,
      user_id, username, opt_in_status, source, opted_in_at, opted_out_at, last_inbound_at, created_at, updated_at)
    select h.environment_id, h.id, h.customer_type, h.match_key, h.phone, h.profile_name,
      h.user_id, h.username, coalesce(h.consent, case when s.source is null then 'none' else 'opted_out' end),
      case when h.consent is not null then 'inbound_keyword' else coalesce(s.source, 'inbound') end,
      case when h.consent = 'opted_in' then h.consent_at end,
      case when h.consent = 'opted_out' then h.consent_at else s.opted_out_at end,
      h.latest, h.earliest, h.latest
    from (
      select r.environment_id, r.customer_type, r.match_key, min(r.id) as id, min(r.at) as earliest, max(r.at) as latest,
        (array_agg(r.phone order by r.at))[1] as phone,
        (array_agg(r.profile_name order by r.at desc) filter (where r.profile_name is not null))[1] as profile_name,
        (array_agg(r.user_id order by r.at desc) filter (where r.user_id is not null))[1] as user_id,
        (array_agg(r.username order by r.at desc) filter (where r.username is not null))[1] as username,
        (array_agg(r.consent order by r.at desc) filter (where r.consent is not null))[1] as consent,
        max(r.at) filter (where r.consent is not null) as consent_at
      from ${source} r group by r.environment_id, r.customer_type, r.match_key
    ) h
    left join (
      select environment_id, customer_type, match_key, min(source) as source, max(opted_out_at) as opted_out_at
      from contacts_heard_suppressed group by 1, 2, 3
    ) s on s.environment_id = h.environment_id and s.customer_type = h.customer_type and s.match_key = h.match_key
    order by h.environment_id, h.customer_type, h.match_key
    on conflict (environment_id, customer_type, match_key) do update set
      profile_name = coalesce(excluded.profile_name, c.profile_name),
      user_id = coalesce(excluded.user_id, c.user_id),
      username = coalesce(excluded.username, c.username),
      last_inbound_at = greatest(c.last_inbound_at, excluded.last_inbound_at),
      updated_at = greatest(c.updated_at, excluded.updated_at),
      revision = c.revision + 1,
      opt_in_status = case when ${newer} then excluded.opt_in_status else c.opt_in_status end,
      source = case when ${newer} then excluded.source else c.source end,
      opted_in_at = case when ${newer} then coalesce(excluded.opted_in_at, c.opted_in_at) else c.opted_in_at end,
      opted_out_at = case when ${newer} then coalesce(excluded.opted_out_at, c.opted_out_at) else c.opted_out_at end
    returning c.environment_id, c.id, c.customer_type, c.match_key, c.opt_in_status, c.opted_in_at, c.opted_out_at`
})

/** Shows an id of the platform, and the username, on the contact of a key; changes nothing that is shown already. */
const showCustomerId = defineWrite({
  name: "contacts.show_user_id",
  columns: {
    environment_id: "text",
    match_key: "text",
    customer_type: "text",
    user_id: "text",
    username: "text",
    at: "timestamptz"
  },
  target: contactTarget,
  sql: (source) => `update contacts c set user_id = r.user_id, username = coalesce(r.username, c.username),
      updated_at = greatest(c.updated_at, r.at), revision = c.revision + 1
    from ${source} r where c.environment_id = r.environment_id and c.match_key = r.match_key
      and c.customer_type = r.customer_type
      and (c.user_id is distinct from r.user_id or c.username is distinct from coalesce(r.username, c.username))`
})

/** Changes of contacts on which other rooms decide. Each returns a row for their commit. */
export const contactChanges = { heardFrom: heardFrom.row, showId: showCustomerId.row } as const

/**
 * Runs after `heardFrom`: records the choices that keywords made, where they counted. Each id derives from the
 * message's id, so a repeat adds nothing.
 */
export const keywordEvents = {
  name: "contacts.keyword_events",
  returns: false,
  sql: (source: string) => `insert into consent_events (environment_id, contact_id, id, type, source, occurred_at)
    select h.environment_id, h.id, 'cev_' || substr(r.id, 5), r.consent, 'inbound_keyword', r.at
    from ${source} r
    join contacts_heard_from h on h.environment_id = r.environment_id and h.customer_type = r.customer_type
      and h.match_key = r.match_key
    where r.consent = h.opt_in_status
      and r.at = case when r.consent = 'opted_in' then h.opted_in_at else h.opted_out_at end
    on conflict (environment_id, contact_id, id) do nothing`
}

/**
 * Creates a missing contact without a choice, so that the following change has a row: two concurrent calls make one
 * contact with one id.
 */
export const makeContact = insertInto(contactsTable, {
  name: "contacts.make",
  columns: ["environment_id", "id", "customer_type", "match_key", "phone", "user_id", "source", "created_at"],
  values: { opt_in_status: "'none'", updated_at: "r.created_at" },
  conflict: { on: ["environment_id", "customer_type", "match_key"] }
})

/**
 * Writes the choices of customers, all of a unit or none: when a row changed since the read, nothing of the unit is
 * written. It removes the opt-outs that erasures left for them.
 */
export const saveContact = defineWrite({
  name: "contacts.save",
  columns: {
    environment_id: "text",
    id: "text",
    customer_type: "text",
    match_key: "text",
    subjects: "text",
    revision: "int8",
    opt_in_status: "text",
    source: "text",
    metadata: json<Metadata>(),
    opted_in_at: "timestamptz",
    opted_out_at: "timestamptz",
    updated_at: "timestamptz"
  },
  target: contactTarget,
  before: [takeSuppressions("contacts_save_suppressed")],
  guard: (source) => `with locked as materialized (
      select a.unit, c.id from ${source} a
      join contacts c on c.environment_id = a.environment_id and c.id = a.id and c.revision = a.revision
      order by c.environment_id, c.id for update of c
    )
    select a.unit from ${source} a left join locked l on l.unit = a.unit and l.id = a.id
    group by a.unit having bool_and(l.id is not null)`,
  returns: true,
  sql: (source) => `update contacts c set opt_in_status = r.opt_in_status, source = r.source, metadata = r.metadata,
      opted_in_at = r.opted_in_at, opted_out_at = r.opted_out_at, updated_at = r.updated_at, revision = c.revision + 1
    from ${source} r where c.environment_id = r.environment_id and c.id = r.id returning c.id as key`
})

/** Records a choice. */
export const insertConsentEvent = insertInto(consentEventsTable, {
  columns: ["environment_id", "contact_id", "id", "type", "source", "reason", "occurred_at"]
})
