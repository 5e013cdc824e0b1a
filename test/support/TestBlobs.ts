import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { diskBlobs } from "@carteiro/provider-disk/DiskBlobs.ts"
import { Effect, Layer } from "effect"

/** A blob store in its own folder, which is removed after the test. */
export const testBlobs = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-blobs-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => diskBlobs(folder)
  )
)
