import { globSync } from "node:fs"

/** TypeScript and JavaScript files of the repository's workspaces, sorted; run from the repository root. */
export const sourceFiles = (
  folders: ReadonlyArray<string> = ["schema", "runtime", "packages", "test"]
): ReadonlyArray<string> =>
  folders
    .flatMap((folder) =>
      globSync(`${folder}/**/*.{ts,tsx,mts,js,mjs}`, {
        exclude: (path) => path.split("/").some((part) => part === "node_modules" || part === "dist")
      })
    )
    .toSorted()
