import type { Carteiro, ClientOptions } from "@carteiro/sdk"
import type { Profile } from "../profiles/Profile.ts"
import { exitCodes, Failure } from "./Failure.ts"
import type { Surroundings } from "./Surroundings.ts"
import { escapeValue, type Format, paint, terminalText } from "./Terminal.ts"

/** Options that every command takes. */
export interface GlobalOptions {
  readonly json?: boolean
  readonly profile?: string
  readonly apiBase?: string
}

/** The key in use and its scope. */
export interface Access {
  readonly apiKey: string
  readonly baseUrl: string
  /** The profile; undefined for a key of `CARTEIRO_API_KEY`. */
  readonly profile: Profile | undefined
}

/** The default base URL: `npm start` on this machine. */
export const defaultBase = "http://127.0.0.1:8080"

/** The means of a command: output, options and access to the API. */
export class Shell {
  readonly io: Surroundings
  readonly options: GlobalOptions

  constructor(io: Surroundings, options: GlobalOptions) {
    this.io = io
    this.options = options
  }

  /** Prints a result: one JSON document with `--json`, the text otherwise. */
  result(value: unknown, text: string): void {
    this.print(this.options.json === true ? JSON.stringify(value, null, 2) : text)
  }

  /** Prints one item of a series: with `--json` a JSON document on one line, the text otherwise. */
  item(value: unknown, text: string): void {
    this.print(this.options.json === true ? JSON.stringify(value) : oneLine(text))
  }

  /** Prints a note for a person, apart from results. */
  note(text: string): void {
    this.io.stderr.write(`${terminalText(text, this.#isColoured())}\n`)
  }

  /** Prints lines, without characters that a terminal would act on. */
  print(text: string): void {
    this.io.stdout.write(`${terminalText(text, this.#isColoured())}\n`)
  }

  /** Prints the content of a file: byte by byte into a pipe, and like other texts on a terminal. */
  file(text: string): void {
    this.io.stdout.write(this.io.stdout.isTTY === true ? terminalText(text.replaceAll("\r\n", "\n"), false) : text)
  }

  /** Colours a text on a terminal, and leaves it unchanged for a pipe. */
  paint(format: Format, text: string): string {
    return this.#isColoured() ? paint(format, text) : text
  }

  #isColoured(): boolean {
    const { env, stdout } = this.io
    return stdout.isTTY === true && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb"
  }

  /** Returns the key of `--profile`, of `CARTEIRO_API_KEY`, or of the profile in use. Refuses without one. */
  async access(): Promise<Access> {
    const { env } = this.io
    const base = this.options.apiBase ?? env.CARTEIRO_API_BASE
    if (this.options.profile === undefined && (env.CARTEIRO_API_KEY ?? "") !== "")
      return { apiKey: env.CARTEIRO_API_KEY ?? "", baseUrl: base ?? defaultBase, profile: undefined }
    const { readProfile } = await import("../profiles/ProfileFiles.ts")
    const profile = await readProfile(this.io, this.options.profile)
    if (profile === undefined)
      throw new Failure("no API key, and no profile is logged in on this machine", {
        exitCode: exitCodes.notLoggedIn,
        code: "not_logged_in",
        next: "carteiro login, or set CARTEIRO_API_KEY"
      })
    return { apiKey: profile.api_key, baseUrl: base ?? profile.base_url, profile }
  }

  /** Returns a client for the key in use. */
  async client(options: Pick<ClientOptions, "onResponse"> = {}): Promise<Carteiro> {
    const { apiKey, baseUrl } = await this.access()
    const { Carteiro } = await import("@carteiro/sdk")
    return new Carteiro({ ...options, apiKey, baseUrl })
  }
}

const oneLine = (text: string): string => text.replaceAll("\n", escapeValue)
