// Writes two files about the packages below ./node_modules: sbom.cdx.json (CycloneDX) and licences.txt. Both hold nothing but
// what the lockfile and the packages say, so that one lockfile always makes the same bytes.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const json = (path) => JSON.parse(readFileSync(path, "utf8"))
const product = json("package.json")
const { packages: locked } = json("package-lock.json")

/** The folders of all packages below one, in the order of their paths; links to our own packages are left out. */
const foldersBelow = (root) =>
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .flatMap((entry) => {
      const path = join(root, entry.name)
      if (entry.name.startsWith("@")) return foldersBelow(path)
      const inner = readdirSync(path, { withFileTypes: true }).some(({ name }) => name === "node_modules")
      return [path, ...(inner ? foldersBelow(join(path, "node_modules")) : [])]
    })
    .sort()

const purl = ({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`

const installed = foldersBelow("node_modules").flatMap((folder) => {
  const lock = locked[folder]
  if (lock === undefined) return []
  const { name, license } = json(join(folder, "package.json"))
  const text = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file))
  return [{ folder, name, version: lock.version, integrity: lock.integrity, license: lock.license ?? license, text }]
})

const component = ({ folder, integrity, license, name, version }) => ({
  type: "library",
  "bom-ref": `${folder}@${version}`,
  name,
  version,
  scope: "required",
  ...(license === undefined
    ? {}
    : { licenses: [{ [/[ ()]/.test(license) ? "expression" : "license"]: licence(license) }] }),
  hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex") }],
  purl: purl({ name, version })
})
const licence = (id) => (/[ ()]/.test(id) ? id : { id })

const node = {
  type: "platform",
  "bom-ref": "node",
  name: "node",
  version: process.versions.node,
  licenses: [{ license: { id: "MIT" } }]
}
const bom = {
  $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: {
    component: {
      type: "application",
      "bom-ref": product.name,
      name: product.name,
      version: product.version,
      licenses: [{ license: { id: product.license } }]
    }
  },
  components: [node, ...installed.map(component)]
}
writeFileSync("sbom.cdx.json", `${JSON.stringify(bom, null, 2)}\n`)

const licences = installed.map(({ folder, license, name, text, version }) => {
  const words =
    text === undefined ? "The package brings no text of its licence." : readFileSync(join(folder, text), "utf8").trim()
  return `${name} ${version}: ${license ?? "no licence named"}\n\n${words}\n`
})
writeFileSync("licences.txt", licences.join(`\n${"-".repeat(78)}\n\n`))
process.stdout.write(`${installed.length} packages\n`)
