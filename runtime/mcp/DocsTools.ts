import { type Guides, searchSections } from "@carteiro/guides/Guides.ts"

const mostFound = 8
const excerptLength = 400

/** Returns the sections that contain the most words of the query, in the form of the tool's result. */
export const searchGuides = (guides: Guides, query: string): object => ({
  object: "list",
  data: searchSections(guides, query, mostFound).map(({ heading, page, text }) => ({
    page,
    heading,
    excerpt: text.replace(/^#.*$/m, "").trim().slice(0, excerptLength)
  }))
})
