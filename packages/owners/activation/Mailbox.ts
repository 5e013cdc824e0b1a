import { Effect } from "effect"

/**
 * Runs effects one after another, in the order they came. Calls by message and calls from the node itself both wait
 * here. An empty mailbox costs nothing.
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
        // The waiter's turn had come when it was interrupted.
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
