import type { NeutralVoice } from "@carteiro/provider/SpeechProvider.ts"

/** Voices that every account has, by the neutral names that every driver of speech knows. */
const byName: Readonly<Record<NeutralVoice, string>> = {
  ana: "EXAVITQu4vr4xnSDxMaL",
  bia: "FGY2WhTYpPnrIDTdsKH5",
  clara: "Xb7hH8MSUJpSbSDYk0k2",
  lia: "XrExE9yKIVg1WjnlzVkX",
  caio: "JBFqnCBsd6RMkjVDRZzb",
  davi: "onwK4e9ZLuTAKqWW03F9",
  rui: "nPczCjzI2devNBz1zQrb",
  theo: "TX3LPaxmHKxFdv7VOQHJ"
}

const voices: ReadonlyMap<string, string> = new Map(Object.entries(byName))

/**
 * Returns the vendor's id of a voice: the operator's own table first, then the neutral names. Any other name is handed on as an id of the
 * account's own; the vendor refuses one that it does not know.
 */
export const voiceOf = (name: string, own: ReadonlyMap<string, string>): string =>
  own.get(name) ?? voices.get(name) ?? name
