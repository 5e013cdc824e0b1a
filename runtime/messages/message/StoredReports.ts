/**
 * Returns the SQL that tells whether a stored provider call reports a status of the message and the number's owner has
 * not handled it. Both arguments are SQL: our id of the message and the id of the number. gaps-2 B "Message state
 * machine"
 */
export const isReported = (
  message_id: string,
  number_id: string
): string => `exists (select 1 from vendor_webhook_work w
    where w.owner_id = ${number_id} and w.owner_type = 'PhoneNumber' and w.reported_messages is not null
      and strpos(w.reported_messages, ${message_id}) > 0)`

/**
 * Returns the SQL that tells whether an erasure ends the message `alias`: it is queued, and no stored report proves
 * that an attempt was sent.
 */
export const endsErased = (alias: string): string =>
  `(${alias}.status = 'queued' and not (${alias}.refusals > 0 and ${isReported(`${alias}.id`, `${alias}.business_id`)}))`
