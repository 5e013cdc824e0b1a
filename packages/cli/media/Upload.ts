import { openAsBlob } from "node:fs"
import { basename } from "node:path"
import type { Carteiro } from "@carteiro/sdk"
import { mimeTypeOf } from "@carteiro/sdk/node"
import { Failure, usage } from "../shell/Failure.ts"
import { checkInput } from "../shell/InputFile.ts"
import type { Shell } from "../shell/Shell.ts"

export interface UploadOptions {
  readonly kind?: "image" | "document" | "audio" | "video" | "sticker"
  readonly mimeType?: string
  readonly singleUse?: boolean
}

/**
 * Uploads a local file, which is read as it is sent, and warns of sound that the chat platform refuses. Refuses a name
 * without a known extension, and a file that the API refused.
 */
export const uploaded = async (
  shell: Shell,
  client: Carteiro,
  file: string,
  options: UploadOptions
): Promise<Carteiro.MediaAsset> => {
  const mimeType = options.mimeType ?? mimeTypeOf(file)
  if (mimeType === undefined) throw usage(`the name ${basename(file)} tells no media type`, "name it: --mime-type")
  // A blob of a missing file fails without its name, and one of a folder while it is read.
  await checkInput(file)
  const asset = await client.media.upload({
    source: await openAsBlob(file, { type: mimeType }),
    mimeType,
    filename: basename(file),
    onWarning: (sentence) => shell.note(sentence),
    lifecycle: options.singleUse === true ? "single_use" : "library",
    ...(options.kind === undefined ? {} : { kind: options.kind })
  })
  if (asset.status === "failed") throw refusedFile(file, asset)
  return asset
}

const refusedFile = (file: string, { failure_code, failure_message, id, mime_type }: Carteiro.MediaAsset): Failure =>
  new Failure(`${basename(file)} was refused as ${mime_type}: ${failure_message ?? "it cannot be sent"}`, {
    code: failure_code ?? "media_refused",
    next: `name another type with --mime-type, or convert the file: carteiro docs ${failure_code ?? "media_asset_not_ready"}`,
    details: { asset_id: id }
  })

/** Uploads a file and prints its asset. */
export const upload = async (shell: Shell, file: string, options: UploadOptions): Promise<void> => {
  const asset = await uploaded(shell, await shell.client(), file, options)
  shell.result(asset, `${asset.id}  ${asset.kind}  ${asset.status}`)
}
