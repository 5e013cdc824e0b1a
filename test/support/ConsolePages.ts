/** An address as its page has it: ids and tokens are named by what they stand for, and the query is left out. */
export const patternOf = (address: string): string =>
  (address.split(/[?#]/)[0] ?? "")
    .replaceAll(/\/[a-z]{2,5}_(?:[0-9a-hjkmnp-tv-z]{26}|[0-9a-f-]{36})(?=\/|$)/g, "/:id")
    .replace(/^\/docs\/(errors|reference)\/.+$/, "/docs/$1/:name")
    .replace(/^((?:\/sandbox)?\/pay)\/.+$/, "$1/:token")

/** The addresses of this origin that a page links to, entities read, without what only an anchor tells apart. */
export const linksIn = (page: string): ReadonlyArray<string> => [
  ...new Set(
    [...page.matchAll(/<a [^>]*?href="(\/[^"]*)"/g)].map(([, address = ""]) =>
      address.replaceAll("&amp;", "&").replace(/#.*$/, "")
    )
  )
]

/** The fields of the filters of a list: their names, and the words that each one offers; none for one that is typed. */
export const filtersIn = (page: string): ReadonlyArray<readonly [name: string, words: ReadonlyArray<string>]> => {
  const start = page.search(/<form method="get" action="[^"]*" class="search"/)
  if (start < 0) return []
  const form = page.slice(start, page.indexOf("</form>", start))
  const typed = [...form.matchAll(/<input (?![^>]*type="hidden")[^>]*?name="([^"]+)"/g)].map(
    ([, name = ""]) => [name, []] as const
  )
  const chosen = [...form.matchAll(/<select [^>]*?name="([^"]+)"[^>]*>([\s\S]*?)<\/select>/g)].map(
    ([, name = "", options = ""]) =>
      [name, [...options.matchAll(/value="([^"]+)"/g)].map(([, word = ""]) => word)] as const
  )
  return [...typed, ...chosen]
}
