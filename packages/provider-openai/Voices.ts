import type { NeutralVoice } from "@carteiro/provider/SpeechProvider.ts"

/** A voice of the vendor: one of its own by name, or one that the account made by id. */
type VendorVoice = string | { readonly id: string }

/** The vendor's voices by the neutral names that every driver of speech knows. */
const byName: Readonly<Record<NeutralVoice, string>> = {
  ana: "coral",
  bia: "nova",
  clara: "shimmer",
  lia: "sage",
  caio: "echo",
  davi: "onyx",
  rui: "ash",
  theo: "alloy"
}

const voices: ReadonlyMap<string, string> = new Map(Object.entries(byName))

/**
 * Returns the vendor's voice of a name: the operator's own table first, then the neutral names. Any other name is handed on, because the
 * account may have voices of its own; the vendor refuses one that it does not know.
 */
export const voiceOf = (name: string, own: ReadonlyMap<string, string>): VendorVoice => {
  const voice = own.get(name) ?? voices.get(name) ?? name
  return voice.startsWith("voice_") ? { id: voice } : voice
}
