import type { PixDriver } from "@carteiro/provider/payments/PixProvider.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ProviderConnection } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { one } from "@carteiro/tables/Read.ts"
import { type JsonText, jsonText } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { paymentAccountColumns } from "./ConnectionTables.ts"
import { insertConnection, nothingKnown, replacePaymentCredential } from "./ConnectionWrites.ts"
import {
  type CredentialPlace,
  openCredential,
  openWebhookSecret,
  sealCredential,
  sealWebhookSecret
} from "./Credentials.ts"

/** A payment provider, and the use of an account there. M-CONN-02, M-CONN-03 */
export type PaymentsProvider = "pixprov1" | "pixprov2"
export type PaymentsChannel = "payments" | "agentic_payments"

/** An account at a payment provider, with its secrets in plain text. gaps-3 C "Which provider a payment uses" */
export interface PaymentsConnection {
  readonly environment_id: string
  readonly id: string
  readonly environment: EnvironmentKind
  readonly provider: PaymentsProvider
  readonly channel: PaymentsChannel
  readonly status: "pending" | "connected" | "suspended" | "disconnected"
  /** Undefined once it is disconnected. */
  readonly credential: Redacted.Redacted | undefined
  /**
   * The secret that signs the provider's calls about the account; undefined without one. gaps-3 G "Inbound provider
   * webhooks"
   */
  readonly webhook_secret: Redacted.Redacted | undefined
  readonly default_participant_id: string | null
  readonly agent_id: string | null
  /** Null for the provider's own base URL. */
  readonly agentic_api_base_url: string | null
  /** The wire of the account; null for the bridge. */
  readonly driver: PixDriver | null
}

/** An account that an authorised caller connects. */
export interface PaymentsAccount {
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly provider: PaymentsProvider
  readonly channel: PaymentsChannel
  readonly display_name: string
  readonly api_key: string
  readonly webhook_secret?: string | undefined
  /** gaps-2 L "Inner connection shapes" */
  readonly payment_receiver?: JsonText<ProviderConnection["payment_receiver"]> | undefined
  readonly default_participant_id?: string | undefined
  readonly agent_id?: string | undefined
  readonly agentic_api_base_url?: string | undefined
  readonly driver?: PixDriver | undefined
}

/** Accounts at payment providers, for the payments room. */
export class PaymentsConnections extends Context.Service<
  PaymentsConnections,
  {
    /**
     * Returns the connected account that an environment's payments use: the dashboard's selection, else the latest
     * connected one. gaps-3 C "Which provider a payment uses"
     */
    selected(environmentId: string): Effect.Effect<PaymentsConnection | undefined>
    /** Returns the connected agentic account of an environment. gaps-3 E */
    agentic(environmentId: string): Effect.Effect<PaymentsConnection | undefined>
    /** Returns the account that a payment is bound to, in any state. */
    find(environmentId: string, id: string): Effect.Effect<PaymentsConnection | undefined>
    /** Returns the account that a vendor's call names by its id alone. gaps-3 G "Inbound provider webhooks" */
    byId(id: string): Effect.Effect<PaymentsConnection | undefined>
    /** Returns the id of the live account of a provider and channel. */
    live(environmentId: string, provider: PaymentsProvider, channel: PaymentsChannel): Effect.Effect<string | undefined>
    /**
     * Returns the row of a new connection under this id, connected at once. When its kind already has a live one,
     * nothing is written.
     */
    insert(account: PaymentsAccount, id: string, now: number): Row
    /** Returns the row that replaces the secrets of a live connection. */
    replace(account: PaymentsAccount, id: string, now: number): Row
  }
>()("@carteiro/runtime/provider-connections/connection/PaymentsConnections") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets

      const columns = sql.literal(paymentAccountColumns.list)
      const opened = (row: SealedRow): PaymentsConnection => ({
        ...row,
        credential: openCredential(secrets, row, row.credential),
        webhook_secret: openWebhookSecret(secrets, row, row.webhook_secret)
      })
      const latest = (environmentId: string, channel: PaymentsChannel) =>
        one(
          sql<SealedRow>`select ${columns} from provider_connections
            where environment_id = ${environmentId} and channel = ${channel} and status = 'connected'
            order by selected_at desc nulls last, connected_at desc, id desc limit 1`,
          opened
        )

      return PaymentsConnections.of({
        selected: (environmentId) => latest(environmentId, "payments"),
        agentic: (environmentId) => latest(environmentId, "agentic_payments"),
        find: (environmentId, id) =>
          one(
            sql<SealedRow>`select ${columns} from provider_connections
              where environment_id = ${environmentId} and id = ${id} and channel in ('payments', 'agentic_payments')`,
            opened
          ),
        byId: (id) =>
          one(
            sql<SealedRow>`select ${columns} from provider_connections
              where id = ${id} and channel in ('payments', 'agentic_payments')`,
            opened
          ),
        live: (environmentId, provider, channel) =>
          one(
            sql<{ readonly id: string }>`select id from provider_connections
              where environment_id = ${environmentId} and provider = ${provider} and channel = ${channel}
                and status in ('connected', 'suspended')`,
            ({ id }) => id
          ),
        insert: (account, id, created_at) => {
          const { environment_id } = account
          const place = { environment_id, id }
          return insertConnection.row({
            ...place,
            environment: account.environment,
            provider: account.provider,
            channel: account.channel,
            status: "connected",
            display_name: account.display_name,
            ...nothingKnown,
            payment_capabilities: capabilitiesOf(account),
            agentic_capabilities: agenticCapabilitiesOf(account),
            ...told(account),
            ...sealedAccount(secrets, place, account),
            webhook_secret: sealWebhookSecret(secrets, place, account.webhook_secret),
            token_source: "manual",
            created_at
          })
        },
        replace: (account, id, now) => {
          const place = { environment_id: account.environment_id, id }
          return replacePaymentCredential.row({
            ...place,
            ...told(account),
            ...sealedAccount(secrets, place, account),
            webhook_secret: sealWebhookSecret(secrets, place, account.webhook_secret),
            token_rotated_at: now
          })
        }
      })
    })
  )
}

interface SealedRow extends Omit<PaymentsConnection, "credential" | "webhook_secret"> {
  readonly credential: Uint8Array | null
  readonly webhook_secret: Uint8Array | null
}

/** The credential of the central bank's standard is a set of several; none of its characters is shown. */
const sealedAccount = (secrets: Secrets["Service"], place: CredentialPlace, { api_key, driver }: PaymentsAccount) => ({
  ...sealCredential(secrets, place, api_key),
  ...(driver === "pix-api" ? { credential_last_four: null } : undefined)
})

const told = (account: PaymentsAccount) => ({
  payment_receiver: account.payment_receiver ?? null,
  default_participant_id: account.default_participant_id ?? null,
  agent_id: account.agent_id ?? null,
  agentic_api_base_url: account.agentic_api_base_url ?? null,
  driver: account.driver ?? null
})

/** Both providers make Pix charges; only pixprov2 offers a payment page. gaps-2 L "Inner connection shapes" */
const capabilitiesOf = ({ channel, driver, provider }: PaymentsAccount) =>
  channel === "payments"
    ? jsonText({ pix: true, hosted_checkout: provider === "pixprov2" && driver !== "pix-api" })
    : null

const agenticCapabilitiesOf = ({ channel }: PaymentsAccount) =>
  channel === "agentic_payments" ? jsonText({ banks: true, authorizations: true, payments: true }) : null
