/** The rows of phone numbers, which send on chatapp and chatapp_channel, as `n`. */
const phoneNumbers = "phone_numbers n"

/**
 * The rows of connected accounts, which send on the social channel, as `n`: they have no phone, no allowance and no
 * slots. Whether the account still reaches the provider shows only when a message is sent. gaps-2 B "Social and channel
 * addressing"
 */
const socialAccounts = `(select c.xmin, c.environment_id, c.id, c.environment, null::text as phone,
    case when c.status in ('connected', 'suspended') then 'active' else 'disconnected' end as status,
    null::timestamptz as suspended_at, null::text as upstream_throughput_tier,
    'unlimited' as messaging_tier, 'unknown' as quality_rating, null::text as biz_account_id, null::text as portfolio_id,
    0 as limit_revision,
    null::text as upstream_phone_number_id
  from provider_connections c where c.channel = 'socialapp') n`

/** Makes a statement about senders, for each of the two kinds. */
export const forSenders = (statement: (source: string) => string) => ({
  ofNumbers: statement(phoneNumbers),
  ofAccounts: statement(socialAccounts)
})

/** True for the id of a connected account. */
export const isAccount = (senderId: string): boolean => senderId.startsWith("pcn_")

/** Returns the SQL of the version of a sender's row, of either kind. */
export const versionOf = (senderId: string): string =>
  `coalesce((select n.xmin::text from phone_numbers n where n.id = ${senderId}),
      (select c.xmin::text from provider_connections c where c.id = ${senderId} and c.channel = 'socialapp'))`
