/** The number and the settings of a vendor. */
export interface SpeechprovOptions {
  /** 1 answers at once, and also transcribes; 2 is polled; 3 redirects to a signed URL. */
  readonly vendor: 1 | 2 | 3
  readonly apiKey: string
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds that a text of vendor 2 and a recording take. */
  readonly workMs: number
}
