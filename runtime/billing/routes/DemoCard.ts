import { Context, type Effect } from "effect"

/** The saved card of the demo organization. Boot contract, "Ready" */
export class DemoCard extends Context.Service<
  DemoCard,
  {
    /**
     * Saves the card for an account without a card, before an owner holds the account; saves nothing when the processor
     * does not know the card.
     */
    save(accountId: string, now: number): Effect.Effect<void>
  }
>()("@carteiro/runtime/billing/routes/DemoCard") {}
