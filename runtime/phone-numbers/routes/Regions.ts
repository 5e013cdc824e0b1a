import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { ddds, type PhoneRegion, stateOf } from "@carteiro/schema/phone-numbers/Region.ts"

/**
 * Returns the regions after `after`, ascending, at most `count`; `fee` is a month's price in 1/10,000 BRL, undefined
 * while none is in effect. M-PHN-41, gaps-2 K "available-regions item"
 */
export const regionsAfter = (
  after: string | undefined,
  count: number,
  environment: EnvironmentKind,
  fee: number | undefined
): ReadonlyArray<PhoneRegion> =>
  ddds
    .filter((ddd) => after === undefined || ddd > after)
    .slice(0, count)
    .map((ddd) => ({
      id: ddd,
      object: "phone_region",
      ddd,
      state: stateOf(ddd) ?? "",
      available: environment === "sandbox" || fee !== undefined,
      monthly_fee_brl: environment === "sandbox" ? formatBrl(0) : fee === undefined ? null : formatBrl(fee)
    }))

/** Returns the area code of a Brazilian phone; null for any other. */
export const dddOf = (phone: string): string | null => /^\+55([1-9][1-9])\d{8,9}$/.exec(phone)?.[1] ?? null
