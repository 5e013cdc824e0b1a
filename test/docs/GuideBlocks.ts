import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The folder of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL("../../", import.meta.url))

/** Returns the text of a file of the repository. */
export const read = (path: string): string => readFileSync(`${root}${path}`, "utf8")

/** Every file that people read. */
export const documents: ReadonlyArray<string> = [
  "README.md",
  ...readdirSync(`${root}docs`).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []))
]

/** The files that one shell can follow from first to last, in the order in which the README lists them. */
export const guides: ReadonlyArray<string> = [
  "README.md",
  ...(
    /^Guides, ([^;]*);/m.exec(
      read("README.md")
        .replaceAll("\n", " ")
        .replace(/^.*(?=Guides, in)/, "")
    )?.[1] ?? ""
  )
    .split("](")
    .flatMap((part) => /^(docs\/[a-z-]+\.md)\)/.exec(part)?.slice(1) ?? [])
]

/** Returns the blocks of a document that its reader runs. */
export const blocksOf = (document: string): ReadonlyArray<string> =>
  [...read(document).matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block)

/** The helper that the guides source. */
export const helper = "docs/api.sh"
