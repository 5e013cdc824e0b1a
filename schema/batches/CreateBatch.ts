import { Schema } from "effect"
import { pathId } from "../conventions/Ids.ts"
import { optional } from "../conventions/RequestValidation.ts"
import { label, text } from "../conventions/Text.ts"
import { TimestampInput } from "../conventions/Timestamp.ts"
import { TemplateHeaderMedia } from "../messages/content/TemplateContent.ts"
import { Metadata } from "../messages/Metadata.ts"
import { Channel, channelMessageTypes, isUserId, userIdRule } from "../messages/Vocabulary.ts"
import { ContactFilter } from "./Audience.ts"

/** The most recipients of a batch, inline or by contact ids. gaps-2 H "Create body" */
export const mostRecipients = 10_000

/** One inline recipient: a phone, or a customer by the platform's id of them. M-BAT-12, M-BAT-17, U-HID-02 */
export const BatchRecipientInput = Schema.Struct({
  to: optional(
    Schema.String.annotate({
      description:
        "The phone number in international form, like recipient.id of a send. Exactly one of to and user_id.",
      examples: ["+5511912345678"]
    })
  ),
  user_id: optional(
    Schema.String.annotate({
      description: "The user_id of a customer's message, for a customer who hides the phone.",
      examples: ["BR.13491208655302741918"]
    }).check(Schema.makeFilter(isUserId, { expected: userIdRule }))
  ),
  variables: optional(
    Schema.Record(Schema.String, text(0, 1024)).annotate({
      description:
        'Values of the template\'s body: under "1", "2" and so on for POSITIONAL variables, under their names for NAMED ones. An empty one is a mismatch.'
    })
  ),
  metadata: optional(Metadata)
})
  .annotate({ description: "One recipient." })
  .check(
    Schema.makeFilter(({ to, user_id }) =>
      (typeof to === "string") === (typeof user_id === "string")
        ? { path: ["to"], issue: "exactly one of to, user_id" }
        : undefined
    )
  )
export type BatchRecipientInput = typeof BatchRecipientInput.Type

const BatchTemplate = Schema.Struct({
  name: text(1, 512).annotate({ description: "Name of an approved template.", examples: ["welcome"] }),
  language: text(1, 32).annotate({ description: "Language code of the template.", examples: ["pt_BR"] }),
  header_media: optional(TemplateHeaderMedia)
}).annotate({ description: "The template that every recipient receives, with one media header for all." })

/** The contacts of a batch: by their ids or by a filter, exactly one. gaps-2 H "Create body" */
export const BatchAudience = Schema.Struct({
  contact_ids: optional(
    Schema.Array(pathId("con"))
      .check(Schema.isMinLength(1), Schema.isMaxLength(mostRecipients))
      .annotate({ description: `1 to ${mostRecipients} ids of contacts.` })
  ),
  filter: optional(ContactFilter)
})
  .annotate({ description: "Your contacts: exactly one of contact_ids and filter." })
  .check(
    Schema.makeFilter(({ contact_ids, filter }) =>
      isGiven(contact_ids) === isGiven(filter) ? { path: [], issue: "exactly one of contact_ids, filter" } : undefined
    )
  )
export type BatchAudience = typeof BatchAudience.Type

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** These members come after the short ones, so that a list of thousands is checked last. */
const recipientMembers = ["recipients", "audience", "audience_id"] as const

/** Body of POST /v1/batches; unknown fields are ignored, except inside `audience.filter`. M-BAT-12..22, gaps-2 H "Create body" */
export const CreateBatch = Schema.Struct({
  channel: optional(Channel.annotate({ description: "chatapp, the only channel with templates and the default." })),
  name: optional(
    label(1, 255).annotate({ description: "Your name for the batch, 1 to 255 characters after trimming." })
  ),
  sender: Schema.Struct({
    type: Schema.Literals(["chatapp_phone_number"]).annotate({ description: "One of your phone numbers." }),
    id: Schema.String.annotate({
      description: "Id of the sending number.",
      examples: ["pn_01kah7v3m8q6x2r9d4t5w0y1z3"]
    })
  }).annotate({ description: "The sender." }),
  template: BatchTemplate,
  scheduled_at: optional(
    TimestampInput.annotate({ description: "Start time, RFC 3339, at most 30 days ahead; immediately by default." })
  ),
  metadata: optional(Metadata),
  recipients: optional(
    Schema.Array(BatchRecipientInput)
      .check(Schema.isMinLength(1), Schema.isMaxLength(mostRecipients))
      .annotate({ description: `1 to ${mostRecipients} recipients; for a repeated customer only the first counts.` })
  ),
  audience: optional(BatchAudience),
  audience_id: optional(pathId("aud"))
})
  .annotate({
    examples: [
      {
        name: "Welcome of May",
        sender: { type: "chatapp_phone_number", id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3" },
        template: { name: "welcome", language: "pt_BR" },
        recipients: [
          { to: "+5511912345678", variables: { "1": "Maria" }, metadata: { order: "42" } },
          { user_id: "BR.13491208655302741918", variables: { "1": "João" } }
        ]
      }
    ]
  })
  .check(
    Schema.makeFilter((body) => {
      const { channel } = body
      if (channel && !channelMessageTypes[channel].includes("template")) {
        return { path: ["channel"], issue: "a channel that carries templates" }
      }
      const given = recipientMembers.filter((member) => isGiven(body[member]))
      if (given.length === 1) return undefined
      return { path: [given[1] ?? "recipients"], issue: `exactly one of ${recipientMembers.join(", ")}` }
    })
  )
  .annotate({ identifier: "CreateBatch" })
export type CreateBatch = typeof CreateBatch.Type
