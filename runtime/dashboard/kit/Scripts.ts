import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

/** A script of ours: its text, its address, and the tag in that which changes with the text. */
export interface Script {
  readonly path: string
  readonly text: string
  readonly tag: string
  readonly address: string
}

/** Returns a script that stands beside the page that loads it, served under `/dashboard/scripts`. */
export const script = (name: string, file: URL): Script => {
  const text = readFileSync(file, "utf8")
  const tag = createHash("sha256").update(text).digest("base64url").slice(0, 16)
  const path = `/dashboard/scripts/${name}.js`
  return { path, text, tag, address: `${path}?v=${tag}` }
}
