import { createHmac, randomBytes } from "node:crypto"
import { clip } from "../kit/Clip.ts"
import type { Faults } from "../kit/Faults.ts"
import type { Call, SimulatedAnswer } from "../kit/Routes.ts"
import { type Done, notFound } from "./Done.ts"
import type { SpeechprovOptions } from "./Vendor.ts"

/** Milliseconds for which a signed URL is valid. */
const goodMs = 60_000

/** Audio at the vendor, behind signed URLs. */
export class Files {
  private readonly ids = new Set<string>()
  private readonly secret = randomBytes(32)
  private readonly options: SpeechprovOptions
  private readonly faults: Faults

  constructor(options: SpeechprovOptions, faults: Faults) {
    this.options = options
    this.faults = faults
  }

  /** Returns the signed URL of an id's audio. */
  put(id: string, { headers }: Call): string {
    this.ids.add(id)
    const expires = this.options.now() + goodMs
    const foreign = this.faults.hit(["foreign_url"], { operation: "speech" }) !== undefined
    const host = foreign ? "audio.invalid" : headers.host
    return `http://${host}/files/${id}?expires=${expires}&signature=${this.sign(id, expires)}`
  }

  isSigned({ places: [id = ""], query }: Call): boolean {
    const expires = Number(query.get("expires"))
    return query.get("signature") === this.sign(id, expires) && this.options.now() < expires
  }

  show({ headers, places: [id = ""] }: Call): Done {
    return this.ids.has(id)
      ? { answer: this.audio(), outcome: "sent", facts: { id, bearer: headers.authorization !== undefined } }
      : notFound
  }

  /** Returns the audio itself, unless a fault spoils it. */
  audio(): SimulatedAnswer {
    const fault = this.faults.hit(["wrong_type", "wrong_bytes", "empty_audio"], { operation: "speech" })
    const body = fault?.name === "empty_audio" ? Buffer.alloc(0) : fault?.name === "wrong_bytes" ? notAudio : clip
    return { status: 200, body, headers: { "content-type": fault?.name === "wrong_type" ? "text/html" : "audio/ogg" } }
  }

  private sign(id: string, expires: number): string {
    return createHmac("sha256", this.secret).update(`${id}.${expires}`).digest("hex")
  }
}

const notAudio = Buffer.from("%PDF-1.4\n%%EOF\n")
