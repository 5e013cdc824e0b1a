/** A page of the vendor, or a code to pay in a bank's app. */
export type PixMode = "hosted_checkout" | "transparent_pix"

/** A member of the payer that a vendor may demand. */
export type PixPayerField = "name" | "tax_id" | "email"

/** What a vendor takes of one mode, beside what the contract allows. */
export interface PixModeBounds {
  readonly leastCentavos?: number
  readonly mostCentavos?: number
  readonly leastSeconds?: number
  readonly mostSeconds?: number
  /** The members of the payer that the vendor demands. */
  readonly demands?: ReadonlyArray<PixPayerField>
}

/** What a vendor takes, told before a payment is accepted. Issue "Cards, Pix, numbers and speech", "The rules that real vendors bend" */
export interface PixBounds {
  /** The mode of a payment whose request names none. */
  readonly standardMode: PixMode
  /** The modes that the vendor has. */
  readonly modes: { readonly [M in PixMode]?: PixModeBounds }
}

/** The members of a payment that bounds are about. */
export interface BoundedOrder {
  readonly amount_centavos: number
  readonly mode: PixMode
  readonly expires_in_seconds: number
  readonly customer: { readonly [F in PixPayerField]: string | null }
}

/** The bound that an order breaks, with the value that would be taken. */
export type BrokenBound =
  | { readonly _tag: "mode" }
  | { readonly _tag: "least_amount" | "most_amount"; readonly centavos: number }
  | { readonly _tag: "least_expiry" | "most_expiry"; readonly seconds: number }
  | { readonly _tag: "payer"; readonly field: PixPayerField }

/** Returns the first bound that an order breaks; undefined when the vendor takes it. */
export const brokenBound = ({ modes }: PixBounds, order: BoundedOrder): BrokenBound | undefined => {
  const bounds = modes[order.mode]
  if (bounds === undefined) return { _tag: "mode" }
  const { demands = [], leastCentavos, leastSeconds, mostCentavos, mostSeconds } = bounds
  const { amount_centavos, customer, expires_in_seconds } = order
  if (leastCentavos !== undefined && amount_centavos < leastCentavos) {
    return { _tag: "least_amount", centavos: leastCentavos }
  }
  if (mostCentavos !== undefined && amount_centavos > mostCentavos) {
    return { _tag: "most_amount", centavos: mostCentavos }
  }
  if (leastSeconds !== undefined && expires_in_seconds < leastSeconds) {
    return { _tag: "least_expiry", seconds: leastSeconds }
  }
  if (mostSeconds !== undefined && expires_in_seconds > mostSeconds) {
    return { _tag: "most_expiry", seconds: mostSeconds }
  }
  const field = demands.find((name) => customer[name] === null)
  return field === undefined ? undefined : { _tag: "payer", field }
}
