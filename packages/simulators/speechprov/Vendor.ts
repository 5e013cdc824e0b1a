/** Which vendor, and how it is set up. */
export interface SpeechprovOptions {
  /** 1 answers at once, and writes down too; 2 is asked how far it is; 3 redirects to a signed URL. */
  readonly vendor: 1 | 2 | 3
  readonly apiKey: string
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds that a text of vendor 2 and a recording take. */
  readonly workMs: number
}
