import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SendableTemplate } from "@carteiro/schema/templates/TemplateLookupsApi.ts"
import { DateTime, Option } from "effect"
import { field, type Refused } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { headerMediaOf } from "../templates/TemplateSend.ts"
import { chosenColumns, type TypedList, typedList } from "./ListForm.ts"
import type { ListColumns, ListedRecipient } from "./RecipientList.ts"

/** A batch as it was typed. */
export interface TypedBatch {
  readonly name: string
  /** Id of the sending number. */
  readonly sender: string
  /** Id of the template. */
  readonly template: string
  /** Id or address of the file of a media header. */
  readonly header_media: string
  /** Date and time in the reader's zone, as browsers write them; empty starts the batch at once. */
  readonly starts: string
  /** Id of a saved audience; empty where the list is meant. */
  readonly audience: string
  readonly list: TypedList
  /** What its columns are for, once a person saw them. */
  readonly columns: ListColumns | undefined
  /** Rows that no batch takes are left out instead of refusing it. */
  readonly leavesOut: boolean
}

/** The part of the form that a refusal is about; `form` stands for all of it. */
export type BatchField =
  | "name"
  | "sender"
  | "template"
  | "header_media"
  | "starts"
  | "audience"
  | "list"
  | "leave_out"
  | "form"

/** The form before anything was typed. */
export const newBatch: TypedBatch = {
  name: "",
  sender: "",
  template: "",
  header_media: "",
  starts: "",
  audience: "",
  list: { source: "", text: "", encoding: undefined },
  columns: undefined,
  leavesOut: false
}

export const typedBatch = (sent: URLSearchParams): TypedBatch => ({
  name: field(sent, "name").trim(),
  sender: field(sent, "sender"),
  template: field(sent, "template"),
  header_media: field(sent, "header_media").trim(),
  starts: field(sent, "starts").trim(),
  audience: field(sent, "audience"),
  list: typedList(sent),
  columns: chosenColumns(sent),
  leavesOut: field(sent, "leave_out") === "yes"
})

/** The template that was chosen, as sends use it. */
export type ChosenTemplate = Pick<SendableTemplate, "name" | "language" | "components">

/** Returns the body that a request of the API would carry. The operation decodes it and refuses what is wrong with it. */
export const batchBody = (
  { audience, header_media, name, sender, starts }: TypedBatch,
  { components, language, name: template }: ChosenTemplate,
  listed: ReadonlyArray<ListedRecipient>,
  zone: string
): CreateBatch => {
  // A file that was typed for another template stays in its field, which does not show.
  const kind = headerMediaOf(components)
  const source = header_media.startsWith("mda_") ? { asset_id: header_media } : { link: header_media }
  return {
    ...(name !== "" && { name }),
    sender: { type: "chatapp_phone_number", id: sender },
    template: {
      name: template,
      language,
      ...(kind !== undefined && header_media !== "" && { header_media: { kind, ...source } })
    },
    ...(starts !== "" && { scheduled_at: instantOf(starts, zone) }),
    ...(audience === "" ? { recipients: listed.map(({ recipient }) => recipient) } : { audience_id: audience })
  }
}

/** Returns a date and time of a zone as the API writes instants; what is neither stays as it was typed. */
const instantOf = (typed: string, zone: string): string =>
  Option.match(DateTime.makeZoned(typed, { timeZone: zone, adjustForTimeZone: true }), {
    onNone: () => typed,
    onSome: (at) => formatTimestamp(DateTime.toEpochMillis(at))
  })

/** Returns the body without the recipients that its plan found faulty. */
export const withoutFaulty = (
  body: CreateBatch,
  { faulty }: { readonly faulty: ReadonlyArray<{ readonly index: number }> }
): CreateBatch => {
  const faults = new Set(faulty.map(({ index }) => index))
  return {
    ...body,
    ...(body.recipients && { recipients: body.recipients.filter((_, index) => !faults.has(index)) })
  }
}

/** Returns the part of the form that a refusal of the API is about, with its row. */
export const refusedPart = (listed: ReadonlyArray<ListedRecipient>, refusal: ApiError): Refused<BatchField> => {
  const message = refusalText(refusal)
  const [member = "", second = ""] = (refusal.param ?? "").split(".")
  if (member === "recipients") {
    const row = listed[Number(second)]?.row
    return { field: "list", error: row === undefined ? message : html`Row ${row}: ${message}` }
  }
  if (member === "template") return { field: second === "header_media" ? "header_media" : "template", error: message }
  return { field: fields[member] ?? "form", error: message }
}

const fields: Readonly<Record<string, BatchField>> = {
  name: "name",
  sender: "sender",
  scheduled_at: "starts",
  audience: "audience",
  audience_id: "audience"
}
