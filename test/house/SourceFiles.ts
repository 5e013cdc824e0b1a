import { globSync } from "node:fs"

/** The package that is no workspace: n8n's compiler and linter, which its own lockfile holds, check it. */
export const packageOfItsOwn = "n8n-nodes-carteiro"

const left: ReadonlyArray<string> = ["node_modules", "dist", packageOfItsOwn]

/** TypeScript and JavaScript files of the repository's workspaces, sorted; run from the repository root. */
export const sourceFiles = (
  folders: ReadonlyArray<string> = ["schema", "runtime", "packages", "test"]
): ReadonlyArray<string> =>
  folders
    .flatMap((folder) =>
      globSync(`${folder}/**/*.{ts,tsx,mts,js,mjs}`, {
        exclude: (path) => path.split("/").some((part) => left.includes(part))
      })
    )
    .toSorted()
