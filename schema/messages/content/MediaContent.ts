import { Schema } from "effect"
import { optional } from "../../conventions/RequestValidation.ts"
import { text } from "../../conventions/Text.ts"

/** Kinds of files. M-MSG-40 */
export const MediaKind = Schema.Literals(["image", "document", "audio", "video", "sticker"]).annotate({
  description: "Kind of file."
})
export type MediaKind = typeof MediaKind.Type

/** The most decoded bytes of an inline file. gaps-2 B "Media source shapes" */
export const mostInlineBytes = 5 * 1_048_576

const paddingOf = (encoded: string): number => (encoded.endsWith("==") ? 2 : encoded.endsWith("=") ? 1 : 0)

/** Returns the number of bytes in a base64 text with padding. */
export const base64Length = (encoded: string): number => (encoded.length / 4) * 3 - paddingOf(encoded)

/** True when a text is base64 with padding of 1 to `most` bytes; a longer text is not decoded. */
const isBase64 = (encoded: string, most: number): boolean => {
  const length = base64Length(encoded)
  if (encoded.length % 4 !== 0 || length < 1 || length > most) return false
  return decodedLength(encoded) === length
}

/** Decoding takes half as long as searching for an invalid character. It ignores white space. */
const decodedLength = (encoded: string): number | undefined => {
  try {
    return atob(encoded).length
  } catch {
    return undefined
  }
}

/** A small file inside the body; its bytes are never stored in a message row. gaps-2 B "Media source shapes" */
export const InlineMedia = Schema.Struct({
  mime_type: text(1, 255).annotate({ description: "Media type of the bytes.", examples: ["image/png"] }),
  data_base64: Schema.String.annotate({
    description: "The bytes in base64 with padding, at most 5 MiB decoded."
  }).check(
    Schema.makeFilter((encoded: string) => isBase64(encoded, mostInlineBytes), {
      expected: "base64 with padding of 1 to 5242880 bytes"
    })
  ),
  filename: optional(text(1, 255).annotate({ description: "Name of the file." }))
}).annotate({ description: "The file itself, for small ones." })
export type InlineMedia = typeof InlineMedia.Type

/** Speech made from the caller's text, unchanged. M-MSG-46, M-MSG-47, gaps-2 F "TTS" */
export const SpeechSource = Schema.Struct({
  type: Schema.Literal("tts"),
  provider: Schema.Literals(["speechprov1", "speechprov2", "speechprov3"]).annotate({
    description: "Provider of the speech."
  }),
  text: text(1, 4096).annotate({ description: "Text to speak, word for word." }),
  voice: text(1, 128).annotate({ description: "The provider's name for the voice." }),
  language: text(2, 8).annotate({ description: "Language of the text.", examples: ["pt-BR"] })
}).annotate({ description: "Speech synthesized from a text before the message is sent." })
export type SpeechSource = typeof SpeechSource.Type

/** True for an http or https address. */
export const isWebAddress = (written: string): boolean => {
  const url = URL.canParse(written) ? new URL(written) : undefined
  return url !== undefined && (url.protocol === "https:" || url.protocol === "http:")
}

const sources = ["id", "link", "asset_id", "inline", "source"] as const
const captioned: ReadonlySet<MediaKind> = new Set(["image", "video", "document"])

/**
 * A file from exactly one source. Whether an asset exists and fits is checked when the message is sent, so that
 * acceptance needs no read of the library. M-MSG-40..47, gaps-2 B "Content bounds and optional fields", gaps-2 F "Asset
 * states at send"
 */
export const MediaContent = Schema.Struct({
  kind: MediaKind,
  voice: optional(Schema.Boolean.annotate({ description: "Audio only: shown as a voice note; needs audio/ogg." })),
  caption: optional(text(0, 1024).annotate({ description: "Text under an image, a video or a document." })),
  filename: optional(text(1, 255).annotate({ description: "Name shown with a document." })),
  id: optional(
    text(1, 255).annotate({ description: "The upstream platform's handle of the file, passed on unchanged." })
  ),
  link: optional(
    text(1, 2048)
      .annotate({ description: "Address from which this service fetches the file." })
      .check(Schema.makeFilter(isWebAddress, { expected: "an http or https address" }))
  ),
  asset_id: optional(
    Schema.String.check(Schema.isPattern(/^mda_[0-9a-z]{1,60}$/u, { expected: "the id of a file (mda_…)" })).annotate({
      description: "Id of a file of your media library.",
      examples: ["mda_01kah7v3m8q6x2r9d4t5w0y1z3"]
    })
  ),
  inline: optional(InlineMedia),
  source: optional(SpeechSource)
})
  .annotate({ description: "A file from exactly one source: id, link, asset_id, inline or source." })
  .check(
    Schema.makeFilter((media) => {
      const { caption, filename, kind, voice } = media
      if (typeof voice === "boolean" && kind !== "audio") return { path: ["voice"], issue: "only with kind audio" }
      if (typeof caption === "string" && !captioned.has(kind)) {
        return { path: ["caption"], issue: "only with kind image, video or document" }
      }
      if (typeof filename === "string" && kind !== "document") {
        return { path: ["filename"], issue: "only with kind document" }
      }
      const given = sources.filter((name) => media[name] !== undefined && media[name] !== null)
      if (given.length !== 1) return { path: [], issue: "exactly one of id, link, asset_id, inline, source" }
      return given[0] === "source" && kind !== "audio" ? { path: ["source"], issue: "only with kind audio" } : undefined
    })
  )
export type MediaContent = typeof MediaContent.Type
