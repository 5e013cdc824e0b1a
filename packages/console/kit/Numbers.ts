import { number } from "@carteiro/html/Html.ts"
import type { Html, Piece } from "./Html.ts"

/** Returns a whole number as the page's language writes it, such as `1,067` or `1.067`. Decision 0185 */
export const countOf = (value: number): Html => figure(number(value, "count"))

/** Returns a number with one decimal place as the page's language writes it, such as `4.8` or `4,8`. */
export const decimalOf = (value: number): Html => figure(number(value, "decimal"))

/** Returns ten-thousandths as a percentage without trailing zeros, such as `97.5%` or `97,5%`. Decision 0185 */
export const percentOf = (tenThousandths: number): Html => figure(number(tenThousandths / 10_000, "percent"))

/** Returns whether a piece is nothing but such a number: a table puts those at the right. */
export const isNumberPiece = (piece: Piece): boolean =>
  typeof piece === "object" && piece !== null && figures.has(piece)

const figures = new WeakSet<Piece & object>()

const figure = (piece: Html): Html => {
  figures.add(piece)
  return piece
}
