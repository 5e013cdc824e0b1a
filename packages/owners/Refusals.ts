import { Context, Layer, Option, Schema } from "effect"
import type { Duplicate, Refusal, Unavailable } from "./ProductTypes.ts"

/** The refusals of a product, as it hands them to the engine. */
export interface ProductRefusals {
  /** Carries any refusal between nodes. */
  readonly codec: Schema.Codec<Refusal, unknown>
  /** Makes the refusal of a call that cannot be answered now, and may be made again in a second. */
  readonly unavailable: () => Unavailable
  /** Makes the refusal of a call whose idempotency key another request took. */
  readonly duplicate: () => Duplicate
}

/** Makes refusals, and carries them between nodes as JSON. */
export class Refusals extends Context.Service<
  Refusals,
  {
    /** Carries any refusal within a longer message. */
    readonly codec: ProductRefusals["codec"]
    readonly encode: (refusal: Refusal) => unknown
    /** Returns the refusal that another node sent; undefined for a kind that this release does not know. */
    readonly decode: (json: unknown) => Refusal | undefined
  } & Pick<ProductRefusals, "unavailable" | "duplicate">
>()("@carteiro/owners/Refusals") {
  static readonly layer = ({ codec, duplicate, unavailable }: ProductRefusals) => {
    const json = Schema.toCodecJson(codec)
    const decode = Schema.decodeUnknownOption(json)
    return Layer.succeed(Refusals, {
      codec,
      encode: Schema.encodeSync(json),
      decode: (text) => Option.getOrUndefined(decode(text)),
      unavailable,
      duplicate
    })
  }
}
