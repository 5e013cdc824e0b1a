const longest = 80
/** The length of a hyphen and the highest number that an organization can reach, in characters. */
const longestNumber = 8

/**
 * Returns the slug of a name: lowercase, accents stripped, every other run of characters one hyphen, no hyphen at
 * either end, at most 80 characters, `project` when nothing is left. gaps-1 G "Is slug required"
 */
export const deriveSlug = (name: string): string => {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
  return trimmed(slug.slice(0, longest)) || "project"
}

/** Returns the first of `slug`, `slug-2`, `slug-3`... that is not taken; the stem is cut so that the number fits. */
export const freeSlug = (slug: string, taken: ReadonlySet<string>): string => {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? slug : numbered(slug, number)
    if (!taken.has(candidate)) return candidate
  }
}

/** Returns the common prefix of a slug and all its numbered forms. */
export const slugFamily = (slug: string): string => trimmed(slug.slice(0, longest - longestNumber))

const numbered = (slug: string, number: number): string => {
  const suffix = `-${number}`
  return trimmed(slug.slice(0, longest - suffix.length)) + suffix
}

const trimmed = (slug: string): string => slug.replace(/-+$/, "")
