import { type Allowlist, isSameBase, readTarget, type Target, type TargetVerdict, trimmed } from "./Targets.ts"

/**
 * One URL of a vendor on the host that the operator set. It is dialled as it is, because an operator may keep a vendor on
 * a private network. `operatorUrl` makes one of a setting; the import rules let only composition do so.
 */
export class OperatorUrl {
  readonly #target: Target

  private constructor(target: Target) {
    this.#target = target
  }

  /** Returns the base URL of a setting, which the reader of settings has checked. */
  static of(setting: string): OperatorUrl {
    const { hostname, origin, pathname } = new URL(setting)
    return new OperatorUrl({ origin, hostname, path: trimmed(pathname), kind: "exempt" })
  }

  /** Where a call goes; the dialler reads it. */
  get target(): Target {
    return this.#target
  }

  /** Returns the URL of a path below this one. */
  below(path: string): OperatorUrl {
    return new OperatorUrl({ ...this.#target, path: this.#target.path + path })
  }

  /** Returns a URL that the vendor names in an answer; undefined unless it lies on this host. */
  named(text: unknown): OperatorUrl | undefined {
    const { origin, path } = this.#target
    const url = typeof text === "string" ? URL.parse(text, `${origin}${path}`) : null
    if (url === null || url.origin !== origin || `${url.username}${url.password}` !== "") return undefined
    return new OperatorUrl({ ...this.#target, path: url.pathname + url.search })
  }

  /** Whether a tenant gave exactly this URL: a call to it is then the operator's own. */
  isRepeatedBy(text: string): boolean {
    const { origin, path } = this.#target
    return isSameBase(text, `${origin}${path}`)
  }
}

/**
 * One URL from which a tenant lets a file be fetched: http or https, since the request carries nothing of ours. Reading it
 * judges the text; the addresses of a name are checked at each dial.
 */
export class TenantLink {
  readonly #target: Target

  protected constructor(target: Target) {
    this.#target = target
  }

  get target(): Target {
    return this.#target
  }

  get href(): string {
    return this.#target.origin + this.#target.path
  }

  /** Reads a link by itself, without DNS. gaps-2 F "Link fetch safety" */
  static readLink(text: string, allowlist: Allowlist): TenantLink | Exclude<TargetVerdict, "ok"> {
    const target = readTarget(text, allowlist, true)
    return typeof target === "string" ? target : new TenantLink(target)
  }
}

/** One URL of a tenant that takes requests of ours: https, or an origin of the allowlist. */
export class TenantUrl extends TenantLink {
  /** Returns the URL of a path below this one; a query of this one is left out. */
  below(path: string): TenantUrl {
    const base = this.target.path.split("?", 1)[0] as string
    return new TenantUrl({ ...this.target, path: trimmed(base) + path })
  }

  /** Reads a URL by itself, without DNS. gaps-1 J "Unsafe destinations" */
  static read(text: string, allowlist: Allowlist): TenantUrl | Exclude<TargetVerdict, "ok"> {
    const target = readTarget(text, allowlist)
    return typeof target === "string" ? target : new TenantUrl(target)
  }
}
