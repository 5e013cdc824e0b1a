/** What a longer wait would overflow, in milliseconds. */
const longest = 2_000_000_000

/** What happens later at a simulator; none of it keeps the process alive. */
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
