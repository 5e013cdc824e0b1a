import { posix } from "node:path"

/** Capabilities: rooms of rules, repos, owners, services and routes. House style (a) */
const capabilityRooms = [
  "access",
  "projects",
  "feedback",
  "webhooks",
  "messages",
  "templates",
  "media",
  "batches",
  "contacts",
  "flows",
  "phone-numbers",
  "phone-months",
  "phone-orders",
  "provider-connections",
  "sandbox",
  "groups",
  "payments",
  "billing"
] as const

/** Every folder of `runtime` that is entered through a door. */
export const rooms: ReadonlyArray<string> = [...capabilityRooms, "dashboard", "cli", "openapi"]

/** Folders of `runtime` the rooms stand on. */
export const grounds: ReadonlyArray<string> = ["platform", "boot", "app"]

/** Where a path lies in the house. */
export interface Place {
  readonly path: string
  readonly area: "schema" | "runtime" | "packages" | "test" | "elsewhere"
  /** The folder below the area: a room, a ground or a package; empty for a file directly in the area. */
  readonly folder: string
  readonly isRoom: boolean
}

/** Reads a path of the repository, forward slashes, no leading one. */
export const placeOf = (path: string): Place => {
  const [first = "", second = ""] = path.split("/")
  const area =
    first === "schema" || first === "runtime" || first === "packages" || first === "test" ? first : "elsewhere"
  const folder = path.split("/").length > 2 ? second : ""
  const isRoom = (area === "schema" || area === "runtime") && rooms.includes(folder)
  return { path, area, folder, isRoom }
}

/** True for what runs in production, and what integrators install. */
export const isShipped = ({ area }: Place): boolean => area === "schema" || area === "runtime" || area === "packages"

/** True for a room that decides something of the business, rather than showing or describing it. */
export const isCapability = (place: Place): boolean => capabilityRooms.some((room) => room === place.folder)

/** `runtime/phone-numbers` has the door `runtime/phone-numbers/PhoneNumbers.ts`. */
export const doorOf = (room: string): string =>
  `runtime/${room}/${room.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}.ts`

/** The repository path an import leads to, or undefined for a module that is not ours. */
export const resolveImport = (from: string, specifier: string): string | undefined => {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier)
  const [, workspace, rest] = specifier.match(/^@carteiro\/([^/]+)\/?(.*)$/) ?? []
  if (workspace === undefined) return undefined
  const folder = ["schema", "runtime", "test"].includes(workspace) ? workspace : `packages/${workspace}`
  return `${folder}/${rest === "" ? "index.ts" : rest}`
}
