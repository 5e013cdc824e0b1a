import { doorOf, operatorDoorOf, placeOf, resolveImport, wiringOf } from "./Places.ts"
import type { SourceText } from "./SourceText.ts"

/** What a file of a room does, by what it imports and holds, never by its name. docs/style.md "The tree" */
export type Role = "rules" | "repo" | "owner" | "service" | "http" | "composition" | "door"

/** How far up a role stands: a file imports files of its own height or below. Owners and services call each other. */
export const heights: Readonly<Record<Role, number>> = {
  rules: 0,
  repo: 1,
  owner: 2,
  service: 2,
  http: 3,
  composition: 4,
  door: 4
}

/** The role of a file of a room of `runtime`; undefined for any other file. */
export const roleOf = (path: string, source: SourceText): Role | undefined => {
  const { area, folder, isRoom } = placeOf(path)
  if (!isRoom || area !== "runtime") return undefined
  if (path === doorOf(folder) || path === operatorDoorOf(folder)) return "door"
  if (path === wiringOf(folder)) return "composition"
  if (servesHttp(path, source)) return "http"
  if (holdsSql(source)) return "repo"
  if (decidesCommits(path, source)) return "owner"
  if (composes(source)) return "composition"
  return runsEffects(source) ? "service" : "rules"
}

const sqlModules = /^(?:effect\/sql|@effect\/sql-pg)(?:\/|$)/
const httpModules = /^effect\/http(?:-api)?(?:\/|$)/
const routing = /^packages\/http-edge\/(?:Routes|listener\/Respond)\.ts$/
const deciding = /^packages\/owners\/(?:Owner|Worker|DueWork|Cluster)\.ts$/
const writing = /^packages\/(?:owners\/commit\/|tables\/(?:Table)?Write\.ts$)/

/** Statements as they are written here, in lower case; a sentence about selecting does not name a relation. */
const statement =
  /\binsert into [a-z_]+|\bdelete from [a-z_]+|\bupdate [a-z_]+(?: [a-z]+)? set\b|\bselect\b[\s\S]*\bfrom\s+[a-z_]+|\bfrom [a-z_]+(?: [a-z]+)?\s+(?:where|join|left join|order by|group by)\b/

/** Has the text of a statement, or declares a write. */
export const holdsStatements = ({ literals, code }: SourceText): boolean =>
  /\b(?:define(?:Write|Insert|Update)|insertInto|updateOf)\s*\(/.test(code) ||
  literals.some(({ text }) => statement.test(text))

/** Declares an owner's protocol, or hosts its behaviour. */
export const definesOwner = ({ code }: SourceText): boolean => /\bdefine(?:Owner|Worker)\s*\(|\.toLayer\s*\(/.test(code)

const holdsSql = (source: SourceText): boolean =>
  holdsStatements(source) || source.imports.some(({ specifier, typeOnly }) => !typeOnly && sqlModules.test(specifier))

const servesHttp = (path: string, { imports }: SourceText): boolean =>
  imports.some(
    ({ specifier, typeOnly }) =>
      !typeOnly && (httpModules.test(specifier) || routing.test(resolveImport(path, specifier) ?? ""))
  )

/** The protocol and behaviour of an owner, and whatever makes the rows it commits. */
const decidesCommits = (path: string, source: SourceText): boolean =>
  definesOwner(source) ||
  source.imports.some(({ specifier, typeOnly }) => {
    const target = resolveImport(path, specifier) ?? ""
    return deciding.test(target) || (typeOnly && writing.test(target))
  })

/** Only puts layers together, for a thing that has parts of its own. */
const composes = ({ imports, code }: SourceText): boolean => {
  const values = imports.find(({ specifier }) => specifier === "effect")?.values ?? []
  return values.includes("Layer") && !values.includes("Effect") && !declaresService(code)
}

const declaresService = (code: string): boolean => /\bContext\s*\.\s*Service\b/.test(code)

/** Declares a service, makes a layer or runs an effect; a rule only takes values and gives values. */
const runsEffects = ({ imports, code }: SourceText): boolean =>
  declaresService(code) ||
  imports.some(({ specifier, values }) => specifier === "effect" && values.some((name) => running.has(name)))

const running: ReadonlySet<string> = new Set(["Effect", "Layer", "Stream", "Queue", "Deferred", "Semaphore", "Ref"])
