import { at, listOf, type Node, node } from "./Json.ts"

/** A change of the description before it is compared, with its reason and where that is known from. */
export interface Amendment {
  /** `repair`: the description contradicts itself. `difference`: the platform moved on, or never was so. */
  readonly kind: "repair" | "difference"
  readonly reason: string
  readonly source: string
  readonly apply: (document: Node) => void
}

const schema = (document: Node, name: string): Node => {
  const found = at(document, "components", "schemas")[name]
  if (found === undefined) throw new Error(`the description has no schema ${name}`)
  return node(found)
}

/** Visits every object of a document, inner ones first. */
const visit = (value: unknown, see: (node: Node) => void): void => {
  if (typeof value !== "object" || value === null) return
  for (const inner of Object.values(value)) visit(inner, see)
  see(node(value))
}

/** Adds members to the list in a member. */
const extend = (target: Node, name: string, ...more: ReadonlyArray<unknown>): void => {
  target[name] = [...listOf(target[name]), ...more]
}

const without = (target: Node, ...names: ReadonlyArray<string>): void => {
  target.required = listOf(target.required).filter((name) => !names.includes(String(name)))
}

const wordsOf = (target: Node): string => listOf(target.enum).join()

const properties = (document: Node, name: string): Node => at(document, "components", "schemas", name, "properties")

/** The members that a composed schema adds to its base. */
const added = (document: Node, name: string): Node => at(schema(document, name), "allOf", 1, "properties")

const incoming = [
  "TextMessage_2",
  "ReactionMessage_1",
  "AudioMessage_1",
  "DocumentMessage_1",
  "ImageMessage_1",
  "StickerMessage_1",
  "VideoMessage_1",
  "LocationMessage_1",
  "ContactSharingMessage",
  "UnsupportedMessage",
  "ButtonMessage",
  "InteractiveMessageReply",
  "OrderMessage",
  "SystemMessage"
]

const ownExample = "the description's own examples"
const userIds = 'the platform\'s page "Business-scoped user IDs"; whatsapp-api-js 6.3.0, @great-detail/whatsapp 9.2.0'

