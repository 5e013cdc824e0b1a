import { type ExecFileSyncOptions, execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

interface Locked {
  readonly version?: string
  readonly license?: string
}

interface Tree {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, Tree>>
}

/** As deploy/Dockerfile installs. */
const installed = ["--omit=dev", "--omit=optional", "--workspace=@carteiro/runtime"]

/**
 * Returns the section about the packages that the image installs: their licences, and the vulnerabilities that the registry knows
 * of, or that it was not able to tell.
 */
export const dependenciesSection = (root: string): string => {
  const licences = licencesOf(root)
  const byLicence = Map.groupBy(licences, ([, licence]) => licence)
  const rows = [...byLicence]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([licence, some]) => {
      const names = some.length > 8 ? "" : some.map(([name]) => `\`${name}\``).join(", ")
      return `| ${licence} | ${some.length} | ${names} |`
    })
  return `The image brings its bill of materials (\`sbom.cdx.json\`, CycloneDX) and \`licences.txt\`; \`deploy/evidence.mjs\` makes both from a lockfile and
the packages below \`node_modules\`. Every package is pinned by a hash. The image installs ${licences.length} of them beside its own:

| licence | packages | which |
|---|---|---|
${rows.join("\n")}

${toldOf(npmJson(root, ["audit"]) as Audit, new Date().toISOString().slice(0, 10))}
Ask the registry that your packages come from, at each upgrade and now and then between: the command lists what is known of the
packages that the image installs, and ends with 0 when that is nothing.

\`\`\`sh
npm audit ${installed.join(" ")}
\`\`\``
}

/** Each package with its licence, as the lockfile says. */
const licencesOf = (root: string): ReadonlyArray<readonly [name: string, licence: string]> => {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>
  }
  const licences = new Map(
    Object.entries(lock.packages).map(([path, { license, version }]) => [
      `${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)} ${version}`,
      license ?? "none named"
    ])
  )
  const found = new Map<string, string>()
  const visit = ({ dependencies = {} }: Tree): void => {
    for (const [name, tree] of Object.entries(dependencies)) {
      const licence = licences.get(`${name} ${tree.version}`)
      if (licence !== undefined && !name.startsWith("@carteiro/")) found.set(`${name} ${tree.version}`, licence)
      visit(tree)
    }
  }
  visit(npmJson(root, ["ls", "--all", "--package-lock-only"]) as Tree)
  return [...found]
}

/** The answer of `npm audit`; without `metadata` the registry has told nothing. */
interface Audit {
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> }
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
}

/** Returns what a registry told about vulnerabilities, and claims nothing where it told nothing. */
export const toldOf = ({ metadata, vulnerabilities }: Audit, day: string): string => {
  if (metadata === undefined) {
    return "This page claims nothing about known vulnerabilities in them: it was written without a registry's list of these."
  }
  const found = Object.entries(vulnerabilities ?? {}).map(([name, { severity }]) => `\`${name}\` (${severity})`)
  return found.length === 0
    ? `On ${day} the registry knew of no vulnerability in them.`
    : `On ${day} the registry knew of vulnerabilities in ${found.join(", ")}.`
}

/** npm leaves with 1 when it has found vulnerabilities, and when the registry does not tell of them; both stand in its output. */
const npmJson = (root: string, command: ReadonlyArray<string>): unknown => {
  try {
    const options: ExecFileSyncOptions = { cwd: root, stdio: ["ignore", "pipe", "ignore"] }
    return JSON.parse(execFileSync("npm", [...command, ...installed, "--json"], options).toString())
  } catch (error) {
    const { stdout } = error as { readonly stdout?: Buffer }
    if (stdout === undefined) throw error
    return JSON.parse(stdout.toString())
  }
}
