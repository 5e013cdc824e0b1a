import { Effect } from "effect"

/**
 * Lets one after another pass, in the order they came: whatever reaches an owner by a message or from its own node takes
 * its turn here. Costs nothing while nobody waits.
 */
export class Mailbox {
  private taken = false
  private waiting: Array<() => void> | undefined

  /** Runs an effect in its turn. */
  inTurn<A>(effect: Effect.Effect<A>): Effect.Effect<A> {
    return Effect.suspend(() => {
      if (!this.taken) {
        this.taken = true
        return Effect.ensuring(effect, this.pass)
      }
      return Effect.andThen(this.wait, Effect.ensuring(effect, this.pass))
    })
  }

  private get wait(): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const enter = () => resume(Effect.void)
      this.waiting ??= []
      this.waiting.push(enter)
      return Effect.sync(() => {
        const at = this.waiting?.indexOf(enter) ?? -1
        if (at >= 0) this.waiting?.splice(at, 1)
        // Its turn had come when it went away.
        else this.next()
      })
    })
  }

  private get pass(): Effect.Effect<void> {
    return Effect.sync(() => this.next())
  }

  private next(): void {
    const enter = this.waiting?.shift()
    if (enter === undefined) {
      this.waiting = undefined
      this.taken = false
    } else enter()
  }
}
