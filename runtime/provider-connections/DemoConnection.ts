import { Context, type Effect } from "effect"
import type { PaymentsAccount } from "./connection/PaymentsConnections.ts"

/** The account through which a demonstration sends. */
export interface DemoAccount {
  readonly environment_id: string
  readonly biz_account_id: string
  readonly phone_number_id: string
  readonly display_phone_number: string | null
  readonly token: string
}

/** Connects the demo organization's production environment to the simulated platform, once. Boot contract, "Ready" */
export class DemoConnection extends Context.Service<
  DemoConnection,
  {
    connect(account: DemoAccount, now: number): Effect.Effect<void>
    /** Connects an account at a payment provider, or renews the secrets of the existing one; returns its id. */
    connectPayments(account: PaymentsAccount, now: number): Effect.Effect<string>
  }
>()("@carteiro/runtime/provider-connections/DemoConnection") {}
