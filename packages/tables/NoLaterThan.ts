/**
 * SQL: the instant of a column, or `bound` where it lies behind that; null stays null. `least` would take `bound` for
 * a null.
 */
export const noLaterThan = (column: string, bound: string): string =>
  `case when ${column} > ${bound} then ${bound} else ${column} end`
