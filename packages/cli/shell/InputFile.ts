import { readFile, stat } from "node:fs/promises"
import { Failure } from "./Failure.ts"

/** Reads a file that a person named. Refuses a folder by its name, which the system's own error leaves out. */
export const readInput = async (path: string): Promise<Buffer> => {
  await checkInput(path)
  return readFile(path)
}

/** Refuses a missing file and a folder before a file is opened. */
export const checkInput = async (path: string): Promise<void> => {
  const stats = await stat(path)
  if (stats.isDirectory()) throw new Failure(`${path} is a folder`, { code: "EISDIR", next: "name a file" })
}
