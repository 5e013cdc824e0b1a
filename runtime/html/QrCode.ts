import { Effect } from "effect"
import { toBuffer } from "qrcode"

/** The picture of a text as a QR code: a PNG in base64. */
export const qrCode = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => toBuffer(text, { margin: 2 })),
    (png) => png.toString("base64")
  )
