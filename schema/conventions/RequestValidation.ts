import { Option, Schema, SchemaGetter } from "effect"

declare module "effect/Schema" {
  namespace Annotations {
    interface Annotations {
      /** The code used instead of the route's own when a value is present and breaks this schema. */
      readonly errorCode?: string | undefined
      /** The code used instead of the route's own when a member of this schema is missing. */
      readonly missingCode?: string | undefined
    }
  }
}

/**
 * Gives one field its own refusal code: `PhoneE164.annotate(errorCode("invalid_phone_e164"))`. A missing field keeps
 * the route's code. gaps-1 A "Validation code of each route"
 */
export const errorCode = (code: string): { readonly errorCode: string } => ({ errorCode: code })

/** Gives one field its own refusal code where the contract names it for a missing field too. M-IMP-04 */
export const requiredCode = (code: string): { readonly errorCode: string; readonly missingCode: string } => ({
  errorCode: code,
  missingCode: code
})

/**
 * An optional member of a create body: null is decoded to absent. PATCH bodies use `Schema.optionalKey`, with `NullOr`
 * where the contract says "or null". gaps-1 A "Null for an optional field"
 */
export const nullableOptional = <S extends Schema.Top>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.toType(schema)), {
      decode: SchemaGetter.transformOptional<S["Type"], S["Type"] | null>(
        Option.filter((value): value is S["Type"] => value !== null)
      ),
      encode: SchemaGetter.passthrough()
    })
  )

/**
 * An optional member of a large body: null stays null in the decoded value, because turning it into absence would
 * double the cost of decoding. gaps-1 A "Null for an optional field"
 */
export const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
