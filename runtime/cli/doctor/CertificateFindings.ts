import { createPrivateKey, X509Certificate } from "node:crypto"
import { isIP } from "node:net"
import { certificatesOf } from "@carteiro/owners/Cluster.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Result } from "effect"
import { attention, type Judgement, problemsOr, span, well, wrong } from "./Finding.ts"

/** The PEM texts of a node, and the address that other nodes call it at; an edge is called by none. */
export interface NodeCertificate {
  readonly cert: string
  readonly key: string
  readonly ca: string
  readonly host: string | undefined
}

/** A certificate that ends within so many days is renewed now; within the second number it is urgent. */
const renewDays = 30
const urgentDays = 7

const renew =
  "Make a new one (deploy/make-certificates.sh, or your authority), then restart the node: files are read at its start."

/** Returns what is wrong with the certificate that a node shows to others. */
export const certificateFindings = (
  { ca, cert, host, key }: NodeCertificate,
  now: number
): ReadonlyArray<Judgement> => {
  const [own, privateKey] = [read(cert), readKey(key)]
  // Two stand in the file while one authority follows another.
  const authorities = Result.getOrElse(
    Result.try(() => certificatesOf(ca)),
    () => []
  )
  const authority = authorities.find((one) => own?.checkIssued(one) && own.verify(one.publicKey)) ?? authorities[0]
  const unreadable = [
    ["CARTEIRO_RUNNER_TLS_CERT", own],
    ["CARTEIRO_RUNNER_TLS_CA", authority],
    ["CARTEIRO_RUNNER_TLS_KEY", privateKey]
  ] as const
  const problems: Array<Judgement> = unreadable.flatMap(([name, value]) =>
    value === undefined ? [wrong(`The file of ${name} holds no PEM text of its kind.`, renew)] : []
  )
  if (own === undefined || authority === undefined || privateKey === undefined) return problems
  if (!own.checkPrivateKey(privateKey)) {
    problems.push(
      wrong("The key of CARTEIRO_RUNNER_TLS_KEY is not the certificate's.", "Name the pair that was made together.")
    )
  }
  if (!own.checkIssued(authority) || !own.verify(authority.publicKey)) {
    problems.push(
      wrong(
        "The authority of CARTEIRO_RUNNER_TLS_CA did not sign the certificate of this node.",
        "Use one authority for all nodes."
      )
    )
  }
  if (host !== undefined && (isIP(host) === 0 ? own.checkHost(host) : own.checkIP(host)) === undefined) {
    problems.push(
      wrong(
        `The certificate does not name ${host}, the address of CARTEIRO_RUNNER_HOST: no node will call this one.`,
        `Make one that does: deploy/make-certificates.sh NAME=${host}.`
      )
    )
  }
  return [
    ...problems,
    ...end("The certificate of this node", own, now),
    ...end("The certificate of the nodes' authority", authority, now)
  ]
}

const end = (what: string, certificate: X509Certificate, now: number): ReadonlyArray<Judgement> => {
  const left = certificate.validToDate.getTime() - now
  if (left <= 0) return [wrong(`${what} ended ${span(-left)} ago: nodes refuse each other.`, renew)]
  if (certificate.validFromDate.getTime() > now)
    return [wrong(`${what} is not valid yet.`, "See the clock of this machine.")]
  const told = `${what} ends in ${span(left)}`
  if (left < urgentDays * dayMs) return [wrong(`${told}.`, renew)]
  return problemsOr(left < renewDays * dayMs ? [attention(`${told}.`, renew)] : [], `${told}.`)
}

const read = (pem: string) => Result.getOrUndefined(Result.try(() => new X509Certificate(pem)))

const readKey = (pem: string) => Result.getOrUndefined(Result.try(() => createPrivateKey(pem)))

/** Returns what a node without certificates is told. */
export const withoutCertificate: ReadonlyArray<Judgement> = [
  well("No certificate is set: this node calls others over loopback only.")
]
