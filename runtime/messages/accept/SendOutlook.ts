import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { AcceptItem } from "./AcceptItem.ts"

/** Looks ahead at sends that nobody has made yet, with the checks that their number would make. */
export class SendOutlook extends Context.Service<
  SendOutlook,
  {
    /**
     * Returns why the number would refuse each of these sends at `now` (epoch milliseconds), in their order; undefined
     * for one that it would accept. No send is stored and no token is taken.
     */
    refusals(
      numberId: string,
      items: ReadonlyArray<AcceptItem>,
      now: number
    ): Effect.Effect<ReadonlyArray<ApiError | undefined>>
  }
>()("@carteiro/runtime/messages/accept/SendOutlook") {}
