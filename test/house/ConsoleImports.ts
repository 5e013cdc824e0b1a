import { doorOf, isCapability, placeOf, resolveImport } from "./Places.ts"
import type { SourceText } from "./SourceText.ts"
import type { Violation } from "./WordingRules.ts"

/**
 * Names of room access by which the console knows who is signed in, in which environments of the organization, and whether
 * wrong codes have locked the session.
 */
const ofSessions = [
  "EnvironmentEntry",
  "Environments",
  "Member",
  "Members",
  "Organization",
  "Organizations",
  "UserCodeLock",
  "afterWrongCode",
  "isLocked",
  "mayDecide",
  "scopesOf",
  "SignedInPeople",
  "SignedInPerson"
]

/** Names of room payments for the pages of payers, who have no account here and are nobody's member (decision 0158). */
const ofPayers = ["PayerView", "PaymentPages"]
const pagesOfPayers = "runtime/dashboard/payments/PayHttp.ts"

type Files = ReadonlyMap<string, SourceText>

/**
 * The console calls operations; of rooms it imports the session of room access, and for payers their pages. Returns what
 * else it imports. Decisions 0155, 0158
 */
export const consoleImports = (files: Files): ReadonlyArray<Violation> =>
  [...files].flatMap(([path, { imports }]) => {
    if (!path.startsWith("runtime/dashboard/")) return []
    return imports.flatMap(({ line, names, specifier }) => {
      const room = roomOf(resolveImport(path, specifier))
      if (room === undefined) return []
      return names.flatMap((name) => {
        if (room === "access" && ofSessions.includes(name)) return []
        if (path === pagesOfPayers && room === "payments" && ofPayers.includes(name)) return []
        return [{ path, line, rule: "console-operations", message: `${name} of ${room}: a page calls an operation` }]
      })
    })
  })

/** Returns the capability whose door a path is. */
const roomOf = (path: string | undefined): string | undefined => {
  if (path === undefined) return undefined
  const place = placeOf(path)
  return place.area === "runtime" && isCapability(place) && path === doorOf(place.folder) ? place.folder : undefined
}
