import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { Correction } from "./CorrectionRepo.ts"

/**
 * Operators' credits and debits of accounts: they are requested here, and the account's owner posts them. gaps-3 D
 * "production_blocked"
 */
export class Corrections extends Context.Service<
  Corrections,
  {
    /** Requests a correction and returns its id; undefined when the account does not exist. */
    ask(
      accountId: string,
      correction: Omit<Correction, "id"> & { readonly reason: string },
      now: number
    ): Effect.Effect<string | undefined, ApiError>
    /**
     * Posts the starting credit of the demonstration, once per account and without its owner, because nothing has moved
     * the account yet. Boot contract, "Ready"
     */
    begin(accountId: string, amount: number, now: number): Effect.Effect<void, ApiError>
    /** True when the owner has posted the correction. */
    isPosted(accountId: string, id: string): Effect.Effect<boolean>
  }
>()("@carteiro/runtime/billing/corrections/Corrections") {}
