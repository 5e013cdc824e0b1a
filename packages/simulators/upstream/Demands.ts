/** The rules of the platform that an app's owner switches on and off. All others always hold. U-SIM-01 */
export const demandNames = [
  /** Every call carries `appsecret_proof`. */
  "proof"
] as const

export type Demand = (typeof demandNames)[number]

/** Returns the demands of these names; undefined when one has no such name. */
export const demandsOf = (names: ReadonlyArray<unknown>): ReadonlySet<Demand> | undefined => {
  const known = demandNames.filter((name) => names.includes(name))
  return known.length === new Set(names).size ? new Set(known) : undefined
}
