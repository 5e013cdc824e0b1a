import { connect, isIP, type Socket } from "node:net"
import { Duplex } from "node:stream"
import { type ConnectionOptions, connect as connectTls } from "node:tls"

/** The server to dial, and who opens the socket where the caller keeps hold of it. */
export interface DialOptions {
  readonly url: string
  readonly dial?: (() => Duplex) | undefined
}

/** The request for TLS of PostgreSQL's protocol; the server answers one letter. */
const tlsRequest = Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47)
const takesTls = "S".charCodeAt(0)
const refuses = "E".charCodeAt(0)

/**
 * Opens a connection whose use of TLS is decided while it opens, without a look at the certificate. `prefer` begins with
 * TLS, `allow` without; a server that has none, or refuses that way, is tried the other way once. The driver takes it as
 * a stream: its own handling of these words checks the certificate.
 */
export const dialOptionalTls = (options: DialOptions, mode: "allow" | "prefer"): Duplex =>
  new OptionalTls(options, mode === "prefer", undefined)

/** Opens a connection over TLS with these options, or fails, for a caller that speaks to the server itself. */
export const dialTls = (options: DialOptions, ssl: ConnectionOptions): Duplex => new OptionalTls(options, true, ssl)

/** Opens the socket of a server's URL: over TCP, or the Unix socket that its parameter `host` names. */
export const dialPlain = (url: string): Socket => {
  const { hostname, port, searchParams } = new URL(url)
  const folder = searchParams.get("host") ?? ""
  const at = Number(searchParams.get("port") ?? (port || 5432))
  if (folder.startsWith("/")) return connect({ path: `${folder}/.s.PGSQL.${at}` })
  return connect({ host: folder || hostname.replace(/^\[|\]$/g, ""), port: at, ...keepAlive })
}

class OptionalTls extends Duplex {
  private readonly options: DialOptions
  private raw: Duplex | undefined
  private over: Duplex | undefined
  private isSecond: boolean
  private readonly ssl: ConnectionOptions | undefined
  /** What the driver writes first, its startup message, which a second try repeats. */
  private first: Buffer | undefined

  constructor(options: DialOptions, tls: boolean, ssl: ConnectionOptions | undefined) {
    super()
    this.options = options
    this.ssl = ssl
    this.isSecond = ssl !== undefined
    this.dial(tls)
  }

  override _read(): void {
    this.over?.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.first ??= chunk
    // The driver writes nothing more before the server answers, so only its first message can come too early.
    if (this.over === undefined) done()
    else this.over.write(chunk, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    const socket = this.over ?? this.raw
    if (socket === undefined) done()
    else socket.end(() => done())
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.over?.destroy()
    this.raw?.destroy()
    done(error)
  }

  private dial(tls: boolean): void {
    const { dial, url } = this.options
    const host = new URL(url).hostname.replace(/^\[|\]$/g, "")
    const raw = dial === undefined ? dialPlain(url) : dial()
    this.raw = raw
    this.over = undefined
    raw.on("error", (error) => this.lose(raw, error))
    raw.once("close", () => this.lose(raw, null))
    if (tls) this.askForTls(raw, host)
    else this.carry(raw, false)
  }

  private askForTls(raw: Duplex, host: string): void {
    raw.once("data", (answer: Buffer) => {
      if (answer[0] !== takesTls) {
        if (this.ssl === undefined) this.carry(raw, true)
        else this.destroy(new Error("The server does not support TLS"))
        return
      }
      const servername = isIP(host) === 0 ? { servername: host } : {}
      const secure = connectTls({ socket: raw as Socket, host, ...servername, ...(this.ssl ?? unchecked) })
      secure.once("secureConnect", () => this.carry(secure, true))
      secure.on("error", (error) => {
        if (this.over === undefined && !this.isSecond) this.again(false)
        else this.lose(raw, error)
      })
    })
    raw.write(tlsRequest)
  }

  /** Lets the driver's messages travel over this socket, unless the server refuses the first of them. */
  private carry(over: Duplex, tls: boolean): void {
    this.over = over
    let isFirst = true
    over.on("data", (chunk: Buffer) => {
      const isRefusal = isFirst && chunk[0] === refuses
      isFirst = false
      if (isRefusal && !this.isSecond) this.again(!tls)
      else if (!this.push(chunk)) over.pause()
    })
    over.once("end", () => {
      if (this.over === over) this.push(null)
    })
    if (this.first !== undefined) over.write(this.first)
  }

  private again(tls: boolean): void {
    this.isSecond = true
    const former = this.raw
    this.raw = undefined
    former?.destroy()
    this.dial(tls)
  }

  /** Ends with the socket in use; one that was given up for another try ends unnoticed. */
  private lose(raw: Duplex, error: Error | null): void {
    if (this.raw === raw) this.destroy(error ?? undefined)
  }
}

const unchecked = { rejectUnauthorized: false }

const keepAlive = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }
