import * as Readers from "./Readers.ts"
import { optional } from "./Rows.ts"

// What the drivers of speech and numbers need beside address and key. Boot contract, "Amendments of November 2026"

const named = (name: string, about: string, standard = "none") => optional(name, standard, Readers.text, about)

const mostVoices = 200

/** Pairs such as `ana=coral,davi=onyx`: the name that callers send, and the vendor's voice. */
const voices = Readers.expecting("comma-separated pairs such as ana=coral,davi=onyx", (text) => {
  const pairs = text.split(",").map((pair) => /^\s*([^=,]{1,128}?)\s*=\s*([^=,]{1,128}?)\s*$/.exec(pair))
  const known = pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? "", pair[2] ?? ""] as const]))
  const table = new Map(known)
  return known.length === pairs.length && table.size === pairs.length && pairs.length <= mostVoices ? table : undefined
})

const modelOf = (name: string, number: 1 | 2 | 3) =>
  named(name, `model that speech provider ${number} speaks with`, "the driver's")

const voicesOf = (name: string, number: 1 | 2 | 3) =>
  optional<ReadonlyMap<string, string>>(
    name,
    "the driver's table",
    voices,
    `voices of speech provider ${number} by the names that callers send, such as ana=coral,davi=onyx`
  )

/** Settings of the drivers of speech and numbers, by the name the code knows them under. */
export const voiceSettings = {
  speechprov1Model: modelOf("CARTEIRO_SPEECHPROV1_MODEL", 1),
  speechprov1TranscriptionModel: named(
    "CARTEIRO_SPEECHPROV1_TRANSCRIPTION_MODEL",
    "model that transcribes recordings",
    "the driver's"
  ),
  speechprov1Voices: voicesOf("CARTEIRO_SPEECHPROV1_VOICES", 1),
  speechprov2Model: modelOf("CARTEIRO_SPEECHPROV2_MODEL", 2),
  speechprov2Voices: voicesOf("CARTEIRO_SPEECHPROV2_VOICES", 2),
  speechprov3Model: modelOf("CARTEIRO_SPEECHPROV3_MODEL", 3),
  speechprov3Voices: voicesOf("CARTEIRO_SPEECHPROV3_VOICES", 3),
  numprovMessagingProfileId: named(
    "CARTEIRO_NUMPROV_MESSAGING_PROFILE_ID",
    "profile of our account whose webhook brings verification codes; each ordered number joins it"
  ),
  numprovRequirementGroupId: named(
    "CARTEIRO_NUMPROV_REQUIREMENT_GROUP_ID",
    "documents of our account that the regulator asks for with each ordered number"
  )
}
