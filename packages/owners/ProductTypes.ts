/**
 * The types that a product hands in. It adds members to this interface once, beside the layer of its `Refusals`:
 * `declare module "@carteiro/owners/ProductTypes.ts" { interface ProductTypes { … } }`. Members: `idPrefix`, `refusal`,
 * `unavailable` and `duplicate`. A member that is left out has the widest type.
 */
// biome-ignore lint/suspicious/noEmptyInterface: a product merges its members into it
export interface ProductTypes {}

/** An expected failure of a call. */
export interface TaggedRefusal extends Error {
  readonly _tag: string
}

type MemberOf<Member extends string, Widest> = ProductTypes extends { readonly [M in Member]: infer A extends Widest }
  ? A
  : Widest

/** The first part of an id. */
export type IdPrefix = MemberOf<"idPrefix", string>

/** An expected failure that an owner answers with, and that travels between nodes. */
export type Refusal = MemberOf<"refusal", TaggedRefusal>

/** The refusal of a call that cannot be answered now. */
export type Unavailable = MemberOf<"unavailable", Refusal>

/** The refusal of a call whose idempotency key another request took. */
export type Duplicate = MemberOf<"duplicate", Refusal>
