import type { Faults } from "../kit/Faults.ts"
import { type Call, jsonOf, ok, recordOf } from "../kit/Routes.ts"
import { type Done, notFound } from "./Done.ts"
import type { Files } from "./Files.ts"
import { type SpeechRefusal, speechError } from "./SpeechErrors.ts"
import type { SpeechprovOptions } from "./Vendor.ts"

interface Text {
  readonly id: string
  readonly readyAt: number
  /** Never ready, or failed once it would be ready. */
  readonly fault: "stuck" | "late_failure" | undefined
}

/** Texts to synthesize, by the caller's id: a repeated one is synthesized once. */
export class Texts {
  private readonly byExternalId = new Map<string, Text>()
  private readonly options: SpeechprovOptions
  private readonly files: Files
  private readonly faults: Faults

  constructor(options: SpeechprovOptions, files: Files, faults: Faults) {
    this.options = options
    this.files = files
    this.faults = faults
  }

  /** `POST /v1/speech` */
  post(call: Call): Done {
    const { external_id, format, language, text, voice } = recordOf(jsonOf(call.body))
    const facts = {
      external_id,
      text,
      voice,
      language,
      format,
      idempotency_key: call.headers["idempotency-key"] ?? null
    }
    const refuse = (code: SpeechRefusal, message: string): Done => ({
      answer: speechError(code, message),
      outcome: code,
      facts
    })
    if (typeof voice !== "string" || voice === "" || voice === "unknown")
      return refuse("voice_unknown", "no such voice")
    const isWhole = [external_id, text, language].every((value) => typeof value === "string" && value !== "")
    if (!isWhole || format !== "ogg_opus") return refuse("text_rejected", "external_id, text, language and ogg_opus")
    const before = this.byExternalId.get(String(external_id))
    const spoken = before ?? this.add(String(external_id))
    const done = (answer: Done["answer"]): Done => ({
      answer,
      outcome: before === undefined ? "accepted" : "repeated",
      facts: { ...facts, id: spoken.id }
    })
    switch (this.options.vendor) {
      case 1:
        return done(this.files.audio())
      case 2:
        return done({ status: 202, body: { id: spoken.id } })
      case 3:
        return done({ status: 303, body: {}, headers: { location: this.files.put(spoken.id, call) } })
    }
  }

  /** `GET /v1/speech/{id}` */
  show(call: Call): Done {
    const [id = ""] = call.places
    const text = [...this.byExternalId.values()].find((one) => one.id === id)
    if (text === undefined) return notFound
    const { fault, readyAt } = text
    const status =
      fault === "stuck" || this.options.now() < readyAt ? "processing" : fault === "late_failure" ? "failed" : "ready"
    const error = status === "failed" ? { code: "text_rejected", message: "simulated" } : null
    const url = status === "ready" ? this.files.put(id, call) : null
    const isAnothers = this.faults.hit(["anothers"], { operation: "speech_status" }) !== undefined
    return { answer: ok({ id: isAnothers ? `${id}x` : id, status, url, error }), outcome: status, facts: { id } }
  }

  private add(external_id: string): Text {
    const text: Text = {
      id: `sp_${this.byExternalId.size + 1}`,
      readyAt: this.options.now() + this.options.workMs,
      fault: this.faults.hit(["stuck", "late_failure"], { operation: "speech" })?.name as Text["fault"]
    }
    this.byExternalId.set(external_id, text)
    return text
  }
}
