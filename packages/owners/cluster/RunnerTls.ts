import { X509Certificate } from "node:crypto"
import { isIP, type Socket as NetSocket } from "node:net"
import { TLSSocket } from "node:tls"
import { Data, Effect, Redacted } from "effect"
import { Instruments } from "../telemetry/Instruments.ts"

/** A node's certificate for other nodes, and the authority that it checks their certificates against; PEM texts. */
export interface RunnerTls {
  readonly cert: string
  readonly key: Redacted.Redacted<string>
  readonly ca: string
}

/** The reason why a runner may not listen: any caller could reach this host, and the runner has no certificate. */
export class UnprotectedRunner extends Data.TaggedError("UnprotectedRunner")<{ readonly host: string }> {
  override get message(): string {
    return `a runner without a certificate listens at a loopback address only, not at "${this.host}"`
  }
}

/**
 * Refuses an address other than loopback without certificates, because any caller that reaches the port could call
 * owners.
 */
export const checkListenHost = (host: string, tls: RunnerTls | undefined): Effect.Effect<void, UnprotectedRunner> =>
  tls !== undefined || isLoopback(host) ? Effect.void : new UnprotectedRunner({ host })

/** Returns the TLS options of both ends: each shows its certificate and accepts only certificates of the authority. */
export const mutual = (tls: RunnerTls) => ({
  cert: tls.cert,
  key: Redacted.value(tls.key),
  ca: tls.ca,
  minVersion: "TLSv1.3" as const,
  requestCert: true,
  rejectUnauthorized: true
})

/** Returns why the other end's certificate is not valid, and the name in it; undefined when it is valid. */
export const unproven = (
  socket: NetSocket
): { readonly certificate: string | undefined; readonly reason: string } | undefined => {
  if (!(socket instanceof TLSSocket) || socket.authorized) return undefined
  const { subject } = socket.getPeerCertificate()
  const certificate = subject === undefined ? undefined : [subject.CN].flat()[0]
  return {
    certificate,
    reason: certificate === undefined ? "it showed no certificate" : String(socket.authorizationError)
  }
}

/**
 * Returns the name that a server's certificate must hold. TLS has none for IP addresses, which are checked against the
 * certificate directly.
 */
export const serverName = (host: string): { readonly servername?: string } =>
  isIP(host) === 0 ? { servername: host } : {}

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127\./.test(host)

/** Returns the certificates of a PEM text: an authority's file holds two while one follows another. */
export const certificatesOf = (pem: string): ReadonlyArray<X509Certificate> =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (text) => new X509Certificate(text)
  )

/**
 * Shows when the certificate of this node and the one of its authority end, as Unix time in seconds: that of the
 * authority which signed this node's.
 */
export const certificateGauges = (tls: RunnerTls) =>
  Effect.gen(function* () {
    const instruments = yield* Instruments
    const own = new X509Certificate(tls.cert)
    const authority = certificatesOf(tls.ca).find((one) => own.verify(one.publicKey)) ?? new X509Certificate(tls.ca)
    for (const [certificate, { validToDate }] of [["node", own] as const, ["authority", authority] as const]) {
      const ends = validToDate.getTime() / 1000
      const help = "When a certificate between nodes ends, Unix time"
      yield* instruments.reading({ name: certificateMetric, help, labels: { certificate } }, () => ends)
    }
  })

const certificateMetric = "node_certificate_expiry_timestamp_seconds"
