import type { LookupAddress } from "node:dns"
import { isIPv6, type LookupFunction } from "node:net"
import { Client, type Dispatcher, Pool } from "undici"
import { Attempt } from "./Attempt.ts"
import type { ClientCertificate } from "./ClientCertificates.ts"

/** Keep-alive connections to one origin. */
export interface OriginPool {
  readonly pool: Pool
  /** Opens a separate connection under the same rules; the caller that takes it destroys it. */
  readonly single: () => Client
  /** The addresses that a new connection may dial: those checked last. Empty for exempt origins and literals. */
  addresses: ReadonlyArray<LookupAddress>
  inFlight: number
  /** The last use, in milliseconds of the clock of its `Pools`. */
  usedAt: number
}

/** The most origins whose idle connections are kept; an origin in use is never dropped for another. */
const maxOrigins = 512
/** The time for which the connections of an unused origin are kept, in milliseconds. */
const unusedMs = 300_000
// A receiver that moved is followed within a minute even if its old machine still answers.
const connectionLifeMs = 60_000

const vetted =
  (origin: { readonly addresses: ReadonlyArray<LookupAddress> }): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = origin.addresses
    if (first === undefined) callback(new Error("no checked address"), [])
    else if (options.all) callback(null, [...origin.addresses])
    else callback(null, first.address, first.family)
  }

/** How a connection proves itself, and whom it believes. */
interface ConnectionTls {
  /** Undefined for the common case: the caller proves itself by other means. */
  readonly certificate: ClientCertificate | undefined
  /** PEM texts that replace the system's authorities; undefined for those. */
  readonly authorities: ReadonlyArray<string> | undefined
}

/** One connection of a pool, which tells an attempt whether it is the first to use it. */
class Connection extends Client {
  carried = 0

  constructor(origin: URL | string, options: Client.Options) {
    super(origin, options)
    this.on("connect", () => {
      this.carried = 0
    })
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Attempt) handler.carrier = this
    return super.dispatch(options, handler)
  }
}

const open = (
  origin: string,
  connectTimeoutMs: number,
  pinned: boolean,
  idleMs: number,
  tls: ConnectionTls
): OriginPool => {
  const held = { addresses: [] as ReadonlyArray<LookupAddress>, inFlight: 0, usedAt: 0 }
  const options: Client.Options = {
    pipelining: 1,
    allowH2: false,
    connectTimeout: connectTimeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1000,
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
    // A receiver may ask for long keep-alive; the connections are this process's, so it decides.
    keepAliveMaxTimeout: connectionLifeMs,
    connect: {
      ...(pinned ? { lookup: vetted(held) } : undefined),
      ...tls.certificate?.tlsOptions,
      ...(tls.authorities === undefined ? undefined : { ca: [...tls.authorities] })
    }
  }
  const pool = new Pool(origin, {
    ...options,
    // The callers limit their own calls: a request that waited here for a connection would look like a slow receiver.
    connections: null,
    factory: (url, given) => new Connection(url, given),
    ...(pinned ? { clientTtl: connectionLifeMs } : undefined)
  })
  return Object.assign(held, { pool, single: () => new Client(origin, options) })
}

/** The pools of one process, the longest unused first. Their number and idle time are limited. */
export class Pools {
  private readonly byKey = new Map<string, OriginPool>()
  private readonly connectTimeoutMs: number
  private readonly totalTimeoutMs: number
  private readonly now: () => number
  private readonly authorities: ReadonlyArray<string> | undefined

  constructor(
    connectTimeoutMs: number,
    totalTimeoutMs: number,
    now: () => number = () => performance.now(),
    authorities?: ReadonlyArray<string>
  ) {
    this.authorities = authorities
    this.connectTimeoutMs = connectTimeoutMs
    this.totalTimeoutMs = totalTimeoutMs
    this.now = now
  }

  /** Returns the number of origins with a pool. */
  get size(): number {
    return this.byKey.size
  }

  /** Returns the pool of an origin. A pinned pool only dials its `addresses`, and shares no connection with another; nor does one with a client certificate. */
  of(
    origin: string,
    pinned: boolean,
    connectTimeoutMs: number = this.connectTimeoutMs,
    certificate?: ClientCertificate
  ): OriginPool {
    const key = `${origin} ${pinned} ${connectTimeoutMs} ${certificate?.fingerprint ?? ""}`
    const known = this.byKey.get(key)
    if (known !== undefined) this.byKey.delete(key)
    this.evict()
    const held =
      known ??
      open(origin, connectTimeoutMs, pinned, this.totalTimeoutMs, { certificate, authorities: this.authorities })
    held.usedAt = this.now()
    this.byKey.set(key, held)
    return held
  }

  /** Closes every connection. */
  close(): Promise<unknown> {
    return Promise.all([...this.byKey.values()].map(({ pool }) => pool.destroy()))
  }

  private evict(): void {
    const stale = this.now() - unusedMs
    for (const [key, held] of this.byKey) {
      if (this.byKey.size < maxOrigins && held.usedAt > stale) return
      if (held.inFlight > 0) continue
      this.byKey.delete(key)
      void held.pool.destroy()
    }
  }
}

/** Returns addresses in the form that the dialler takes. */
export const dialable = (addresses: ReadonlyArray<string>): ReadonlyArray<LookupAddress> =>
  addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
