import { type Allowlist, isSameBase, readTarget, type Target, type TargetVerdict, trimmed } from "./Targets.ts"

/**
 * One URL of a vendor on the host that the operator set. It is dialled unchanged, because an operator may keep a vendor
 * on a private network. `operatorUrl` makes one from a setting; the import rules allow that only in composition.
 */
export class OperatorUrl {
  readonly #target: Target

  private constructor(target: Target) {
    this.#target = target
  }

  /** Returns the base URL of a setting; the reader of settings has checked it. */
  static of(setting: string): OperatorUrl {
    const { hostname, origin, pathname } = new URL(setting)
    return new OperatorUrl({ origin, hostname, path: trimmed(pathname), kind: "exempt" })
  }

  /** The target of a call, for the dialler. */
  get target(): Target {
    return this.#target
  }

  get href(): string {
    return this.#target.origin + this.#target.path
  }

  /** Returns the URL of a path below this one. */
  below(path: string): OperatorUrl {
    return new OperatorUrl({ ...this.#target, path: this.#target.path + path })
  }

  /** Returns the URL of a path of the same origin, not below this one's path. */
  atOrigin(path: string): OperatorUrl {
    return new OperatorUrl({ ...this.#target, path })
  }

  /** Returns a URL that the vendor names in a response; undefined unless it is on this host. */
  named(text: unknown): OperatorUrl | undefined {
    const { origin, path } = this.#target
    const url = typeof text === "string" ? URL.parse(text, `${origin}${path}`) : null
    if (url === null || url.origin !== origin || `${url.username}${url.password}` !== "") return undefined
    return new OperatorUrl({ ...this.#target, path: url.pathname + url.search })
  }

  /** True when a tenant gave exactly this URL: a call to it is then the operator's own. */
  isRepeatedBy(text: string): boolean {
    const { origin, path } = this.#target
    return isSameBase(text, `${origin}${path}`)
  }
}

/**
 * One URL from which a tenant lets a file be fetched: http or https, since the request carries no data of this service.
 * Reading it judges the text; the addresses of a name are checked at each dial.
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

  /** Reads a link alone, without DNS. gaps-2 F "Link fetch safety" */
  static readLink(text: string, allowlist: Allowlist): TenantLink | Exclude<TargetVerdict, "ok"> {
    const target = readTarget(text, allowlist, true)
    return typeof target === "string" ? target : new TenantLink(target)
  }
}

/** One URL of a tenant that receives requests of this service: https, or an origin of the allowlist. */
export class TenantUrl extends TenantLink {
  /** Returns the URL of a path below this one, without this one's query. */
  below(path: string): TenantUrl {
    const base = this.target.path.split("?", 1)[0] as string
    return new TenantUrl({ ...this.target, path: trimmed(base) + path })
  }

  /** Returns the URL of a path of the same origin, not below this one's path. */
  atOrigin(path: string): TenantUrl {
    return new TenantUrl({ ...this.target, path })
  }

  /** Reads a URL alone, without DNS. gaps-1 J "Unsafe destinations" */
  static read(text: string, allowlist: Allowlist): TenantUrl | Exclude<TargetVerdict, "ok"> {
    const target = readTarget(text, allowlist)
    return typeof target === "string" ? target : new TenantUrl(target)
  }
}
