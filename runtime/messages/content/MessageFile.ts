import { MediaKind, SpeechSource } from "@carteiro/schema/messages/content/MediaContent.ts"
import type { OutboundContent } from "@carteiro/schema/messages/content/OutboundContent.ts"
import { Channel } from "@carteiro/schema/messages/Vocabulary.ts"
import { type JsonText, jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import { Schema } from "effect"
import type { PreparedMedia } from "../../media/Media.ts"
import type { StoredOutbound } from "../message/StoredContent.ts"

/** The file that must be ready before a message is sent, as its item carries it. */
export const FileToSend = Schema.Struct({
  source: Schema.Union([
    Schema.Struct({ asset_id: Schema.String }),
    Schema.Struct({ link: Schema.String }),
    Schema.Struct({ tts: SpeechSource })
  ]),
  kind: MediaKind,
  voice: Schema.Boolean,
  filename: Schema.NullOr(Schema.String),
  channel: Channel,
  business_id: Schema.String
})
type FileToSend = typeof FileToSend.Type

/** The file of a due message: the result of its preparation; undefined while it is not ready. */
export interface MessageFile {
  readonly prepared: PreparedMedia | undefined
}

/** A file as stored content names it. */
interface NamedFile {
  readonly kind: MediaKind
  readonly voice?: boolean
  readonly filename?: string
  readonly link?: string
  readonly asset_id?: string
  readonly source?: Extract<OutboundContent, { readonly type: "media" }>["media"]["source"]
}

type Content = OutboundContent | StoredOutbound

/** Returns the file that a content names; undefined for content without one. */
const namedFile = (content: Content): NamedFile | undefined => {
  switch (content.type) {
    case "media":
      return content.media
    case "template":
      return content.template.header_media
    case "interactive":
      return headerFile(content.interactive)
    default:
      return undefined
  }
}

/** Returns the file in the header of content to tap; undefined without one. U-SND-06 */
export const headerFile = (interactive: Extract<Content, { readonly type: "interactive" }>["interactive"]) => {
  if (interactive.type !== "button" && interactive.type !== "cta_url") return undefined
  const { media, type } = interactive.header ?? {}
  return media === undefined || type === undefined || type === "text" ? undefined : { ...media, kind: type }
}

/**
 * Returns the file that must be ready before such content is sent; none for a provider's own file id. gaps-2 B "Media
 * source shapes"
 */
export const fileToSend = (content: Content, channel: Channel, business_id: string): FileToSend | undefined => {
  const named = namedFile(content)
  const source = named && sourceOf(named)
  if (named === undefined || source === undefined) return undefined
  const { filename = null, kind, voice } = named
  return { source, kind, voice: voice === true, filename, channel, business_id }
}

const sourceOf = ({ asset_id, link, source }: NamedFile): FileToSend["source"] | undefined => {
  if (asset_id !== undefined) return { asset_id }
  if (link !== undefined) return { link }
  return source ? { tts: source } : undefined
}

/** Returns the asset of stored content; undefined for other files and for none. */
export const assetOf = (type: string, content: JsonText<Content> | null): string | undefined => {
  if (content === null || !mayHaveFile(type, content)) return undefined
  return namedFile(readJson(content))?.asset_id
}

/** True when stored content has a file that had to be prepared. */
export const hasFile = (type: string, content: JsonText<Content> | null): boolean => {
  if (content === null || !mayHaveFile(type, content)) return false
  const named = namedFile(readJson(content))
  return named !== undefined && sourceOf(named) !== undefined
}

// Almost no template and no message with buttons has a file, which its text shows without being parsed.
const mayHaveFile = (type: string, content: string): boolean =>
  type === "media" ||
  (type === "template" && content.includes('"header_media"')) ||
  (type === "interactive" && content.includes('"media":'))

/** Returns the content with the asset in the place of its inline bytes. gaps-2 B "Media source shapes" */
export const withAsset = (json: JsonText<OutboundContent>, asset_id: string): JsonText<OutboundContent> => {
  const content = readJson(json)
  if (content.type !== "media") return json
  const { inline: _, ...media } = content.media
  return jsonText({ ...content, media: { ...media, asset_id } })
}

/** Returns when a message whose file is not ready is checked again: the longer it waits, the later. */
export const lookAgainAt = (created_at: number, now: number): number =>
  now + Math.min(15_000, Math.max(250, now - created_at))
