import type { Evidence } from "../Evidence.ts"

/** What is over here is closed at the provider, and the provider hears of stored authorizations alone. gaps-3 C "Agentic authorizations" */
export const overIsClosedThere = ({ agents: { authorizations, openThere } }: Evidence): ReadonlyArray<string> => {
  const known = new Map(authorizations.map(({ id, status }) => [id, status]))
  return openThere.flatMap((id) => {
    const status = known.get(id)
    if (status === "pending" || status === "authorized") return []
    return [`${id} is ${status ?? "not there"} here and open at its provider`]
  })
}
