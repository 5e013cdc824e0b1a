/** A cookie as its server set it. */
interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

/** The cookies of one browser for one host, sent only where RFC 6265 sends them. */
export class CookieJar {
  private cookies: ReadonlyArray<Cookie> = []

  /** Keeps the cookies that the response to a request for this path sets. */
  take(setCookie: string | undefined, requestPath: string): void {
    const [pair = "", ...attributes] = (setCookie ?? "").split(";").map((part) => part.trim())
    const equals = pair.indexOf("=")
    if (equals < 1) return
    const attributeOf = (attribute: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${attribute}=`))?.slice(attribute.length + 1)
    const path = attributeOf("path")
    const name = pair.slice(0, equals)
    this.set(name, pair.slice(equals + 1), path?.startsWith("/") === true ? path : defaultPath(requestPath))
    if (Number(attributeOf("max-age") ?? 1) <= 0) this.cookies = this.cookies.filter((one) => one.name !== name)
  }

  set(name: string, value: string, path = "/"): void {
    this.cookies = [...this.cookies.filter((one) => one.name !== name || one.path !== path), { name, value, path }]
  }

  get(name: string): string | undefined {
    return this.cookies.findLast((one) => one.name === name)?.value
  }

  /** The `Cookie` header of a request for this path, longer paths first; undefined when no cookie belongs there. */
  header(requestPath: string): string | undefined {
    const [bare = ""] = requestPath.split("?")
    const sent = this.cookies
      .filter(({ path }) => matches(bare, path))
      .toSorted((one, other) => other.path.length - one.path.length)
    return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join("; ")
  }
}

/** RFC 6265, 5.1.4: the path of a cookie that names none. */
const defaultPath = (requestPath: string): string => requestPath.slice(0, requestPath.lastIndexOf("/")) || "/"

/** RFC 6265, 5.1.4: a path matches itself and every path beneath it. */
const matches = (requestPath: string, path: string): boolean =>
  requestPath === path || (requestPath.startsWith(path) && (path.endsWith("/") || requestPath[path.length] === "/"))
