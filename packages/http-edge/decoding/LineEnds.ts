/** Members whose content is the caller's own, down to its line ends. */
const callersOwn: ReadonlySet<string> = new Set(["metadata"])

/**
 * Returns a body whose texts end their lines by a line feed, as programs on Windows and forms of browsers do not; the body itself
 * when none of its texts has another line end.
 */
export const withLineFeeds = (value: unknown): unknown => {
  if (typeof value === "string") return value.includes("\r\n") ? value.replaceAll("\r\n", "\n") : value
  if (typeof value !== "object" || value === null) return value
  let copy: Record<string, unknown> | undefined
  for (const [name, member] of Object.entries(value)) {
    const plain = callersOwn.has(name) ? member : withLineFeeds(member)
    if (plain === member) continue
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    copy[name] = plain
  }
  return copy ?? value
}
