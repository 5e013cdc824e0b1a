import { globSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { committedFile } from "../../packages/openapi/Committed.ts"
import { breakingChanges, type DecidedChange, type Description } from "./WireChanges.ts"

const root = join(import.meta.dirname, "../..")
const folder = join(root, "schema/releases")
const ending = ".json.gz"

/** Breaking changes since the last release that were decided. The list is emptied with the next release. */
const decided: ReadonlyArray<DecidedChange> = []

/** Returns the descriptions of all releases, each as it was published. */
export const keptReleases = (): ReadonlyArray<{ readonly version: string; readonly description: Description }> =>
  globSync(`*${ending}`, { cwd: folder })
    .toSorted()
    .map((name) => ({
      version: basename(name, ending),
      description: JSON.parse(gunzipSync(readFileSync(join(folder, name))).toString("utf8"))
    }))

/** Returns the newest of some versions; undefined when there are none. */
export const newestOf = (versions: ReadonlyArray<string>): string | undefined =>
  versions.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true })).at(-1)

const present = (): string => readFileSync(committedFile, "utf8")

const compareWithLast = (): number => {
  const releases = keptReleases()
  const version = newestOf(releases.map((one) => one.version))
  const last = releases.find((one) => one.version === version)
  if (last === undefined) {
    process.stderr.write("schema/releases holds no description: run npm run release:keep\n")
    return 1
  }
  const changes = breakingChanges(last.description, JSON.parse(present()), decided)
  for (const { at, reason } of changes) process.stderr.write(`since ${version}: ${reason}: ${at}\n`)
  return changes.length === 0 ? 0 : 1
}

/** Writes the description of this version, which is never written again. */
const keep = (): number => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const before = keptReleases().find((one) => one.version === version)
  const compact = JSON.stringify(JSON.parse(present()))
  if (before === undefined) writeFileSync(join(folder, `${version}${ending}`), gzipSync(compact, { level: 9 }))
  else if (JSON.stringify(before.description) !== compact) {
    process.stderr.write(`${version} has a description already, and it is another: a release has a new version\n`)
    return 1
  }
  return 0
}

if (import.meta.main) process.exitCode = process.argv.includes("--keep") ? keep() : compareWithLast()
