import type { MediaAsset } from "./generated/Types.ts"
import { oggHeadBytes, oggWarning } from "./OggCodec.ts"
import { CarteiroError } from "./transport/Errors.ts"
import type { RequestOptions } from "./transport/Options.ts"
import type { Transport } from "./transport/Transport.ts"
import { peek, type UploadSource } from "./UploadSource.ts"

export type { UploadSource } from "./UploadSource.ts"

/** A file to upload. */
export interface UploadFile {
  readonly source: UploadSource
  /** Sort of file; read from the media type when left out. */
  readonly kind?: "image" | "document" | "audio" | "video" | "sticker" | undefined
  /** Media type such as `image/png`; a `Blob`'s own type when left out. */
  readonly mimeType?: string | undefined
  /** Name the recipient of a document sees; a `File`'s own name when left out. */
  readonly filename?: string | undefined
  /** `single_use` is gone after one send or 24 hours; `library` stays until it is deleted. */
  readonly lifecycle?: "single_use" | "library" | undefined
  /**
   * Hears, before the first call, of sound in Ogg that the chat platform refuses: it must be Opus. A warning of the
   * process by default.
   */
  readonly onWarning?: ((sentence: string) => void) | undefined
}

/** Uploads and downloads through capability URLs, in one call each. */
export class MediaFiles {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Uploads a file and returns its asset, ready to send: asks for an upload URL, puts the bytes, completes. Takes a `File` or `Blob` as
   * it is, and `fileFrom(path)` of `@carteiro/sdk/node` for a file on disk.
   */
  async upload(content: UploadFile | Blob, options: RequestOptions = {}): Promise<MediaAsset> {
    const file: UploadFile = content instanceof Blob ? { source: content } : content
    const mimeType =
      file.mimeType ?? (file.source instanceof Blob && file.source.type !== "" ? file.source.type : undefined)
    if (mimeType === undefined) throw new CarteiroError("mimeType is missing, and the source does not tell it")
    const source = isOgg(mimeType) ? await warned(file) : file.source
    const body = {
      kind: file.kind ?? kindOf(mimeType),
      mime_type: mimeType,
      byte_length: lengthOf(source),
      ...(file.lifecycle === undefined ? {} : { lifecycle: file.lifecycle }),
      ...nameOf(file)
    }
    const upload = await this.transport.call<Upload>(
      { method: "POST", path: "/v1/media/uploads", body, keyed: true },
      options
    )
    await this.transport.call(
      {
        method: upload.upload_method,
        path: upload.upload_url,
        bytes: "stream" in source && !(source instanceof Blob) ? source.stream : source
      },
      {
        timeoutMs: 600_000,
        ...options,
        headers: { ...options.headers, ...upload.upload_headers },
        idempotencyKey: undefined
      }
    )
    return this.transport.call<MediaAsset>(
      { method: "POST", path: `/v1/media/${encodeURIComponent(upload.id)}/complete`, keyed: true },
      { ...options, idempotencyKey: undefined }
    )
  }

  /** Returns the bytes of an asset as a stream. */
  async download(assetId: string, options: RequestOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const { download_url } = await this.transport.call<{ readonly download_url: string }>(
      { method: "GET", path: `/v1/media/${encodeURIComponent(assetId)}/download-url` },
      options
    )
    const response = await this.transport.call<Response>(
      { method: "GET", path: download_url, answer: "stream" },
      options
    )
    if (response.body === null) throw new CarteiroError("the download has no body")
    return response.body
  }
}

interface Upload {
  readonly id: string
  readonly upload_url: string
  readonly upload_method: string
  readonly upload_headers: Readonly<Record<string, string>>
}

const isOgg = (mimeType: string): boolean => /^(audio|application)\/(x-)?(ogg|opus)\b/i.test(mimeType)

/** Warns of sound that the chat platform refuses, and returns the source to send. */
const warned = async (file: UploadFile): Promise<UploadSource> => {
  const { head, source } = await peek(file.source, oggHeadBytes)
  const warning = oggWarning(nameOf(file).filename ?? "The file", head)
  if (warning !== undefined) (file.onWarning ?? warnInProcess)(warning)
  return source
}

/** Programs in browsers have no process and hear by `onWarning` alone. */
const warnInProcess = (sentence: string): void => globalThis.process?.emitWarning?.(sentence)

const kindOf = (mimeType: string): NonNullable<UploadFile["kind"]> => {
  if (mimeType.startsWith("image/webp")) return "sticker"
  if (mimeType.startsWith("image/")) return "image"
  if (mimeType.startsWith("audio/")) return "audio"
  return mimeType.startsWith("video/") ? "video" : "document"
}

const lengthOf = (source: UploadSource): number => {
  if (source instanceof Blob) return source.size
  return source.byteLength
}

const nameOf = ({ filename, source }: UploadFile): { readonly filename?: string } => {
  const own = "name" in source && typeof source.name === "string" && source.name !== "" ? source.name : undefined
  const name = filename ?? own
  return name === undefined ? {} : { filename: name }
}
