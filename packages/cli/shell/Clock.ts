/** Returns epoch milliseconds of this machine. */
export const now = (): number => Date.now()

/** Resolves after the milliseconds, or as soon as the signal aborts. */
export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener("abort", done, { once: true })
    if (signal.aborted) done()
  })

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Returns the milliseconds of a span such as `90s`, `30m`, `2h` or `7d`, or undefined. */
export const spanMs = (text: string): number | undefined => {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * (unitMs[unit ?? ""] ?? 0)
}
