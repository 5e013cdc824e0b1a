import { Context, type Effect } from "effect"

/** The saved card of the demo organization. Boot contract, "Ready" */
export class DemoCard extends Context.Service<
  DemoCard,
  {
    /** Saves it for an account that has no card yet, before anybody owns it; a processor that does not know it gives none. */
    save(accountId: string, now: number): Effect.Effect<void>
  }
>()("@carteiro/runtime/billing/routes/DemoCard") {}
