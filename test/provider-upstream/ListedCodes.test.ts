import { isSameContent } from "@carteiro/runtime/templates/template/SameContent.ts"
import { componentsFault } from "@carteiro/schema/templates/ComponentFaults.ts"
import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { assert, it } from "@effect/vitest"
import { listedContent } from "../../packages/provider-upstream/UpstreamTemplateContent.ts"
import { submittedComponents } from "../../packages/provider-upstream/UpstreamTemplateForm.ts"

const address = "https://www.whatsapp.com/otp/code/"

/** An authentication template as the platform lists it: with texts of its own, and its button as an address. */
const listed = (query: string, more: { readonly minutes?: number; readonly button?: object } = {}) => [
  {
    type: "BODY",
    text: "*{{1}}* is your verification code. For your security, do not share this code.",
    add_security_recommendation: true,
    example: { body_text: [["123456"]] }
  },
  ...(more.minutes === undefined
    ? []
    : [
        {
          type: "FOOTER",
          text: `This code expires in ${more.minutes} minutes.`,
          code_expiration_minutes: more.minutes
        }
      ]),
  {
    type: "BUTTONS",
    buttons: [
      more.button ?? {
        type: "URL",
        text: "Copy code",
        url: `${address}?${query}&code=otp{{1}}`,
        example: [`${address}?${query}&code=otp123456`]
      }
    ]
  }
]

const form = (button: object, minutes?: number) => [
  { type: "BODY", add_security_recommendation: true },
  ...(minutes === undefined ? [] : [{ type: "FOOTER", code_expiration_minutes: minutes }]),
  { type: "BUTTONS", buttons: [{ type: "OTP", ...button }] }
]

const app = { package_name: "br.example.shop", signature_hash: "K8a/AINcGX7" }

for (const [name, components, wanted] of [
  [
    "with a code to copy",
    listed("otp_type=COPY_CODE&code_expiration_minutes=10", { minutes: 10 }),
    form({ otp_type: "COPY_CODE", text: "Copy code" }, 10)
  ],
  [
    "with one tap",
    listed("otp_type=ONE_TAP&cta_display_name=Autofill&package_name=br.example.shop&signature_hash=K8a%2FAINcGX7"),
    form({ otp_type: "ONE_TAP", text: "Copy code", autofill_text: "Autofill", ...app })
  ],
  [
    "whose button is listed as it was submitted",
    listed("", { button: { type: "OTP", otp_type: "ZERO_TAP", text: "Copy", supported_apps: [app] } }),
    form({ otp_type: "ZERO_TAP", text: "Copy", ...app, zero_tap_terms_accepted: true })
  ]
] as const) {
  it(`an authentication template ${name} is read in its form, and could be submitted so U-TPL-04 U-TPL-08`, () => {
    const content = listedContent(components, "authentication")
    assert.deepStrictEqual<unknown>(content, { components: wanted, parameter_format: "POSITIONAL" })
    assert.isUndefined(componentsFault(content?.components ?? [], "POSITIONAL", "authentication"))
    assert.deepStrictEqual<unknown>(submittedComponents(content?.components ?? []), wanted)
  })
}

it("an authentication template with a text of its own is read as any other U-TPL-04 U-TPL-08", () => {
  const own = [{ type: "BODY", text: "Your code is {{1}}.", example: { body_text: [["123456"]] } }]
  assert.deepStrictEqual<unknown>(listedContent(own, "authentication")?.components, own)
})

it("a marketing template with such an address stays one U-TPL-08", () => {
  const content = listedContent(listed("otp_type=COPY_CODE"), "utility")
  assert.strictEqual(content?.components.at(-1)?.buttons?.[0]?.type, "URL")
})

it("authentication templates are equal by advice, expiry, kind of button and app; a label may be the platform's U-TPL-08", () => {
  const of = (button: object, minutes?: number) => form(button, minutes) as ReadonlyArray<TemplateComponent>
  const copy = of({ otp_type: "COPY_CODE", text: "Copiar" }, 10)
  const oneTap = of({ otp_type: "ONE_TAP", text: "Copiar", ...app }, 10)
  assert.isTrue(isSameContent(copy, of({ otp_type: "COPY_CODE" }, 10)))
  assert.isTrue(isSameContent(oneTap, of({ otp_type: "ONE_TAP", text: "Copiar", autofill_text: "Usar", ...app }, 10)))
  for (const other of [
    of({ otp_type: "COPY_CODE", text: "Copy" }, 10),
    of({ otp_type: "COPY_CODE", text: "Copiar" }, 5),
    of({ otp_type: "COPY_CODE", text: "Copiar" }),
    oneTap,
    copy.map((part) => (part.type === "BODY" ? { ...part, add_security_recommendation: false } : part))
  ]) {
    assert.isFalse(isSameContent(copy, other))
  }
  assert.isFalse(
    isSameContent(oneTap, of({ otp_type: "ONE_TAP", text: "Copiar", ...app, package_name: "br.other" }, 10))
  )
})
