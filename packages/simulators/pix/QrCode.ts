import { toBuffer } from "qrcode"

/** Returns a PNG of a code, in base64. */
export const qrCode = async (text: string): Promise<string> => (await toBuffer(text, { margin: 2 })).toString("base64")
