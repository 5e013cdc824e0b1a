import { instant } from "@carteiro/tables/Parameters.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Eraser, MovedCustomer } from "../../erasure/Erasers.ts"
import { type ContactRow, phoneCustomer } from "../contact/ContactState.ts"
import { contactColumns } from "../contact/ContactTables.ts"
import { joinContacts } from "./JoinedContact.ts"

/** Makes one contact of a person's two, in one transaction; the older id stays. */
export const contactMover: Effect.Effect<Eraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql): Eraser => {
    /** Returns the contacts of both keys, locked in the order in which commits lock them. */
    const locked = ({ environment_id, from, to }: MovedCustomer) =>
      sql<ContactRow>`select ${sql.literal(contactColumns.list)} from contacts
        where environment_id = ${environment_id} and match_key in (${from}, ${to})
          and customer_type = ${phoneCustomer} order by match_key for update`

    const joinTwo = Effect.fnUntraced(function* (moved: MovedCustomer) {
      const rows = yield* locked(moved)
      const from = rows.find(({ match_key }) => match_key === moved.from)
      if (from === undefined) return
      const to = rows.find(({ match_key }) => match_key === moved.to)
      const { contact, dropped } = joinContacts(from, to, moved)
      const { environment_id } = moved
      if (dropped !== undefined) {
        yield* sql`delete from contacts where environment_id = ${environment_id} and id = ${dropped}`
        yield* sql`update consent_events set contact_id = ${contact.id}
          where environment_id = ${environment_id} and contact_id = ${dropped}`
        yield* sql`update contact_aliases set contact_id = ${contact.id}
          where contact_id = ${dropped} and environment_id = ${environment_id}`
        yield* sql`insert into contact_aliases (environment_id, id, contact_id)
          values (${environment_id}, ${dropped}, ${contact.id}) on conflict (environment_id, id) do nothing`
      }
      yield* sql`update contacts set match_key = ${contact.match_key}, phone = ${contact.phone},
          user_id = ${contact.user_id}, username = ${contact.username}, profile_name = ${contact.profile_name},
          opt_in_status = ${contact.opt_in_status}, source = ${contact.source}, metadata = ${contact.metadata},
          opted_in_at = ${instant(contact.opted_in_at)}, opted_out_at = ${instant(contact.opted_out_at)},
          last_inbound_at = ${instant(contact.last_inbound_at)}, created_at = ${instant(contact.created_at)},
          updated_at = ${instant(contact.updated_at)}, revision = ${contact.revision}
        where environment_id = ${environment_id} and id = ${contact.id}`
    })

    return { move: (moved) => Effect.orDie(sql.withTransaction(joinTwo(moved))) }
  }
)
