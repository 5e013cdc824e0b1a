import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { recorded } from "../scale/Recorded.ts"
import { courses, scaleSection } from "../scale/ScaleSection.ts"
import { readSoak } from "../soak/SoakFile.ts"
import { pagesOf } from "../soak/SoakSection.ts"
import { dependenciesSection } from "./DependenciesSection.ts"
import { faultsSection, shownRuns } from "./FaultsSection.ts"
import { writeSection } from "./Section.ts"

const usage = `Usage: npm run proof -- soak <file>        the section about a soak, and its pictures, from what npm run soak wrote
       npm run proof -- faults             the section about the runs of the fault suite in test/proof/fault-runs.jsonl
       npm run proof -- scale              the section of docs/scale.md about a million messages a minute, simulated
       npm run proof -- dependencies       licences and known vulnerabilities of the packages that production installs

Each writes its section, of docs/proof.md where no other page is named, and leaves the others as they are.
`

const root = fileURLToPath(new URL("../..", import.meta.url))
const page = join(root, "docs/proof.md")

const sections: Readonly<Record<string, (files: ReadonlyArray<string>) => void>> = {
  soak: ([file = ""]) => {
    const { pictures, text } = pagesOf(readSoak(file))
    for (const [name, picture] of Object.entries(pictures)) writeFileSync(join(root, "docs/images", name), picture)
    writeSection(page, "Hours under load", text)
  },
  faults: () => writeSection(page, "Under faults", faultsSection(shownRuns)),
  scale: () => {
    const figures = recorded()
    writeSection(join(root, "docs/scale.md"), "A million messages a minute", scaleSection(figures, courses(figures)))
  },
  dependencies: () => writeSection(page, "Dependencies", dependenciesSection(root))
}

const [name = "", ...files] = process.argv.slice(2)
const write = sections[name]
if (write === undefined || (name === "soak" && files.length === 0)) {
  process.stdout.write(usage)
  process.exitCode = name === "--help" ? 0 : 1
} else write(files)
