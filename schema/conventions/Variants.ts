/** One shape of a body that its tag chooses. */
export interface Variant {
  /** Its name in the description and in the clients made from it. */
  readonly schema: string
  /** Members that come with this tag. */
  readonly requires?: ReadonlyArray<string>
  /** Members that may come with this tag. */
  readonly takes?: ReadonlyArray<string>
}

/** How a body splits by one of its members. A member that no variant names belongs to all of them. */
export interface Variants {
  readonly tag: string
  readonly of: Readonly<Record<string, Variant>>
}

/**
 * Says which members a body has under each value of its tag. The server decodes such a body as one shape, so that a
 * refusal names the one field that is wrong; `/openapi.json` shows one schema for each value, so that clients made from
 * it know what each needs. Annotate the struct before its checks.
 */
export const variants = (tag: string, of: Readonly<Record<string, Variant>>): { readonly variants: Variants } => ({
  variants: { tag, of }
})
