import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { RecentMessage } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect } from "effect"
import type { NumberRow } from "./NumberRead.ts"
import type { RentalMonth } from "./RenewalState.ts"

/** A number as far as its allowance goes. */
export type AllowedNumber = Pick<NumberRow, "status" | "messaging_tier" | "quality_rating">

/** Answers of the room of messages about numbers and their messages. */
export class NumberTraffic extends Context.Service<
  NumberTraffic,
  {
    /** New recipients of the last 24 hours, by number. M-PHN-15 */
    recipients(
      environmentId: string,
      numberIds: ReadonlyArray<string>,
      now: number
    ): Effect.Effect<ReadonlyMap<string, number>>
    /** How many new recipients a number may still begin with after so many; null when nothing can be said. M-PHN-16..19 */
    remaining(number: AllowedNumber, used: number): number | null
    /** The last messages of a number in an environment, newest first. M-PHN-23 */
    recent(environmentId: string, numberId: string, limit: number): Effect.Effect<ReadonlyArray<RecentMessage>>
  }
>()("@carteiro/runtime/phone-numbers/number/NumberTraffic") {}

/** Returns what the present month of rented numbers cost, and whether it is paid. Amounts in 1/10,000 BRL, `now` in milliseconds. */
export type RentalMonths = (
  organizationId: string,
  numberIds: ReadonlyArray<string>,
  now: number
) => Effect.Effect<ReadonlyMap<string, RentalMonth>>

/** The room that charges months tells what they came to; without it, nothing was charged. M-PHN-30 */
export const RentalMonths = Context.Reference<RentalMonths>("@carteiro/runtime/phone-numbers/number/RentalMonths", {
  defaultValue: () => () => Effect.succeed(new Map())
})

/** A number that may be imported, and the rows without which its import is not written. */
export interface ImportableNumber {
  readonly phone: string
  readonly rows: ReadonlyArray<Row>
}

/** Answers of number-provider connections about numbers that an environment may import. */
export interface ImportSource {
  /** Whether tenants have accounts of their own here. M-IMP-16 */
  readonly isActive: boolean
  /** A number of a connected account as it was last listed, or the first refusal. M-IMP-05, M-IMP-14, M-IMP-15 */
  readonly find: (
    environmentId: string,
    connectionId: string,
    providerNumberId: string,
    now: number
  ) => Effect.Effect<ImportableNumber, ApiError>
}

/** Until somebody knows of such accounts there are none. */
export const ImportSource = Context.Reference<ImportSource>("@carteiro/runtime/phone-numbers/number/ImportSource", {
  defaultValue: () => ({ isActive: false, find: () => Effect.die(new Error("nobody has accounts")) })
})
