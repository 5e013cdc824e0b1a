/** SQL expressions of a recipient of a number, and of the instant at which a slot must live. */
interface SlotExpressions {
  readonly environment_id: string
  readonly business_id: string
  /** Null while it is unknown: then there is no other number. */
  readonly portfolio_id: string
  readonly customer_key: string
  readonly at: string
}

/**
 * Returns SQL of the live slot of another number of the same portfolio and environment for a recipient, as `business_id`
 * and `expires_at`. The slot of each number is looked up by its key. U-LIM-01
 */
export const lentSlot = (
  k: SlotExpressions
): string => `select a.business_id, a.expires_at from phone_numbers o cross join lateral (
      select a.business_id, a.expires_at, a.lender_id from allowance_slots a where a.environment_id = ${k.environment_id}
        and a.business_id = o.id and a.customer_key = ${k.customer_key} limit 1) a
    where o.portfolio_id = ${k.portfolio_id} and o.environment_id = ${k.environment_id} and o.id <> ${k.business_id}
      and a.lender_id is null and a.expires_at > ${k.at} limit 1`
