import type { Faults } from "../kit/Faults.ts"
import { formParts } from "../kit/Multipart.ts"
import { type Call, ok } from "../kit/Routes.ts"
import { type Done, notFound } from "./Done.ts"
import { speechError } from "./SpeechErrors.ts"
import type { SpeechprovOptions } from "./Vendor.ts"

interface Recording {
  readonly id: string
  readonly language: string
  readonly readyAt: number
  readonly fault: "stuck" | "late_failure" | undefined
}

/** True when a file begins like audio: Ogg, ID3 and MPEG frames, RIFF, AMR, MP4. */
const isAudio = (bytes: Buffer): boolean =>
  /^(OggS|ID3|RIFF|#!AMR|....ftyp)/s.test(bytes.subarray(0, 8).toString("latin1")) ||
  (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)

/** Recordings to transcribe, by the caller's id: a repeated one is transcribed once. */
export class Recordings {
  private readonly byExternalId = new Map<string, Recording>()
  private readonly options: SpeechprovOptions
  private readonly faults: Faults

  constructor(options: SpeechprovOptions, faults: Faults) {
    this.options = options
    this.faults = faults
  }

  /** `POST /v1/transcriptions` */
  post({ body, headers }: Call): Done {
    const parts = formParts(headers["content-type"], body)
    const fieldOf = (name: string) => parts.find((part) => part.name === name)?.bytes.toString("utf8")
    const file = parts.find(({ name }) => name === "file")
    const external_id = fieldOf("external_id")
    const facts = {
      external_id: external_id ?? null,
      language: fieldOf("language") ?? null,
      filename: file?.filename ?? null,
      type: file?.type ?? null,
      bytes: file?.bytes.length ?? 0,
      idempotency_key: headers["idempotency-key"] ?? null
    }
    if (file === undefined || !external_id || !isAudio(file.bytes)) {
      return { answer: speechError("audio_invalid", "file: expected sound"), outcome: "audio_invalid", facts }
    }
    const before = this.byExternalId.get(external_id)
    const recording = before ?? this.add(external_id, facts.language)
    return {
      answer: { status: 202, body: { id: recording.id } },
      outcome: before === undefined ? "accepted" : "repeated",
      facts: { ...facts, id: recording.id }
    }
  }

  /** `GET /v1/transcriptions/{id}` */
  show({ places: [id = ""] }: Call): Done {
    const recording = [...this.byExternalId.values()].find((one) => one.id === id)
    if (recording === undefined) return notFound
    const { fault, language, readyAt } = recording
    const facts = { id }
    if (fault === "stuck" || this.options.now() < readyAt) {
      return { answer: ok({ id, status: "processing" }), outcome: "processing", facts }
    }
    if (fault === "late_failure") {
      const error = { code: "audio_invalid", message: "simulated" }
      return { answer: ok({ id, status: "failed", error }), outcome: "failed", facts }
    }
    const written = { text: "Texto simulado.", language, duration_seconds: 1, model: "speechprov1-sim" }
    const isAnothers = this.faults.hit(["anothers"], { operation: "transcription_status" }) !== undefined
    const named = isAnothers ? `${id}x` : id
    return { answer: ok({ id: named, status: "succeeded", ...written, error: null }), outcome: "succeeded", facts }
  }

  private add(external_id: string, language: string | null): Recording {
    const recording: Recording = {
      id: `tr_${this.byExternalId.size + 1}`,
      language: language ?? "pt-BR",
      readyAt: this.options.now() + this.options.workMs,
      fault: this.faults.hit(["stuck", "late_failure"], { operation: "transcriptions" })?.name as Recording["fault"]
    }
    this.byExternalId.set(external_id, recording)
    return recording
  }
}
