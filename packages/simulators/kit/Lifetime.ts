/** What a simulator in a process of its own does for whoever started it. */
export interface Hosted {
  /** A message of the parent process: what the simulator could not know when it started. */
  readonly told: (message: unknown) => void
  readonly stop: () => Promise<void>
}

/**
 * Says `ready <url>` on stdout, and ends the process with its parent, however that ends: the channel between them closes
 * then. Started by hand it ends on SIGTERM or ctrl-c.
 */
export const live = (url: string, { stop, told }: Hosted): void => {
  process.stdout.write(`ready ${url}\n`)
  const end = () => {
    void stop().then(() => process.exit(0))
  }
  process.once("SIGTERM", end)
  process.once("SIGINT", end)
  if (process.send === undefined) return
  process.once("disconnect", end)
  process.on("message", told)
}

/** Milliseconds since the epoch: a vendor lives by a clock of its own. */
export const vendorClock = (): number => Math.floor(performance.timeOrigin + performance.now())
