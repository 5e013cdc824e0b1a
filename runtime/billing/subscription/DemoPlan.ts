import { Context, type Effect } from "effect"

/** Subscribes the demo organization to its plan. Boot contract, "Ready" */
export class DemoPlan extends Context.Service<
  DemoPlan,
  {
    /**
     * Begins the subscription now without an invoice, for an account that has never subscribed and that no owner holds
     * yet.
     */
    begin(accountId: string, now: number): Effect.Effect<void>
  }
>()("@carteiro/runtime/billing/subscription/DemoPlan") {}
