import { createHash } from "node:crypto"
import { chmodSync, existsSync, mkdtempSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

/**
 * Makes a folder for the files of a test, in memory where there is room. As root, an embedded PostgreSQL runs as another
 * user: the default mode lets this user in, and with 0700 its cluster lies outside of the folder, on disk.
 */
export const dataFolder = (prefix: string, mode = 0o711): string => {
  const path = mkdtempSync(join(isRoomy() ? memory : tmpdir(), prefix))
  chmodSync(path, mode)
  return path
}
