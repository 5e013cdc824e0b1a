/** The part of a file that a Range header requests. */
export type AskedRange =
  | { readonly _tag: "Whole" }
  | { readonly _tag: "Part"; readonly first: number; readonly last: number }
  | { readonly _tag: "Unsatisfiable" }

const whole: AskedRange = { _tag: "Whole" }
const unsatisfiable: AskedRange = { _tag: "Unsatisfiable" }

/** Reads a Range header; several ranges and malformed headers count as none. RFC 9110, 14.2 */
export const readRange = (header: string | undefined, byte_length: number): AskedRange => {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? []
  if (from === "" && to === "") return whole
  if (from === "") {
    const count = Math.min(Number(to), byte_length)
    return count === 0 ? unsatisfiable : { _tag: "Part", first: byte_length - count, last: byte_length - 1 }
  }
  const first = Number(from)
  const last = to === "" ? byte_length - 1 : Math.min(Number(to), byte_length - 1)
  if (to !== "" && Number(to) < first) return whole
  return first >= byte_length ? unsatisfiable : { _tag: "Part", first, last }
}
