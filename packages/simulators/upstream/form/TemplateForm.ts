import { recordOf } from "../../kit/Routes.ts"
import type { World } from "../World.ts"
import {
  anything,
  between,
  by,
  every,
  type Flaw,
  flag,
  invalid,
  list,
  matching,
  oneOf,
  type Rule,
  record,
  text
} from "./Shape.ts"

const type = (word: string) => ({ type: matching(new RegExp(`^${word}$`, "i"), `expected ${word}`) })

const link = matching(/^https?:\/\//, "must be a link")
const label = text(25)

/** Buttons by their type; a quick reply has no payload here: sends name it. U-TPL-03 */
const button: Rule = by("type", {
  QUICK_REPLY: record({ ...type("QUICK_REPLY"), text: label }),
  URL: record({ ...type("URL"), text: label, url: link }, { example: list(text(2000), 1, 1) }, (value, path) => {
    const { example, url } = recordOf(value)
    return String(url).includes("{{") && example === undefined
      ? invalid(path, "a variable needs an example")
      : undefined
  }),
  PHONE_NUMBER: record({ ...type("PHONE_NUMBER"), text: label, phone_number: text(20) }),
  COPY_CODE: record({ ...type("COPY_CODE"), example: anything }, { text: label }),
  FLOW: record(
    { ...type("FLOW"), text: label },
    {
      flow_id: text(64),
      flow_name: text(200),
      flow_json: anything,
      flow_action: text(20),
      navigate_screen: text(200),
      icon: text(40)
    }
  ),
  REQUEST_CONTACT_INFO: record({ ...type("REQUEST_CONTACT_INFO") }, { text: label }),
  CATALOG: record({ ...type("CATALOG"), text: label }),
  MPM: record({ ...type("MPM"), text: label }),
  VOICE_CALL: record({ ...type("VOICE_CALL"), text: label }, { ttl_minutes: anything })
})

const variablesOf = (value: unknown): ReadonlyArray<string> => [
  ...new Set([...String(value ?? "").matchAll(/\{\{([^{}]+)\}\}/g)].map(([, key = ""]) => key))
]

const named = list(record({ param_name: text(60), example: text(1024) }), 1, 100)

/** Refuses a text with variables whose examples are missing or not one for each of them. U-TPL-02 */
const exampled =
  (flat: string, names: string, isNested: boolean): Rule =>
  (value, path) => {
    const { example, text: written } = recordOf(value)
    const variables = variablesOf(written)
    const { [flat]: flatExamples, [names]: namedExamples } = recordOf(example)
    const examples = isNested && Array.isArray(flatExamples) ? flatExamples[0] : (flatExamples ?? namedExamples)
    const count = Array.isArray(examples ?? namedExamples) ? (examples ?? namedExamples).length : 0
    if (variables.length === 0) return undefined
    return count === variables.length
      ? undefined
      : invalid(path, `message template '${path}' component is missing expected field(s) (example)`)
  }

/** The handle of a file that an upload session gave. U-TPL-01 */
const handled = (world: World): Rule =>
  record({
    header_handle: list(
      (value, path) => (world.handles.has(String(value)) ? undefined : invalid(path, "no such handle")),
      1,
      1
    )
  })

const header = (world: World): Rule =>
  by("format", {
    TEXT: every(
      record(
        { ...type("HEADER"), format: anything, text: text(60) },
        { example: record({}, { header_text: list(text(60), 1, 1), header_text_named_params: named }) }
      ),
      exampled("header_text", "header_text_named_params", false)
    ),
    IMAGE: record({ ...type("HEADER"), format: anything, example: handled(world) }),
    VIDEO: record({ ...type("HEADER"), format: anything, example: handled(world) }),
    DOCUMENT: record({ ...type("HEADER"), format: anything, example: handled(world) }),
    LOCATION: record({ ...type("HEADER"), format: anything })
  })

const body = every(
  record(
    { ...type("BODY"), text: text(1024) },
    { example: record({}, { body_text: list(list(text(1024), 1, 100), 1, 1), body_text_named_params: named }) }
  ),
  exampled("body_text", "body_text_named_params", true)
)

const byUpperType =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value, path) =>
    by("type", rules)({ ...recordOf(value), type: String(recordOf(value).type ?? "").toUpperCase() }, path)

const components = (world: World): Rule =>
  list(
    byUpperType({
      HEADER: header(world),
      BODY: body,
      FOOTER: record({ ...type("FOOTER"), text: text(60) }),
      BUTTONS: record({ ...type("BUTTONS"), buttons: list(button, 1, 10) })
    }),
    1,
    4
  )

const otp: Rule = by("otp_type", {
  COPY_CODE: record({ ...type("OTP"), otp_type: anything }, { text: label }),
  ONE_TAP: record(
    { ...type("OTP"), otp_type: anything },
    { text: label, autofill_text: label, package_name: text(224), signature_hash: text(11), supported_apps: anything }
  ),
  ZERO_TAP: record(
    { ...type("OTP"), otp_type: anything, zero_tap_terms_accepted: flag },
    { text: label, autofill_text: label, package_name: text(224), signature_hash: text(11), supported_apps: anything }
  )
})

/** Authentication templates have no text of their own. U-TPL-04 */
const authentication = list(
  byUpperType({
    BODY: record({ ...type("BODY") }, { add_security_recommendation: flag }),
    FOOTER: record({ ...type("FOOTER") }, { code_expiration_minutes: between(1, 90) }),
    BUTTONS: record({ ...type("BUTTONS"), buttons: list(otp, 1, 1) })
  }),
  2,
  3
)

const more = {
  parameter_format: oneOf("POSITIONAL", "NAMED", "positional", "named"),
  allow_category_change: flag,
  message_send_ttl_seconds: anything,
  cta_url_link_tracking_opted_out: flag,
  sub_category: text(60)
}

const categories = oneOf("AUTHENTICATION", "MARKETING", "UTILITY")

/** Returns what is wrong with a template that is submitted. */
export const templateFlaw = (world: World, template: Readonly<Record<string, unknown>>): Flaw | undefined =>
  record(
    {
      name: matching(/^[a-z0-9_]{1,512}$/, "only lower case letters, digits and underscores"),
      language: matching(/^[a-z]{2,3}(_[A-Z]{2})?$/, "no such language"),
      category: categories,
      components: template.category === "AUTHENTICATION" ? authentication : components(world)
    },
    more
  )(template, "")

/** Returns what is wrong with the changes of a template, of this category before them. */
export const templateChangeFlaw = (
  world: World,
  category: string,
  template: Readonly<Record<string, unknown>>
): Flaw | undefined =>
  record(
    {},
    {
      category: categories,
      components: (template.category ?? category) === "AUTHENTICATION" ? authentication : components(world),
      message_send_ttl_seconds: anything,
      parameter_format: more.parameter_format
    }
  )(template, "")
