import { Effect } from "effect"
import { toBuffer } from "qrcode"

/** Returns the picture of a text as a QR code, a PNG in base64; null when the text is longer than a QR code holds. */
export const qrCode = (text: string): Effect.Effect<string | null> =>
  Effect.orElseSucceed(
    Effect.map(
      Effect.tryPromise(() => toBuffer(text, { margin: 2 })),
      (png) => png.toString("base64")
    ),
    () => null
  )
