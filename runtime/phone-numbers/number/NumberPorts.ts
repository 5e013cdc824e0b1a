import type { RecentMessage } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { Context, Effect } from "effect"
import type { NumberRow } from "./NumberRead.ts"
import type { RentalMonth } from "./RenewalState.ts"

/** A number as far as its allowance goes. */
export type AllowedNumber = Pick<NumberRow, "status" | "messaging_tier" | "quality_rating">

/** What room messages tells of numbers and their messages. */
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
>()("@carteiro/runtime/phone-numbers/number/NumberPorts/NumberTraffic") {}

/** What the present month of rented numbers cost, and whether it is paid. Amounts in 1/10,000 BRL, `now` in milliseconds. */
export type RentalMonths = (
  organizationId: string,
  numberIds: ReadonlyArray<string>,
  now: number
) => Effect.Effect<ReadonlyMap<string, Pick<RentalMonth, "charged" | "unpaid">>>

/** Whoever charges months tells what they came to; until somebody does, nothing was charged. M-PHN-30 */
export const RentalMonths = Context.Reference<RentalMonths>(
  "@carteiro/runtime/phone-numbers/number/NumberPorts/RentalMonths",
  { defaultValue: () => () => Effect.succeed(new Map()) }
)
