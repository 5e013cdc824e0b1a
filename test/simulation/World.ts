import { makeSeeds, type Seeds } from "../faults/Seeds.ts"

/** Where virtual time begins in a world. */
export const worldBegins = Date.parse("2026-01-01T00:00:00.000Z")

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/**
 * How many schedules a property runs and from which seed; a failure prints its seed, its path and the smallest schedule
 * that fails. CARTEIRO_SIMULATION_RUNS multiplies the runs, CARTEIRO_SIMULATION_SEED chooses other schedules.
 */
export const simulated = (runs: number) => ({
  numRuns: runs * Number(process.env.CARTEIRO_SIMULATION_RUNS ?? 1),
  seed: Number(process.env.CARTEIRO_SIMULATION_SEED ?? 20_260_101)
})

/** More than any schedule needs. */
const most = 200_000

interface Entry {
  readonly at: number
  readonly tie: number
  readonly run: () => void
}

/**
 * A world of its own time: what is due runs at its instant, earliest first; what falls on one instant runs in an order
 * drawn from the seed, as it would race in reality. A month of it takes milliseconds.
 */
export class World {
  now = worldBegins
  readonly seeds: Seeds
  private happened = 0
  private readonly ties: Seeds
  private readonly agenda: Array<Entry> = []

  constructor(seed: number) {
    this.seeds = makeSeeds(`world/${seed}`)
    this.ties = this.seeds.fork("ties")
  }

  /** Runs something at an instant (epoch milliseconds), or as soon as possible when that has passed. */
  at(instant: number, run: () => void): void {
    const entry = { at: Math.max(instant, this.now), tie: this.ties.next(), run }
    let child = this.agenda.push(entry) - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!isBefore(entry, this.agenda[parent] as Entry)) break
      this.agenda[child] = this.agenda[parent] as Entry
      child = parent
    }
    this.agenda[child] = entry
  }

  after(millis: number, run: () => void): void {
    this.at(this.now + millis, run)
  }

  /** Lets time pass until nothing is due any more before `end`. */
  runTo(end: number): void {
    for (let next = this.agenda[0]; next !== undefined && next.at <= end; next = this.agenda[0]) {
      if (++this.happened > most) throw new Error("a world that never comes to rest")
      this.removeFirst()
      this.now = next.at
      next.run()
    }
    this.now = Math.max(this.now, end)
  }

  private removeFirst(): void {
    const last = this.agenda.pop() as Entry
    if (this.agenda.length === 0) return
    let parent = 0
    for (;;) {
      let child = 2 * parent + 1
      if (child >= this.agenda.length) break
      if (child + 1 < this.agenda.length && isBefore(this.agenda[child + 1] as Entry, this.agenda[child] as Entry)) {
        child++
      }
      if (!isBefore(this.agenda[child] as Entry, last)) break
      this.agenda[parent] = this.agenda[child] as Entry
      parent = child
    }
    this.agenda[parent] = last
  }
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.at < other.at || (one.at === other.at && one.tie < other.tie)
