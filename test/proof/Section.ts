import { readFileSync, writeFileSync } from "node:fs"

/** Writes a section of a page that begins with `## `, in its place or, when it is new, before the last one. */
export const writeSection = (path: string, heading: string, text: string): void => {
  const [head = "", ...parts] = readFileSync(path, "utf8").split(/^## /m)
  const section = `${heading}\n\n${text.trim()}\n\n`
  const at = parts.findIndex((part) => part.startsWith(`${heading}\n`))
  if (at === -1) parts.splice(-1, 0, section)
  else parts[at] = section
  writeFileSync(path, `${[head, ...parts].join("## ").trimEnd()}\n`)
}
