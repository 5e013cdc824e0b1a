import { globSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"
import { packageOfItsOwn } from "./SourceFiles.ts"

/** Capabilities: rooms of rules, repos, owners, services and routes. docs/style.md "The tree" */
const capabilityRooms = [
  "access",
  "projects",
  "feedback",
  "webhooks",
  "activity",
  "audit",
  "request-logs",
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
export const rooms: ReadonlyArray<string> = [...capabilityRooms, "cli", "mcp"]

/** Folders of `runtime` that rooms stand on: small shared ground, below every room. */
const sharedGrounds: ReadonlyArray<string> = [
  "admin",
  "customers",
  "erasure",
  "mail",
  "outbox",
  "ratelimit",
  "room",
  "telemetry",
  "restore",
  "tenancy",
  "vendor-webhooks"
]

/** Folders of `runtime` that are no rooms. */
export const grounds: ReadonlyArray<string> = [...sharedGrounds, "boot", "app"]

/** Returns whether a file belongs to the shared ground of the rooms. */
export const isSharedGround = ({ area, folder }: Place): boolean => area === "runtime" && sharedGrounds.includes(folder)

/** Packages that carry the product and know nothing of its business, each with what it may import. */
export const carriers: Readonly<Record<string, ReadonlyArray<string>>> = {
  secrets: [],
  tables: ["secrets"],
  owners: ["secrets", "tables"],
  "http-edge": ["secrets", "tables", "owners", "schema/conventions"]
}

/** Packages that show the product: they answer requests by the carriers, and reach the product by operations and ports. Decision 0176 */
export const faces: ReadonlyArray<string> = ["console", "openapi"]

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
  const [first = "", second = "", third = ""] = path.split("/")
  // Tests of a package stand inside it, and are tests like others.
  if (first === "packages" && third === "test") return { path, area: "test", folder: second, isRoom: false }
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

/** True for a file that declares tables, by its name. It is a leaf: it loads `declarationGround` and nothing else. */
export const declaresTables = (path: string): boolean => /^(?:runtime|packages)\/(?:.*\/)?\w*Tables\.ts$/.test(path)

/** What declarations of tables load. */
export const declarationGround: ReadonlyArray<string> = ["packages/tables/Table.ts", "runtime/erasure/Standings.ts"]

/** `runtime/phone-numbers` has the door `runtime/phone-numbers/PhoneNumbers.ts`. */
export const doorOf = (room: string): string =>
  `runtime/${room}/${room.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}.ts`

/** `runtime/billing/Operator.ts` hands on what only the operator's commands call of a room. */
export const operatorDoorOf = (room: string): string => `runtime/${room}/Operator.ts`

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The export map of each package, by the path of its package.json. */
export const exportMaps: ReadonlyMap<string, Readonly<Record<string, string>> | undefined> = new Map(
  globSync("packages/*/package.json", { cwd: root, exclude: [`packages/${packageOfItsOwn}/**`] })
    .toSorted()
    .map((path) => {
      const manifest = JSON.parse(readFileSync(posix.join(root, path), "utf8"))
      return [path, (manifest as { readonly exports?: Readonly<Record<string, string>> }).exports]
    })
)

/** What each package hands out: the path of a file for each entry of its export map. */
const entries: ReadonlyMap<string, string> = new Map(
  [...exportMaps].flatMap(([path, exports = {}]) =>
    Object.entries(exports).map(
      ([entry, file]) => [posix.join(posix.dirname(path), entry), posix.join(posix.dirname(path), file)] as const
    )
  )
)

/** Returns the package inside which a test stands; undefined for any other file. */
export const packageOfTest = (path: string): string | undefined => /^packages\/([^/]+)\/test\//.exec(path)?.[1]

/** Returns the workspaces that a package depends on, as its package.json names them. */
export const packagesBelow = (folder: string): ReadonlyArray<string> => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readFileSync(posix.join(root, `packages/${folder}/package.json`), "utf8")
  ) as Readonly<Record<"dependencies" | "devDependencies", Readonly<Record<string, string>> | undefined>>
  return Object.keys({ ...dependencies, ...devDependencies }).map((name) => name.replace("@carteiro/", ""))
}

/** `runtime/phone-numbers/room.ts` wires the room; `runtime/app` alone imports it. */
export const wiringOf = (room: string): string => `runtime/${room}/room.ts`

/** The repository path an import leads to, or undefined for a module that is not ours. */
export const resolveImport = (from: string, specifier: string): string | undefined => {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier)
  const [, workspace, rest] = specifier.match(/^@carteiro\/([^/]+)\/?(.*)$/) ?? []
  if (workspace === undefined) return undefined
  const folder = ["schema", "runtime", "test"].includes(workspace) ? workspace : `packages/${workspace}`
  return entries.get(posix.join(folder, rest ?? "")) ?? `${folder}/${rest === "" ? "index.ts" : rest}`
}
