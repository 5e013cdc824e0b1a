import { createHash } from "node:crypto"
import { Failure } from "./Failure.ts"

/** Returns a name from outside as the name of a file. Refuses one that could lead out of its folder. */
export const safeFileName = (name: string): string => {
  if (/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,250}$/.test(name) && !name.includes("..")) return name
  throw new Failure(`${name.slice(0, 200)} cannot be the name of a file, and nothing was written`, {
    code: "unsafe_file_name",
    next: "check that this is the API that you mean: carteiro whoami"
  })
}

/** Returns the SHA-256 of a text or of bytes in hex; its first letters are the name of a file about what the text says. */
export const digest = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex")
