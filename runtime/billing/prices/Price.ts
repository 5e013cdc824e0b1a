/** The price of one meter, in 1/10,000 BRL or ten-thousandths. gaps-3 E "Rate card entry" */
export interface MeterPrice {
  readonly unit_price: number | null
  readonly rate: number | null
  readonly multiplier_applies: boolean
}

/** A multiplier or rate of 1. */
export const whole = 10_000

/**
 * Returns the product of an amount and ten-thousandths, rounded half up to 1/10,000 BRL. gaps-3 D "Rate text and
 * rounding"
 */
export const portionOf = (amount: number, tenThousandths: number): number => {
  const product = BigInt(amount) * BigInt(tenThousandths)
  return Number((product + 5_000n) / 10_000n)
}

/** Returns the price of one unit under a plan's multiplier. gaps-3 E "net_transport_rate_brl" */
export const unitPrice = (price: MeterPrice, multiplier: number): number | undefined =>
  price.unit_price === null
    ? undefined
    : price.multiplier_applies
      ? portionOf(price.unit_price, multiplier)
      : price.unit_price
