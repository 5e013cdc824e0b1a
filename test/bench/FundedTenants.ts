import { Ids } from "@carteiro/owners/Ids.ts"
import { sealCredential } from "@carteiro/runtime/provider-connections/connection/Credentials.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Effect } from "effect"
import { seedTenant } from "../support/Tenants.ts"
import type { PlatformAccount } from "./Platform.ts"
import type { Product } from "./Product.ts"

/** An organization that sends from a production number of its own. */
export interface FundedTenant {
  readonly key: string
  readonly number: string
}

/** 1,000,000 BRL. */
const balance = 1_000_000_0000

/** Accounts at the platform, one a tenant. */
export const platformAccounts = (count: number): ReadonlyArray<PlatformAccount> =>
  Array.from({ length: count }, (_, n) => ({
    biz_account_id: `2098765432${1000 + n}`,
    token: `token-of-${n}`,
    numbers: [{ id: `1098765432${1000 + n}`, display_phone_number: `+1${1000 + n}` }],
    templates: []
  }))

/**
 * An organization for each account, with credit for the whole run, and a number like the demonstration's, as wide as a number
 * gets, to which recipients have just written.
 */
export const fundedTenants = Effect.fnUntraced(function* (
  { database, dev }: Product,
  accounts: ReadonlyArray<PlatformAccount>,
  recipients: ReadonlyArray<string>
) {
  const ids = yield* Ids
  const secrets = yield* Secrets
  const copies = (table: string) =>
    `insert into ${table} select (jsonb_populate_record(t, $2::jsonb)).* from ${table} t`
  return yield* Effect.forEach(accounts, ({ biz_account_id, numbers: [own], token }, n) =>
    Effect.gen(function* () {
      const { organization_id, production } = yield* seedTenant(`tenant-${n}`, balance)
      const now = Date.now()
      const number = ids.mint("pn", now)
      const place = { environment_id: production.id, id: ids.mint("pcn", now) }
      const { credential, credential_last_four } = sealCredential(secrets, place, token)
      yield* database.query(`${copies("phone_numbers")} where id = $1`, [
        dev.production.phone_number_id,
        {
          environment_id: production.id,
          id: number,
          phone: `+5521${10_000_000 + n}`,
          upstream_phone_number_id: own?.id,
          biz_account_id,
          messaging_tier: "unlimited",
          quality_rating: "green",
          upstream_throughput_tier: "unlimited"
        }
      ])
      yield* database.query(`${copies("provider_connections")} where environment_id = $1 and provider = 'upstream'`, [
        dev.production.environment_id,
        {
          ...place,
          biz_account_id,
          phone_number_id: own?.id,
          credential: `\\x${Buffer.from(credential).toString("hex")}`,
          credential_last_four,
          health_due_at: null,
          // The platform knows nothing of the demonstration's account.
          token_refused_at: null
        }
      ])
      yield* database.query("insert into account_plans select $1, now(), 'plo_scale'", [organization_id])
      yield* database.query(
        `insert into service_windows (environment_id, channel, business_id, customer_key, latest_inbound_at)
          select $1, 'chatapp', $2, customer, now() from unnest($3::text[]) customer`,
        [production.id, number, recipients.map((phone) => phone.slice(1))]
      )
      const tenant: FundedTenant = { key: production.key, number }
      return tenant
    })
  ).pipe(Effect.provide(Sql.layer(database.url, { applicationName: "carteiro-bench" })), Effect.orDie)
})
