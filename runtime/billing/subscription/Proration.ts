/** 1/10,000 BRL in a centavo, and in R$ 1,00. */
const centavo = 100n
const least = 10_000n

/**
 * Returns the cost of an upgrade now: the difference of the fees for the rest of the period, to the centavo half up, at least R$ 1,00.
 * Amounts in 1/10,000 BRL, instants in epoch milliseconds. gaps-3 E "Change details"
 */
export const proration = (
  difference: number,
  period: { readonly start: number; readonly end: number },
  now: number
): number => {
  const whole = BigInt(Math.max(1, period.end - period.start))
  const rest = BigInt(Math.max(0, period.end - now))
  const divisor = whole * centavo
  const centavos = (BigInt(difference) * rest * 2n + divisor) / (divisor * 2n)
  const amount = centavos * centavo
  return Number(amount < least ? least : amount)
}
