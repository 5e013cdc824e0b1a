import { rmSync } from "node:fs"
import { diskBlobs } from "@carteiro/provider-disk/DiskBlobs.ts"
import { Effect, Layer } from "effect"
import { dataFolder } from "./RunFolder.ts"

/** A blob store in its own folder, which is removed after the test. */
export const testBlobs = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => dataFolder("carteiro-blobs-", 0o700)),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => diskBlobs(folder)
  )
)
