import type { SectionSearch } from "@carteiro/guides/Guides.ts"

const mostFound = 8
const excerptLength = 400

/** Returns the sections that contain the most words of the query, in the form of the tool's result. */
export const searchGuides = (search: SectionSearch, query: string): object => ({
  object: "list",
  data: search(query, mostFound).map(({ heading, page, text }) => ({
    page,
    heading,
    excerpt: text.replace(/^#.*$/m, "").trim().slice(0, excerptLength)
  }))
})
