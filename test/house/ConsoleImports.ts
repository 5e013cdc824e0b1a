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

/**
 * Names of doors that pages still import, by room: each is to become an operation (decisions 0155, 0158). The check holds the
 * list exactly, and it only gets shorter.
 */
export const stillImported: Readonly<Record<string, ReadonlyArray<string>>> = {
  access: ["SpendStandings"],
  batches: [
    "BatchCommand",
    "BatchDirectory",
    "BatchPlan",
    "BatchPlans",
    "countedRecipients",
    "FailureReason",
    "offeredCommands"
  ],
  contacts: ["ContactDirectory"],
  feedback: ["ReportAdmin", "ReportEntry"],
  flows: ["isUnpublished"],
  groups: ["GroupDirectory"],
  media: ["MediaDirectory"],
  messages: [
    "Customer",
    "hiddenCustomer",
    "MessageAdmin",
    "readPhone",
    "recipientKeys",
    "ShownMessage",
    "simulatedCustomer"
  ],
  templates: ["isSubmittable", "TemplateDirectory", "TemplateVersion"]
}

type Files = ReadonlyMap<string, SourceText>

/**
 * The console calls operations; of rooms it imports the session of room access and the pages of payers. Returns what else it imports, and names of
 * the list that no page imports any more.
 */
export const consoleImports = (files: Files, allowed = stillImported): ReadonlyArray<Violation> => {
  const used = new Map<string, Set<string>>()
  const found = [...files].flatMap(([path, { imports }]) => {
    if (!path.startsWith("runtime/dashboard/")) return []
    return imports.flatMap(({ line, names, specifier }) => {
      const room = roomOf(resolveImport(path, specifier))
      if (room === undefined) return []
      return names.flatMap((name) => {
        if (room === "access" && ofSessions.includes(name)) return []
        if (path === pagesOfPayers && room === "payments" && ofPayers.includes(name)) return []
        used.set(room, (used.get(room) ?? new Set()).add(name))
        return allowed[room]?.includes(name) === true
          ? []
          : [{ path, line, rule: "console-operations", message: `${name} of ${room}: a page calls an operation` }]
      })
    })
  })
  const stale = Object.entries(allowed).flatMap(([room, names]) =>
    names
      .filter((name) => used.get(room)?.has(name) !== true)
      .map((name) => ({
        path: "test/house/ConsoleImports.ts",
        line: 1,
        rule: "console-operations",
        message: `${name} of ${room} leaves the list: no page imports it`
      }))
  )
  return [...found, ...stale]
}

/** Returns the capability whose door a path is. */
const roomOf = (path: string | undefined): string | undefined => {
  if (path === undefined) return undefined
  const place = placeOf(path)
  return place.area === "runtime" && isCapability(place) && path === doorOf(place.folder) ? place.folder : undefined
}
