import type { Write } from "@carteiro/tables/Write.ts"
import { BoundedMap } from "../BoundedMap.ts"
import type { CommitUnit, Follower, GatheredRows, StatementShape } from "./Statement.ts"
import { statementText } from "./StatementText.ts"

/** Shapes that a node keeps: fewer than the statements that a connection keeps prepared. */
const mostShapes = 48
/** Writes without rows that a statement may have. To run one costs about half as much as to plan it. */
const mostIdle = 4
/**
 * A set of writes that came this often in a larger shape gets its own shape: by then a plan on each connection costs
 * less.
 */
const ownAfter = 32
/** The time for which batches use exactly their own shapes after a lock stopped a statement, in milliseconds. */
const exactMs = 10_000
/** Sets of writes that are counted. */
const mostCounted = 1024

/**
 * The shapes of a node's commits. PostgreSQL plans each text once a connection, which takes milliseconds for so many
 * writes, and each mix of neighbours would make another text. A batch therefore uses a known shape that has a few more
 * writes than it needs, if there is one. A new shape also includes the writes of the nearest known shape, so that few
 * shapes soon serve all mixes. Decision 0062
 */
export class StatementShapes {
  /** Known shapes; the last one is the most recently used. */
  private readonly known = new Map<string, StatementShape>()
  private exactUntil = 0
  private readonly uses = new BoundedMap<string, number>(mostCounted)
  private readonly followers: Readonly<Record<string, ReadonlyArray<Follower>>>

  constructor(followers: Readonly<Record<string, ReadonlyArray<Follower>>>) {
    this.followers = followers
  }

  /** Returns the shape for a batch at an instant in epoch milliseconds. */
  shapeOf(units: ReadonlyArray<CommitUnit>, gathered: GatheredRows, at: number): StatementShape {
    const writes = new Map([...gathered.values()].map(({ write }) => [write.name, write]))
    const idempotent = units.some((unit) => unit.idempotency !== undefined)
    const key = keyOf(writes, idempotent)
    const own = this.known.get(key)
    if (own !== undefined) return this.used(key, own)
    if (at < this.exactUntil) return this.made([...writes.values()], idempotent)
    const uses = (this.uses.get(key) ?? 0) + 1
    if (uses >= ownAfter) return this.add(writes, idempotent)
    this.uses.set(key, uses)
    return this.covering(writes, idempotent) ?? this.addWithNearest(writes, idempotent)
  }

  /**
   * Records that a lock stopped a statement. It may lock a whole table, which a write without rows touches as well. For
   * a while a batch therefore uses exactly its own shape, and waits for no table that it does not write.
   */
  stopped(at: number): void {
    this.exactUntil = at + exactMs
  }

  /** Returns the smallest known shape that has all these writes and not many more. */
  private covering(writes: ReadonlyMap<string, Write>, idempotent: boolean): StatementShape | undefined {
    let least: readonly [string, StatementShape] | undefined
    for (const [key, shape] of this.known) {
      if (idempotent && !shape.idempotent) continue
      const idle = shape.writes.length - writes.size
      if (idle < 0 || idle > mostIdle || (least !== undefined && shape.writes.length >= least[1].writes.length))
        continue
      if (shared(writes, shape) === writes.size) least = [key, shape]
    }
    return least === undefined ? undefined : this.used(...least)
  }

  private addWithNearest(writes: ReadonlyMap<string, Write>, idempotent: boolean): StatementShape {
    let nearest: StatementShape | undefined
    let most = 0
    for (const shape of this.known.values()) {
      const common = shared(writes, shape)
      const fits = shape.writes.length - common <= mostIdle && writes.size - common <= mostIdle
      if (!fits || common <= most) continue
      most = common
      nearest = shape
    }
    const both = new Map([...writes, ...(nearest?.writes ?? []).map((write) => [write.name, write] as const)])
    return this.add(both, idempotent || nearest?.idempotent === true)
  }

  private add(writes: ReadonlyMap<string, Write>, idempotent: boolean): StatementShape {
    const shape = this.made([...writes.values()], idempotent)
    this.known.set(keyOf(writes, idempotent), shape)
    const [oldest] = this.known.keys()
    if (this.known.size > mostShapes && oldest !== undefined) this.known.delete(oldest)
    return shape
  }

  private made(unordered: ReadonlyArray<Write>, idempotent: boolean): StatementShape {
    const writes = unordered.toSorted(byName)
    return { writes, idempotent, text: statementText(writes, idempotent, this.followers) }
  }

  private used(key: string, shape: StatementShape): StatementShape {
    this.known.delete(key)
    this.known.set(key, shape)
    return shape
  }
}

const keyOf = (writes: ReadonlyMap<string, Write>, idempotent: boolean): string =>
  `${idempotent} ${[...writes.keys()].sort().join(" ")}`

const shared = (writes: ReadonlyMap<string, Write>, shape: StatementShape): number =>
  shape.writes.reduce((count, { name }) => (writes.has(name) ? count + 1 : count), 0)

const byName = (one: Write, other: Write): number => (one.name < other.name ? -1 : 1)
