import { Clock, Context, type Duration, Effect } from "effect"

/**
 * The distance of one tenant's time from the node's: ahead by `leadMs`, or standing still at one instant (both
 * milliseconds).
 */
export interface Turned {
  readonly leadMs: number
  readonly standsAt: number | undefined
  /** How often the tenant was emptied; 0 when left out. Memory of an earlier count is forgotten. */
  readonly resets?: number | undefined
  /** True while the tenant is being emptied: its owners decide nothing. */
  readonly resetting?: boolean | undefined
}

/** The clock of a tenant as a row has it; all null before its first turn. Instants in epoch milliseconds. */
export interface TurnedRow {
  readonly lead_ms: number | null
  readonly stands_at: number | null
  readonly resets: number | null
  readonly resetting: boolean | null
}

/** Returns the clock that a row has; undefined before its first turn. */
export const turnedOf = ({ lead_ms, resets, resetting, stands_at }: TurnedRow): Turned | undefined =>
  lead_ms === null
    ? undefined
    : { leadMs: lead_ms, standsAt: stands_at ?? undefined, resets: resets ?? 0, resetting: resetting === true }

/** Returns the era of a clock: it changes when a reset begins and when it ends. */
const eraOfTurned = ({ resets = 0, resetting = false }: Turned): number => resets * 2 + (resetting ? 1 : 0)

/** Returns the era of a tenant's clock; 0 for a tenant that was never reset. A cache that spans a reset is keyed by it. */
export const eraOf = (clock: Clock.Clock): number => (clock instanceof TurnedClock ? clock.era : 0)

/**
 * The state of one owner's clock. `real` never changes while the owner is in memory. `unturned` may be turned later,
 * and holds for `unturnedLeaseMs` after it was read.
 */
export type Standing = "real" | "unturned" | Turned

/**
 * The time for which an owner relies on having read that its clock was never turned, in milliseconds. The first turn of
 * a clock takes effect after this time, so no owner decides on real time beside owners that decide on turned time.
 */
export const unturnedLeaseMs = 500

/** Returns how many milliseconds the turned time is ahead of the node's time; negative when it is behind. */
export const leadOf = ({ leadMs, standsAt }: Turned, nodeNow: number): number =>
  standsAt === undefined ? leadMs : standsAt - nodeNow

/** Reads the state of the clock of the owner with that id. Without it every owner uses the node's clock. */
export type ClockOf = ((ownerId: string) => Effect.Effect<Standing>) | undefined
export const OwnerClocks = Context.Reference<ClockOf>("@carteiro/owners/clock/OwnerClocks", {
  defaultValue: () => undefined
})

/** The clock of one tenant. Sleeps last as long as on the node's clock: a clock that is ahead does not run faster. */
export class TurnedClock implements Clock.Clock {
  private readonly base: Clock.Clock
  private readonly turned: Turned

  get era(): number {
    return eraOfTurned(this.turned)
  }

  constructor(base: Clock.Clock, turned: Turned) {
    this.base = base
    this.turned = turned
  }

  currentTimeMillisUnsafe(): number {
    return this.turned.standsAt ?? this.base.currentTimeMillisUnsafe() + this.turned.leadMs
  }

  /** Real time in epoch milliseconds. */
  realMillisUnsafe(): number {
    return this.base.currentTimeMillisUnsafe()
  }

  currentTimeNanosUnsafe(): bigint {
    const { leadMs, standsAt } = this.turned
    return standsAt === undefined
      ? this.base.currentTimeNanosUnsafe() + BigInt(leadMs) * 1_000_000n
      : BigInt(standsAt) * 1_000_000n
  }

  monotonicTimeNanosUnsafe(): bigint {
    return this.base.monotonicTimeNanosUnsafe()
  }

  readonly currentTimeMillis: Effect.Effect<number> = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos: Effect.Effect<bigint> = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos: Effect.Effect<bigint> = Effect.sync(() => this.monotonicTimeNanosUnsafe())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return this.base.sleep(duration)
  }
}

/**
 * The time of one owner in memory. A turned clock is read again before each batch and each pass, a clock that was never
 * turned when its lease ends, and a real one never.
 */
export class OwnerTime {
  /** The clock on which the owner decides. */
  clock: Clock.Clock
  private turned: Turned | undefined
  private readUntil = Number.NEGATIVE_INFINITY
  private readonly base: Clock.Clock
  private readonly find: ClockOf
  private readonly id: string
  /** The era read last; undefined before the first read. */
  private era: number | undefined
  private readonly forget: () => void

  /** `forget` is called when a reset of the tenant began or ended since the last read. */
  constructor(base: Clock.Clock, find: ClockOf, id: string, forget: () => void) {
    this.forget = forget
    this.base = base
    this.clock = base
    this.find = find
    this.id = id
  }

  /** Epoch milliseconds on the owner's clock. */
  now(): number {
    return this.clock.currentTimeMillisUnsafe()
  }

  /** Epoch milliseconds on the node's clock. */
  nodeNow(): number {
    return this.base.currentTimeMillisUnsafe()
  }

  lead(): number | undefined {
    return this.turned === undefined ? undefined : leadOf(this.turned, this.nodeNow())
  }

  stands(): boolean {
    return this.turned?.standsAt !== undefined
  }

  /**
   * Runs the effect on the owner's clock, which is read again first where it may have been turned. Returns `held` instead
   * while the tenant is being emptied.
   */
  on<A, E>(effect: Effect.Effect<A, E>, held: () => A): Effect.Effect<A, E> {
    const { find } = this
    if (find === undefined) return effect
    return Effect.suspend(() =>
      this.nodeNow() < this.readUntil
        ? this.withClock(effect, held)
        : Effect.flatMap(find(this.id), (standing) => {
            this.take(standing)
            return this.withClock(effect, held)
          })
    )
  }

  private withClock<A, E>(effect: Effect.Effect<A, E>, held: () => A): Effect.Effect<A, E> {
    if (this.turned?.resetting === true) return Effect.sync(held)
    return this.turned === undefined ? effect : Effect.provideService(effect, Clock.Clock, this.clock)
  }

  /** Reads the clock again before the next batch or pass, also where it was never turned. */
  expire(): void {
    if (this.readUntil !== Number.POSITIVE_INFINITY) this.readUntil = Number.NEGATIVE_INFINITY
  }

  private take(standing: Standing): void {
    const era = typeof standing === "string" ? 0 : eraOfTurned(standing)
    const isOther = this.era !== undefined && this.era !== era
    this.era = era
    this.turnTo(standing)
    if (isOther) this.forget()
  }

  private turnTo(standing: Standing): void {
    if (typeof standing === "string") {
      this.turned = undefined
      this.clock = this.base
      this.readUntil = standing === "real" ? Number.POSITIVE_INFINITY : this.nodeNow() + unturnedLeaseMs
      return
    }
    const { turned } = this
    const isSameTime = turned?.leadMs === standing.leadMs && turned.standsAt === standing.standsAt
    if (isSameTime && turned !== undefined && eraOfTurned(turned) === eraOfTurned(standing)) return
    this.turned = standing
    this.clock = new TurnedClock(this.base, standing)
  }
}
