/** The first of what a good run holds. */
export const first = <A>(list: ReadonlyArray<A>): A => {
  const [found] = list
  if (found === undefined) throw new Error("the good run holds nothing here")
  return found
}

/** Changes the first of a list. */
export const changed = <A>(list: Array<A>, changes: Partial<A>): void => {
  list[0] = { ...first(list), ...changes }
}
