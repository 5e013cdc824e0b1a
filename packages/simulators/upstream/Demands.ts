/** The rules of the platform that a simulation may switch on and off. */
export const demandNames = [
  /** An account whose app is not subscribed gets no webhook. */
  "subscription",
  /** Every call carries `appsecret_proof`. An app's owner switches this on in the app's settings. */
  "proof",
  /** The file host answers an error page to calls without a `User-Agent`. */
  "user_agent",
  /** Messages, templates and files have the form that the platform accepts. */
  "form",
  /** Groups are deleted without a request id, and reported in the fields of the description. */
  "groups"
] as const

export type Demand = (typeof demandNames)[number]

/** Returns the demands of these names; undefined when one has no such name. */
export const demandsOf = (names: ReadonlyArray<unknown>): ReadonlySet<Demand> | undefined => {
  const known = demandNames.filter((name) => names.includes(name))
  return known.length === new Set(names).size ? new Set(known) : undefined
}
