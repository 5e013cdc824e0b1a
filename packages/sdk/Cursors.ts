/** Where `listen` keeps its place. The text is opaque. */
export interface Cursors {
  /** Returns the place saved last, or undefined. */
  load(): Promise<string | undefined>
  save(cursor: string): Promise<void>
}

/** Holds the place in memory, for this process. */
export const memoryCursors = (cursor?: string): Cursors => {
  let saved = cursor
  return {
    load: () => Promise.resolve(saved),
    save: (next) => {
      saved = next
      return Promise.resolve()
    }
  }
}
