import { insertInto } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { contactErasuresTable } from "./ContactErasureTables.ts"

/**
 * Erases a contact: the commit deletes its row, its choices and the ids that lead to it, keeps an opt-out as a keyed hash
 * of every key of the person, and records the erasure for the job. When the row changed since the read, nothing of the unit is written. gaps-2 I "Erasure"
 */
export const eraseContact = defineWrite({
  name: "contacts.erase",
  columns: {
    environment_id: "text",
    id: "text",
    customer_type: "text",
    match_key: "text",
    keys: "text",
    subjects: "text",
    revision: "int8",
    at: "timestamptz"
  },
  target: (row) => `contacts/${row.environment_id}/${row.match_key}`,
  guard: (source) => `select a.unit from ${source} a
    join contacts c on c.environment_id = a.environment_id and c.id = a.id and c.revision = a.revision
    order by c.environment_id, c.id for update of c`,
  before: [
    {
      name: "contacts_erase_suppress",
      sql: (source) => `insert into contact_suppressions (environment_id, subject, source, opted_out_at)
        select r.environment_id, s.subject, c.source, coalesce(c.opted_out_at, r.at) from ${source} r
        join contacts c on c.environment_id = r.environment_id and c.id = r.id and c.opt_in_status = 'opted_out'
        cross join lateral unnest(string_to_array(r.subjects, ',')) as s(subject)
        on conflict (environment_id, subject) do nothing`
    },
    {
      name: "contacts_erase_events",
      sql: (source) => `delete from consent_events e using ${source} r
        where e.environment_id = r.environment_id and e.contact_id = r.id`
    },
    {
      name: "contacts_erase_ids",
      sql: (source) => `delete from customer_ids i using ${source} r
        where i.environment_id = r.environment_id and i.customer_key = any(string_to_array(r.keys, ','))`
    },
    {
      name: "contacts_erase_joins",
      sql: (source) => `delete from customer_joins j using ${source} r
        where j.environment_id = r.environment_id and j.from_key = any(string_to_array(r.keys, ','))`
    },
    {
      name: "contacts_erase_aliases",
      sql: (source) => `delete from contact_aliases a using ${source} r
        where a.environment_id = r.environment_id and a.contact_id = r.id`
    }
  ],
  returns: true,
  sql: (source) => `delete from contacts c using ${source} r
    where c.environment_id = r.environment_id and c.id = r.id returning c.id as key`
})

/** Records an erasure for the job. It is due at once on real time, also in a sandbox whose clock is ahead. */
export const noteErasure = insertInto(contactErasuresTable, {
  columns: ["environment_id", "id", "customer_type", "match_key", "erased_at"],
  values: { due_at: "'-infinity'" }
})