/** Every change of the description. U-SIM-02 */
export const amendments: ReadonlyArray<Amendment> = [
  {
    kind: "repair",
    reason: "additionalProperties inside allOf sees only its own branch, so that every message is refused",
    source: ownExample,
    apply: (document) =>
      visit(document, (found) => {
        const closed = listOf(found.allOf)
          .map(node)
          .filter((one) => one.additionalProperties === false)
        for (const one of closed) Reflect.deleteProperty(one, "additionalProperties")
        if (closed.length > 0) found.unevaluatedProperties = false
      })
  },
  {
    kind: "repair",
    reason: "incoming messages name the schemas of outgoing ones, which have the same names in another file",
    source: ownExample,
    apply: (document) => {
      for (const name of incoming) {
        visit(schema(document, name), (found) => {
          if (found.$ref === "#/components/schemas/BaseMessageProperties") found.$ref = `${found.$ref}_1`
        })
      }
      schema(document, "IncomingMessage").oneOf = incoming
        .filter((name) => name !== "SystemMessage")
        .map((name) => ({ $ref: `#/components/schemas/${name}` }))
    }
  },
  {
    kind: "repair",
    reason: "coordinates are texts in the schema and numbers in its example",
    source: ownExample,
    apply: (document) => {
      const location = at(added(document, "LocationMessage"), "location", "properties")
      for (const name of ["latitude", "longitude"]) at(location, name).type = ["string", "number"]
    }
  },
  {
    kind: "repair",
    reason: "the pattern of a button's index takes no 0 and no 1; buttons are counted from 0 to 9",
    source: ownExample,
    apply: (document) =>
      visit(document.components, (found) => {
        if (found.pattern !== "^[2-6, 11-14]$") return
        Reflect.deleteProperty(found, "pattern")
        found.type = ["string", "integer"]
      })
  },
  {
    kind: "repair",
    reason: "recipient_type and the policy of a language are demanded and left out",
    source: ownExample,
    apply: (document) => {
      without(schema(document, "BaseMessageProperties"), "recipient_type")
      without(schema(document, "LanguageObject"), "policy")
    }
  },
  {
    kind: "repair",
    reason: "read marks go to the route of messages and are none of its types",
    source: 'the example "Send typing indicator and read receipt"; the schema MarkMessageRequestPayload',
    apply: (document) => {
      const message = schema(document, "Message")
      extend(message, "oneOf", { $ref: "#/components/schemas/MarkMessageRequestPayload" })
      Reflect.deleteProperty(message, "discriminator")
    }
  },
  {
    kind: "repair",
    reason: "types of interactive messages, buttons and parameters are used and not listed",
    source: `${ownExample} "Send Order Details Message", "Send Flow Template Message"; @kapso/whatsapp-cloud-api 0.3.0`,
    apply: (document) => {
      const more = ["order_details", "order_status", "cta_url", "location_request_message", "address_message"]
      extend(at(properties(document, "InteractiveObject"), "type"), "enum", ...more)
      const name = { enum: ["review_and_pay", "review_order", "cta_url", "send_location", "address_message"] }
      extend(schema(document, "ActionObject"), "oneOf", { required: ["name"], properties: { name } })
      visit(document.components, (found) => {
        if (wordsOf(found) === "quick_reply,url,catalog")
          extend(found, "enum", "copy_code", "flow", "mpm", "voice_call")
        if (wordsOf(found) === "payload,text") extend(found, "enum", "coupon_code", "action")
      })
    }
  },
  {
    kind: "repair",
    reason:
      "reports of groups have their times and phones as texts or numbers, and the field of participants two names",
    source: ownExample,
    apply: (document) => {
      at(properties(document, "Groups"), "timestamp").type = ["integer", "string"]
      for (const name of ["input", "wa_id"])
        at(properties(document, "GroupParticipant"), name).type = ["integer", "string"]
      extend(at(properties(document, "Change"), "field"), "enum", "group_participants_update", "group_status_update")
      const kinds = ["group_participants_add", "group_participants_remove", "group_suspend"]
      extend(at(properties(document, "Groups"), "type"), "enum", ...kinds)
    }
  },
  {
    kind: "repair",
    reason: "an unsupported message refers to the errors of calls, whose members it does not have",
    source: ownExample,
    apply: (document) => {
      at(added(document, "UnsupportedMessage"), "errors").items = { $ref: "#/components/schemas/ErrorObject_2" }
    }
  },
  {
    kind: "repair",
    reason: "phones of business cards may be MOBILE, which the list of their kinds lacks",
    source: ownExample,
    apply: (document) =>
      visit(document.components, (found) => {
        if (wordsOf(found) === "HOME,WORK") extend(found, "enum", "MOBILE", "CELL", "MAIN", "IPHONE")
      })
  },
  {
    kind: "repair",
    reason: "a read of subscribed apps names another app schema than the one that it shows",
    source: ownExample,
    apply: (document) => {
      for (const name of ["SubscribedAppsResponse", "SubscriptionResponse"]) {
        at(properties(document, name), "data").items = { type: "object" }
      }
    }
  },
  {
    kind: "difference",
    reason: "customers who hide their phone: recipient instead of to, no from, no recipient_id",
    source: userIds,
    apply: (document) => {
      const recipient = { type: "string", pattern: "^[A-Z]{2}\\.(ENT\\.)?[A-Za-z0-9]{1,128}$" }
      without(schema(document, "BaseMessageProperties"), "to")
      properties(document, "BaseMessageProperties").recipient = recipient
      without(schema(document, "BaseMessageProperties_1"), "from")
      without(schema(document, "Statuses"), "recipient_id")
      const system = at(added(document, "SystemMessage"), "system", "properties", "type")
      extend(system, "enum", "user_changed_user_id")
    }
  },
  {
    kind: "difference",
    reason: "callers may send biz_opaque_callback_data, which statuses repeat",
    source: 'the platform\'s page "Messages API reference"; whatsapp-api-js 6.3.0, @kapso/whatsapp-cloud-api 0.3.0',
    apply: (document) => {
      properties(document, "BaseMessageProperties").biz_opaque_callback_data = { type: "string", maxLength: 512 }
    }
  },
  {
    kind: "difference",
    reason: "answers of flows are interactive messages of the type nfm_reply",
    source: 'the platform\'s page "Flows: receiving responses"; whatsapp-api-js 6.3.0, @kapso/whatsapp-cloud-api 0.3.0',
    apply: (document) => {
      const type = at(added(document, "InteractiveMessageReply"), "interactive", "properties", "type")
      extend(type, "enum", "nfm_reply")
    }
  },
  {
    kind: "difference",
    reason: "statuses played, deleted and warning; pricing with a type",
    source: 'the platform\'s page "Status messages webhook reference"; whatsapp-api-js 6.3.0',
    apply: (document) => {
      extend(at(properties(document, "Statuses"), "status"), "enum", "played", "deleted", "warning")
    }
  },
  {
    kind: "difference",
    reason: "numbers are NOT_VERIFIED before their code, their quality UNKNOWN before it is rated",
    source:
      "the schemas WhatsAppCodeVerificationStatus_1 and WhatsAppPhoneNumberQualityRating_1 of the list of numbers",
    apply: (document) =>
      visit(document.components, (found) => {
        const words = wordsOf(found)
        if (words === "VERIFIED,UNVERIFIED") extend(found, "enum", "NOT_VERIFIED")
        if (words === "GREEN,YELLOW,RED,NA") extend(found, "enum", "UNKNOWN")
      })
  },
  {
    kind: "difference",
    reason: "numbers of a list are answered with the fields that were named, and may be CONNECTED or DISCONNECTED",
    source: "facebook-nodejs-business-sdk 24.0.1 WhatsAppBusinessPhoneNumber; @great-detail/whatsapp 9.2.0",
    apply: (document) => {
      schema(document, "WhatsAppBusinessAccountPhoneNumber").required = ["id"]
      extend(schema(document, "WhatsAppPhoneNumberStatus"), "enum", "CONNECTED", "DISCONNECTED")
    }
  },
  {
    kind: "difference",
    reason: "an account's read answers the fields that were named",
    source: 'the platform\'s page "Graph API: field expansion"',
    apply: (document) => {
      schema(document, "WhatsAppBusinessAccount").required = ["id"]
    }
  }
]
