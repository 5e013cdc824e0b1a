import { createHash } from "node:crypto"
import { existsSync, statfsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const memory = "/dev/shm"
const neededBytes = 4 * 1024 ** 3

/** True where Linux keeps files in memory and has room there, counted in free memory too. */
const isRoomy = (): boolean => {
  if (process.platform !== "linux" || !existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) >= neededBytes
}

const checkout = () => createHash("sha256").update(root).digest("hex").slice(0, 8)

/**
 * Returns the folder below which this checkout's runs keep their database servers, and whether it is in memory. A
 * database is a thousand small files: a disk's file system makes and deletes them ten times slower, and slower still
 * when many were deleted just before.
 */
export const runFolder = (): { readonly path: string; readonly inMemory: boolean } =>
  isRoomy()
    ? { path: `${memory}/carteiro-test-${checkout()}/`, inMemory: true }
    : { path: `${root}node_modules/.cache/carteiro-test/`, inMemory: false }
