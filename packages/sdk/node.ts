import { randomUUID } from "node:crypto"
import { readFile, rename, writeFile } from "node:fs/promises"
import type { Cursors } from "./listen/Cursors.ts"

/** Holds the place of `listen` in a file of mode 0600; a crash leaves the place before or the new one, never half of it. */
export const fileCursors = (path: string): Cursors => ({
  load: () =>
    readFile(path, "utf8").then(
      (text) => text.trimEnd(),
      (error: { readonly code?: string }) => {
        if (error.code === "ENOENT") return undefined
        throw error
      }
    ),
  save: async (place) => {
    const next = `${path}.${randomUUID()}`
    await writeFile(next, `${place}\n`, { mode: 0o600 })
    await rename(next, path)
  }
})
