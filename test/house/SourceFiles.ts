import { globSync } from "node:fs"

const left: ReadonlyArray<string> = ["node_modules", "dist", "n8n-nodes-carteiro"]

/**
 * TypeScript and JavaScript files of the repository's workspaces, sorted; run from the repository root. The nodes for n8n are
 * no workspace: n8n's compiler and linter, which their own lockfile holds, check them.
 */
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
