import { openAsBlob } from "node:fs"
import { stat } from "node:fs/promises"
import { basename, extname } from "node:path"
import type { Carteiro } from "@carteiro/sdk"
import { usage } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"

export interface UploadOptions {
  readonly kind?: "image" | "document" | "audio" | "video" | "sticker"
  readonly mimeType?: string
  readonly singleUse?: boolean
}

/** Media types that the API accepts, by file extension. */
const types: Readonly<Record<string, string>> = {
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
  ".txt": "text/plain",
  ".csv": "text/csv",
  ".doc": "application/msword",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".xls": "application/vnd.ms-excel",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".ppt": "application/vnd.ms-powerpoint",
  ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ".mp3": "audio/mpeg",
  ".m4a": "audio/mp4",
  ".aac": "audio/aac",
  ".amr": "audio/amr",
  ".ogg": "audio/ogg",
  ".opus": "audio/ogg",
  ".mp4": "video/mp4",
  ".3gp": "video/3gpp"
}

/** Uploads a local file, which is read as it is sent. Refuses a name without a known extension. */
export const uploaded = async (
  client: Carteiro,
  file: string,
  options: UploadOptions
): Promise<Carteiro.MediaAsset> => {
  const mimeType = options.mimeType ?? types[extname(file).toLowerCase()]
  if (mimeType === undefined) throw usage(`the name ${basename(file)} tells no media type`, "name it: --mime-type")
  // A blob of a missing file fails without its name.
  await stat(file)
  return client.media.upload({
    source: await openAsBlob(file, { type: mimeType }),
    mimeType,
    filename: basename(file),
    lifecycle: options.singleUse === true ? "single_use" : "library",
    ...(options.kind === undefined ? {} : { kind: options.kind })
  })
}

/** Uploads a file and prints its asset. */
export const upload = async (shell: Shell, file: string, options: UploadOptions): Promise<void> => {
  const asset = await uploaded(await shell.client(), file, options)
  shell.result(asset, `${asset.id}  ${asset.kind}  ${asset.status}`)
}
