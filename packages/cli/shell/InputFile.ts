import { readFile, stat } from "node:fs/promises"
import { buffer } from "node:stream/consumers"
import { Failure } from "./Failure.ts"
import type { Shell } from "./Shell.ts"

/** The path that names the standard input. */
const standardInput = "-"

/** Reads a file that a person named, or the standard input. Refuses a folder by its name, which the system's own error leaves out. */
export const readInput = async ({ io }: Pick<Shell, "io">, path: string): Promise<Buffer> => {
  if (path === standardInput) return buffer(io.stdin)
  await checkInput(path)
  return readFile(path)
}

/** Refuses a missing file and a folder before a file is opened. */
export const checkInput = async (path: string): Promise<void> => {
  const stats = await stat(path)
  if (stats.isDirectory()) throw new Failure(`${path} is a folder`, { code: "EISDIR", next: "name a file" })
}

/** True for a file that is there for the next command too; a pipe is not. */
export const isRegularFile = async (path: string): Promise<boolean> =>
  path !== standardInput && (await stat(path)).isFile()
