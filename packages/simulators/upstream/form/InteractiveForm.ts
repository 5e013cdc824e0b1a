import { recordOf } from "../../kit/Routes.ts"
import { anything, by, every, invalid, list, matching, oneOf, type Rule, record, text } from "./Shape.ts"

/** A file by its id at the platform, or by its link. */
export const file = (optional: Readonly<Record<string, Rule>> = {}): Rule =>
  record({}, { id: text(512), link: matching(/^https?:\/\//, "must be a link"), ...optional }, (value, path) => {
    const { id, link } = recordOf(value)
    return (id === undefined) === (link === undefined) ? invalid(path, "expected one of id and link") : undefined
  })

const type = (...words: ReadonlyArray<string>) => ({ type: oneOf(...words) })

/** Headers: `type` says which member they have. U-SND-03 */
const header: Rule = by("type", {
  text: record({ ...type("text"), text: text(60) }, { sub_text: text(60) }),
  image: record({ ...type("image"), image: file() }),
  video: record({ ...type("video"), video: file() }),
  document: record({ ...type("document"), document: file({ filename: text(240) }) })
})

const body = record({ text: text(1024) })
const footer = record({ text: text(60) })
const framed = { header, footer }
const untouched = (value: string): boolean => value === value.trim()

const unique = (path: string, values: ReadonlyArray<unknown>) =>
  new Set(values).size === values.length ? undefined : invalid(path, "must be unique")

const membersOf = (value: unknown, name: string) => {
  const members = recordOf(value)[name]
  return Array.isArray(members) ? members.map(recordOf) : []
}

const buttons: Rule = every(
  record({
    buttons: list(record({ ...type("reply"), reply: record({ id: text(256), title: text(20) }) }), 1, 3)
  }),
  (value, path) => {
    const replies = membersOf(value, "buttons").map(({ reply }) => recordOf(reply))
    const padded = replies.find(({ id }) => !untouched(String(id)))
    if (padded !== undefined) return invalid(path, "ids have no blanks at their ends")
    return (
      unique(
        `${path} ids`,
        replies.map(({ id }) => id)
      ) ??
      unique(
        `${path} titles`,
        replies.map(({ title }) => title)
      )
    )
  }
)

const row = record({ id: text(200), title: text(24) }, { description: text(72) })

/** Lists have ten rows in all, with unique ids, and titled sections when they have several. U-SND-06 */
const sections: Rule = every(
  record({ button: text(20), sections: list(record({ rows: list(row, 1, 10) }, { title: text(24) }), 1, 10) }),
  (value, path) => {
    const parts = membersOf(value, "sections")
    const rows = parts.flatMap((part) => membersOf(part, "rows"))
    if (rows.length > 10) return invalid(path, "10 rows at most in all sections")
    if (parts.length > 1 && parts.some(({ title }) => title === undefined)) return invalid(path, "sections need titles")
    return unique(
      `${path} row ids`,
      rows.map(({ id }) => id)
    )
  }
)

const flow: Rule = record({
  name: oneOf("flow"),
  parameters: record(
    { flow_message_version: oneOf("3"), flow_cta: text(30) },
    {
      flow_id: text(64),
      flow_name: text(200),
      mode: oneOf("draft", "published"),
      flow_token: text(1024),
      flow_action: oneOf("navigate", "data_exchange"),
      flow_action_payload: record({}, { screen: text(200), data: anything })
    },
    (value, path) => {
      const { flow_id, flow_name } = recordOf(value)
      return (flow_id === undefined) === (flow_name === undefined)
        ? invalid(path, "expected one of flow_id and flow_name")
        : undefined
    }
  )
})

const url: Rule = record({
  name: oneOf("cta_url"),
  parameters: record({ display_text: text(20), url: matching(/^https?:\/\//, "must be a link") })
})

const product = record({ catalog_id: text(64), product_retailer_id: text(200) })
const products = record({
  catalog_id: text(64),
  sections: list(
    record({ product_items: list(record({ product_retailer_id: text(200) }), 1, 30) }, { title: text(24) }),
    1,
    10
  )
})
const named = (name: string, parameters: Rule = anything): Rule => record({ name: oneOf(name) }, { parameters })

/** The content of interactive messages, by their type. */
export const interactive: Rule = by("type", {
  button: record({ ...type("button"), body, action: buttons }, framed),
  list: record({ ...type("list"), body, action: sections }, framed),
  flow: record({ ...type("flow"), body, action: flow }, framed),
  cta_url: record({ ...type("cta_url"), body, action: url }, framed),
  location_request_message: record({ ...type("location_request_message"), body, action: named("send_location") }),
  order_details: record({ ...type("order_details"), body, action: named("review_and_pay") }, framed),
  order_status: record({ ...type("order_status"), body, action: named("review_order") }, framed),
  product: record({ ...type("product"), action: product }, { body, footer }),
  product_list: record({ ...type("product_list"), header, body, action: products }, { footer }),
  catalog_message: record({ ...type("catalog_message"), body, action: named("catalog_message") }, { footer }),
  call_permission_request: record(
    { ...type("call_permission_request"), action: named("call_permission_request") },
    { body }
  ),
  address_message: record({ ...type("address_message"), body, action: named("address_message") }, framed)
})
