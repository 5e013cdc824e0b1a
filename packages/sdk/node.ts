import { randomUUID } from "node:crypto"
import { type FileHandle, open, readFile, rename, stat } from "node:fs/promises"
import { basename, extname } from "node:path"
import type { Cursors } from "./Cursors.ts"
import type { UploadFile } from "./MediaFiles.ts"
import { CarteiroError } from "./transport/Errors.ts"

/** Holds the place of `listen` in a file of mode 0600; a crash, of the machine too, leaves the place before or the new one. */
export const fileCursors = (path: string): Cursors => ({
  load: () =>
    readFile(path, "utf8").then(
      (text) => text.trimEnd(),
      (error: { readonly code?: string }) => {
        if (error.code === "ENOENT") return undefined
        throw error
      }
    ),
  save: async (place) => {
    const next = `${path}.${randomUUID()}`
    const file = await open(next, "wx", 0o600)
    try {
      await file.writeFile(`${place}\n`)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(next, path)
  }
})

/** Media types that the API takes, by the ending of the name. */
const mimeTypes: Readonly<Record<string, string>> = {
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
  ".aac": "audio/aac",
  ".amr": "audio/amr",
  ".mp3": "audio/mpeg",
  ".m4a": "audio/mp4",
  ".ogg": "audio/ogg",
  ".oga": "audio/ogg",
  ".opus": "audio/ogg",
  ".mp4": "video/mp4",
  ".3gp": "video/3gpp",
  ".pdf": "application/pdf",
  ".txt": "text/plain",
  ".csv": "text/csv",
  ".doc": "application/msword",
  ".xls": "application/vnd.ms-excel",
  ".ppt": "application/vnd.ms-powerpoint",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation"
}

/** Returns the media type that the ending of a name tells; undefined for an ending that the API does not take. */
export const mimeTypeOf = (path: string): string | undefined => mimeTypes[extname(path).toLowerCase()]

/** Returns a file on disk for `media.upload`, which reads it piece by piece. Its media type follows from the ending of its name. */
export const fileFrom = async (path: string, more: Omit<UploadFile, "source"> = {}): Promise<UploadFile> => {
  const mimeType = more.mimeType ?? mimeTypeOf(path)
  if (mimeType === undefined) throw new CarteiroError(`mimeType is missing, and the name of ${path} does not tell it`)
  const { size } = await stat(path)
  return { filename: basename(path), ...more, mimeType, source: { stream: bytesOf(path), byteLength: size } }
}

/** Opens the file with the first read and closes it behind the last, so that a stream that is never read holds nothing. */
const bytesOf = (path: string): ReadableStream<Uint8Array> => {
  let file: FileHandle | undefined
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        file ??= await open(path)
        const { buffer, bytesRead } = await file.read(new Uint8Array(65_536))
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
        await file.close()
        controller.close()
      },
      cancel: () => file?.close()
    },
    { highWaterMark: 0 }
  )
}
