import { Schema } from "effect"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"

const componentTypes = ["HEADER", "BODY", "FOOTER", "BUTTONS"] as const
const headerFormats = ["TEXT", "IMAGE", "VIDEO", "DOCUMENT"] as const
const buttonTypes = ["QUICK_REPLY", "URL", "PHONE_NUMBER", "COPY_CODE", "FLOW", "REQUEST_CONTACT_INFO", "OTP"] as const
const otpTypes = ["COPY_CODE", "ONE_TAP", "ZERO_TAP"] as const

/** A place at which components break the contract, as a path from their list, and the expectation there. */
export interface ComponentFault {
  readonly path: ReadonlyArray<string | number>
  readonly issue: string
}

/** The parts of a template, each at most once. gaps-2 G "Component shapes" */
export type ComponentType = (typeof componentTypes)[number]
export type HeaderFormat = (typeof headerFormats)[number]
export type ButtonType = (typeof buttonTypes)[number]

/** Upper case, as stored; a request may use lower case. gaps-2 G "Component shapes" */
const inAnyCase = <const L extends ReadonlyArray<string>>(names: L) =>
  Schema.Literals([...names, ...names.map((name) => name.toLowerCase())] as unknown as readonly [
    ...L,
    ...{ readonly [I in keyof L]: Lowercase<L[I]> }
  ])

const NamedExample = Schema.Struct({
  param_name: text(1, 128).annotate({ description: "Name of the variable." }),
  example: text(1, 1024).annotate({ description: "Example value of the variable." })
})

const sample = text(1, 1024)
const most = 100
const one = Schema.Union([sample, Schema.Array(sample).check(Schema.isMinLength(1), Schema.isMaxLength(1))])

/** Example values for the reviewer. M-TPL-05, gaps-2 G "Component shapes" */
export const ComponentExample = Schema.Struct({
  header_text: nullableOptional(one.annotate({ description: "Example value of the header's variable." })),
  body_text: nullableOptional(
    Schema.Union([
      Schema.Array(sample).check(Schema.isMaxLength(most)),
      Schema.Array(Schema.Array(sample).check(Schema.isMaxLength(most))).check(
        Schema.isMinLength(1),
        Schema.isMaxLength(1)
      )
    ]).annotate({ description: "Example values of the body's variables, in the order of their positions." })
  ),
  header_text_named_params: nullableOptional(
    Schema.Array(NamedExample)
      .check(Schema.isMaxLength(1))
      .annotate({ description: "Example value of the header's named variable." })
  ),
  body_text_named_params: nullableOptional(
    Schema.Array(NamedExample)
      .check(Schema.isMaxLength(most))
      .annotate({ description: "Example values of the body's named variables." })
  ),
  header_handle: nullableOptional(
    one.annotate({ description: "The file of a media header: a media asset (mda_) or the upstream's handle." })
  )
}).annotate({ description: "Example values for the review." })
export type ComponentExample = typeof ComponentExample.Type

const buttonFields = {
  text: nullableOptional(text(1, 25).annotate({ description: "The label, 1 to 25 characters." })),
  payload: nullableOptional(
    text(1, 256).annotate({ description: "Payload that a tap on a quick reply returns; the label by default." })
  ),
  url: nullableOptional(text(1, 2000).annotate({ description: "The address, with at most one variable at its end." })),
  phone_number: nullableOptional(
    Schema.String.check(
      Schema.isPattern(/^\+?[0-9]{8,15}$/u, { expected: "a number in international form, such as +551140028922" })
    ).annotate({
      description: "The number to call, in international form.",
      examples: ["+551140028922"]
    })
  ),
  flow_id: nullableOptional(text(1, 255).annotate({ description: "The flow (flw_) that a tap opens." })),
  example: nullableOptional(
    one.annotate({
      description: "Example of the completed address, or the code that a tap copies (1 to 15 characters)."
    })
  ),
  otp_type: nullableOptional(
    Schema.Literals(otpTypes).annotate({
      description: "Way in which an OTP button hands over the code: the customer copies it, or your app receives it."
    })
  ),
  autofill_text: nullableOptional(
    text(1, 25).annotate({ description: "Label of an OTP button that hands the code to your app." })
  ),
  package_name: nullableOptional(
    text(1, 224).annotate({ description: "Package name of your app, for ONE_TAP and ZERO_TAP." })
  ),
  signature_hash: nullableOptional(
    text(11, 11).annotate({ description: "Signature of your app, 11 characters, for ONE_TAP and ZERO_TAP." })
  ),
  zero_tap_terms_accepted: nullableOptional(
    Schema.Boolean.annotate({ description: "True: you accept the provider's terms of ZERO_TAP." })
  )
}

const componentFields = {
  text: nullableOptional(
    text(1, 1024).annotate({ description: "The text: 1 to 1024 characters in BODY, 1 to 60 in HEADER and FOOTER." })
  ),
  example: nullableOptional(ComponentExample),
  add_security_recommendation: nullableOptional(
    Schema.Boolean.annotate({
      description: "BODY of an authentication template: whether the text asks the customer to keep the code secret."
    })
  ),
  code_expiration_minutes: nullableOptional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 90 })).annotate({
      description: "FOOTER of an authentication template: minutes until the code expires, 1 to 90."
    })
  )
}

const kindOfButton = "Action of a tap."
const kindOfComponent = "Part of the template; each at most once, BODY exactly once."
const kindOfHeader = "Content of a HEADER: TEXT, or a file given with each send."

/** A component as a request writes it; types in either case. gaps-2 G "Component shapes" */
export const ComponentInput = Schema.Struct({
  type: inAnyCase(componentTypes).annotate({ description: kindOfComponent }),
  format: nullableOptional(inAnyCase(headerFormats).annotate({ description: kindOfHeader })),
  ...componentFields,
  buttons: nullableOptional(
    Schema.Array(
      Schema.Struct({ type: inAnyCase(buttonTypes).annotate({ description: kindOfButton }), ...buttonFields })
    )
      .check(Schema.isMinLength(1), Schema.isMaxLength(10))
      .annotate({ description: "The 1 to 10 buttons of BUTTONS." })
  )
})
export type ComponentInput = typeof ComponentInput.Type

/** A component as it is stored, shown and sent. M-TPL-07, gaps-2 G "Component shapes" */
export const TemplateComponent = Schema.Struct({
  type: Schema.Literals(componentTypes).annotate({ description: kindOfComponent }),
  format: nullableOptional(Schema.Literals(headerFormats).annotate({ description: kindOfHeader })),
  ...componentFields,
  buttons: nullableOptional(
    Schema.Array(
      Schema.Struct({ type: Schema.Literals(buttonTypes).annotate({ description: kindOfButton }), ...buttonFields })
    ).annotate({ description: "The buttons of BUTTONS." })
  )
}).annotate({ identifier: "TemplateComponent" })
export type TemplateComponent = typeof TemplateComponent.Type
export type TemplateButton = NonNullable<TemplateComponent["buttons"]>[number]

const upper = <Name extends string>(name: string): Name => name.toUpperCase() as Name

/** Returns the stored form of a request's components. */
export const storedComponents = (components: ReadonlyArray<ComponentInput>): ReadonlyArray<TemplateComponent> =>
  components.map(({ buttons, format, type, ...rest }) => ({
    type: upper<ComponentType>(type),
    ...(format === undefined ? {} : { format: upper<HeaderFormat>(format) }),
    ...rest,
    ...(buttons === undefined
      ? {}
      : { buttons: buttons.map((button) => ({ ...button, type: upper<ButtonType>(button.type) })) })
  }))
