/** Resolves after so many milliseconds. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** Resolves with the first answer other than undefined, asked for every 100 ms; rejects when none comes in time. */
export const eventually = async <A>(
  look: () => A | undefined | Promise<A | undefined>,
  withinMs: number,
  missing: string
): Promise<A> => {
  const end = performance.now() + withinMs
  while (performance.now() < end) {
    const found = await look()
    if (found !== undefined) return found
    await pause(100)
  }
  throw new Error(missing)
}
