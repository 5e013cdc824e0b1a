/** One shape of a body, chosen by its tag. */
export interface Variant {
  /** The name of the shape in the API description and in generated clients. */
  readonly schema: string
  /** Members that are required with this tag. */
  readonly requires?: ReadonlyArray<string>
  /** Members that are optional with this tag. */
  readonly takes?: ReadonlyArray<string>
}

/** The shapes of a body by one of its members. A member that no variant names belongs to all of them. */
export interface Variants {
  readonly tag: string
  readonly of: Readonly<Record<string, Variant>>
}

/**
 * Declares the members of a body under each value of its tag. The server decodes such a body as one shape, so that a
 * refusal names the one field that is wrong. `/openapi.json` shows one schema for each value, so that generated clients
 * know the members of each. Annotate the struct before its checks.
 */
export const variants = (tag: string, of: Readonly<Record<string, Variant>>): { readonly variants: Variants } => ({
  variants: { tag, of }
})
