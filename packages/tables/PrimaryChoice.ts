/** How a server answered. */
export interface ServerState {
  /** PostgreSQL's identifier of the data, which a primary and its standbys share. */
  readonly system: string
  /** Rises by one with each promotion. Undefined for a server that takes no writes. */
  readonly timeline: number | undefined
  /** The end of the log that it has written, in bytes; 0 for a server that takes no writes. */
  readonly position: number
  /** Whether its commits wait for a standby. */
  readonly isSynchronous: boolean
}

/** Why a promoted server is not followed: it may lack what was answered, and repeat what has left. */
const mayLack =
  "it was promoted, and the former primary had no synchronous standby: what was answered last may be missing. Stop all nodes, run carteiro-operator restore accept --promoted, and start them"

/**
 * Chooses among several servers the one that takes writes on the newest timeline. A promotion begins a new timeline, so
 * that an old primary which still runs, or comes back, is never chosen again. A promotion is followed only when nothing
 * that was answered can be missing: the commits of the former primary waited for a standby, or the promoted server is
 * the former primary itself, which started again with its own data. Else no server is chosen any more.
 */
export class PrimaryChoice {
  /** The chosen server; undefined while none is known to take writes. */
  current: string | undefined
  /** The newest timeline that was seen. */
  timeline = 0
  /** Set once statements go to the chosen server; before, any promotion may be followed. */
  isInUse = false
  /** Set once a promotion is not followed; nothing is chosen any more. */
  isRefused = false
  private system: string | undefined
  private isSynchronous = true
  /** The server that took writes last, and the furthest end of its log that was seen. */
  private last: { readonly server: string; readonly position: number } | undefined
  private readonly writable = new Map<string, number>()
  private readonly servers: ReadonlyArray<string>

  constructor(servers: ReadonlyArray<string>) {
    this.servers = servers
  }

  /**
   * Takes what a server answered, undefined for no answer, and returns why it cannot be the primary although it takes
   * writes. A chosen server that does not answer stays chosen until another one takes writes.
   */
  saw(server: string, state: ServerState | undefined): string | undefined {
    this.writable.delete(server)
    if (state === undefined) return this.choose()
    if (state.timeline === undefined) {
      if (this.current === server) this.current = undefined
      return this.choose()
    }
    if (this.system !== undefined && this.system !== state.system) return "it holds other data"
    if (state.timeline < this.timeline) {
      return `it is on timeline ${state.timeline}, and a server was promoted to timeline ${this.timeline}`
    }
    const isPromoted = state.timeline > this.timeline
    if (this.isRefused || (isPromoted && !this.isSynchronous && !this.isSame(server, state.position))) {
      this.isRefused = true
      this.current = undefined
      return mayLack
    }
    this.system = state.system
    this.timeline = state.timeline
    this.isSynchronous = state.isSynchronous || !this.isInUse
    this.writable.set(server, state.timeline)
    this.choose()
    if (this.current === server) this.last = { server, position: state.position }
    return undefined
  }

  /**
   * True for the server that took writes last and has all of its log. A manager of failovers starts a primary that
   * crashed as a standby without a primary, and promotes it. An earlier position is that of a restore.
   */
  private isSame(server: string, position: number): boolean {
    return this.last !== undefined && server === this.last.server && position >= this.last.position
  }

  private choose(): undefined {
    const candidates = this.servers.filter((server) => this.writable.get(server) === this.timeline)
    if (candidates.length > 0 && !candidates.some((server) => server === this.current)) this.current = candidates[0]
  }
}
