/** The longest wait, in milliseconds; a longer one would overflow. */
const longest = 2_000_000_000

/** Timers of a simulator, which do not keep the process alive. */
export class Timers {
  private readonly waiting = new Set<NodeJS.Timeout>()

  after(millis: number, run: () => void): void {
    const timer = setTimeout(
      () => {
        this.waiting.delete(timer)
        run()
      },
      Math.max(0, Math.min(longest, millis))
    )
    timer.unref()
    this.waiting.add(timer)
  }

  close(): void {
    for (const timer of this.waiting) clearTimeout(timer)
  }
}
