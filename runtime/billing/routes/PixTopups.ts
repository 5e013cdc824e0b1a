import type { ListedTopup } from "@carteiro/schema/billing/CreditTopup.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { PixTopup } from "../account/AccountItems.ts"

/** Cash top-ups by Pix, which only the dashboard makes; no route does. gaps-3 E "Top-up transitions" */
export class PixTopups extends Context.Service<
  PixTopups,
  {
    /**
     * Begins a top-up of an account (`org_…` or `env_…`), amount in 1/10,000 BRL; returns it with its Pix code, if the
     * code came in time. A request that comes again gets the top-up that it began.
     */
    begin(
      accountId: string,
      amount: number,
      now: number,
      request?: PixTopup["request"]
    ): Effect.Effect<ListedTopup, ApiError>
    /** Returns the top-up in its present state. */
    read(accountId: string, id: string): Effect.Effect<ListedTopup | undefined>
  }
>()("@carteiro/runtime/billing/routes/PixTopups") {}
