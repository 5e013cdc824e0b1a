/**
 * Returns one URL for each server that a URL of PostgreSQL names. Several servers, as in
 * `postgres://carteiro@a,b:5433/carteiro?target_session_attrs=read-write`, stand for the one of them that takes writes.
 * Undefined for what is no such URL, and for several servers that are asked for anything but writes.
 */
export const serverUrls = (url: string): ReadonlyArray<string> | undefined => {
  const [, scheme = "", credentials = "", hosts = "", rest = ""] =
    /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  const urls = hosts.split(",").map((host) => `${scheme}${credentials}${host}${rest}`)
  if (urls.some((one) => URL.parse(one) === null)) return undefined
  if (urls.length === 1) return urls
  const parsed = urls.map((one) => new URL(one))
  const areNamed = parsed.every(({ hostname, searchParams }) => hostname !== "" && !searchParams.has("host"))
  return areNamed && parsed.every(({ searchParams }) => asksForWrites(searchParams)) ? urls : undefined
}

/** Returns the servers that a URL names, with their ports and without credentials, as a sentence shows them. */
export const shownServers = (url: string): string =>
  (serverUrls(url) ?? [])
    .map((one) => new URL(one).host)
    .filter((host) => host !== "")
    .join(", ")

const asksForWrites = (parameters: URLSearchParams): boolean =>
  ["read-write", "primary"].includes(parameters.get("target_session_attrs") ?? "read-write")
