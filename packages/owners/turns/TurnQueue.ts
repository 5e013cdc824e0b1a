/** Runs the next part of some work; true once the work is done. */
type Step = () => boolean

/**
 * Turns of the event loop between two parts. A request of a quiet tenant takes some ten turns; only every ninth of them
 * then runs a part. An empty turn costs microseconds.
 */
const restingTurns = 8

const afterRest = (turn: () => void, rest = restingTurns): void => {
  setImmediate(() => (rest === 0 ? turn() : afterRest(turn, rest - 1)))
}

/**
 * Gives one part of work a turn of the event loop at a time, and rotates between holders. Work of one holder runs in
 * the order it came. The queue holds no bodies: the caller that adds work accounts for the bytes it uses.
 */
export class TurnQueue {
  /** Holders in the order of their next turns. */
  private readonly holders = new Map<string, Array<Step>>()
  private readonly schedule: (turn: () => void) => void
  private isScheduled = false

  constructor(schedule: (turn: () => void) => void = afterRest) {
    this.schedule = schedule
  }

  /** True when no work waits. */
  get isIdle(): boolean {
    return this.holders.size === 0
  }

  /** Adds work; the returned function withdraws it. */
  add(holder: string, step: Step): () => void {
    const steps = this.holders.get(holder)
    if (steps === undefined) this.holders.set(holder, [step])
    else steps.push(step)
    this.plan()
    return () => this.remove(holder, step)
  }

  private plan(): void {
    if (this.isScheduled || this.isIdle) return
    this.isScheduled = true
    this.schedule(() => {
      this.isScheduled = false
      this.turn()
      this.plan()
    })
  }

  private turn(): void {
    for (const [holder, steps] of this.holders) {
      const [step] = steps
      // The other holders come first from now on.
      this.holders.delete(holder)
      this.holders.set(holder, steps)
      if (step?.() !== false && step !== undefined) this.remove(holder, step)
      return
    }
  }

  private remove(holder: string, step: Step): void {
    const steps = this.holders.get(holder)
    const at = steps?.indexOf(step) ?? -1
    if (steps === undefined || at < 0) return
    steps.splice(at, 1)
    if (steps.length === 0) this.holders.delete(holder)
  }
}
