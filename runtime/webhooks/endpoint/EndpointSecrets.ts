import type { Ids } from "@carteiro/owners/Ids.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { newSigningSecret, signingSecretBytes } from "./Signature.ts"
import { newStandardSecret, overlapMs, type StandardSecrets, standardSecretBytes } from "./StandardSignature.ts"

interface EndpointKey {
  readonly environment_id: string
  readonly id: string
}

/** The encrypted secrets of one endpoint, as its row stores them. */
export interface SealedSecrets {
  readonly signing_secret: Uint8Array
  /** Null for an endpoint of an earlier release until its owner loads it. */
  readonly standard_webhooks_secret: Uint8Array | null
  readonly previous_standard_webhooks_secret: Uint8Array | null
  /** Epoch milliseconds. */
  readonly previous_standard_webhooks_secret_until: number | null
}

/** The secrets of one endpoint in plain text. */
export interface EndpointSecrets {
  readonly signing: string
  /** Undefined without an endpoint, and for one of an earlier release that its owner has not loaded since. */
  readonly standard: StandardSecrets | undefined
}

/** The secrets of a deleted endpoint, which sign nothing. */
export const noSecrets: EndpointSecrets = { signing: "", standard: undefined }

/** Returns the row to which an encrypted signing secret is bound: it decrypts for no other row. */
export const secretBinding = ({ environment_id, id }: EndpointKey): string => `${environment_id}/${id}`

/**
 * Returns the binding of the present and of the previous secret, so that a rotation moves the encrypted bytes
 * unchanged.
 */
const standardBinding = (key: EndpointKey): string => `${secretBinding(key)}/standard`

/**
 * Returns both secrets of a new endpoint or a rotation: in plain text for the one response that shows them, and
 * encrypted for the row.
 */
export const mintSecrets = (secrets: Secrets["Service"], ids: Ids["Service"], key: EndpointKey) => {
  const signing_secret = newSigningSecret(ids.bytes(signingSecretBytes))
  const standard_webhooks_secret = newStandardSecret(ids.bytes(standardSecretBytes))
  return {
    shown: { signing_secret, standard_webhooks_secret },
    sealed: {
      signing_secret: secrets.seal("webhook_secret", signing_secret, secretBinding(key)),
      standard_webhooks_secret: secrets.seal("webhook_secret", standard_webhooks_secret, standardBinding(key))
    }
  }
}

/** Returns the endpoint with new secrets; its former Standard Webhooks secret signs for another 24 hours. A-WHE-35 */
export const rotateSecrets = <A extends SealedSecrets & { readonly updated_at: number }>(
  endpoint: A,
  sealed: ReturnType<typeof mintSecrets>["sealed"],
  now: number
): A => ({
  ...endpoint,
  ...sealed,
  previous_standard_webhooks_secret: endpoint.standard_webhooks_secret,
  previous_standard_webhooks_secret_until: endpoint.standard_webhooks_secret && now + overlapMs,
  updated_at: now
})

/** Returns the secrets of a stored endpoint in plain text; undefined when the signing secret cannot be decrypted. */
export const openSecrets = (
  secrets: Secrets["Service"],
  endpoint: EndpointKey & SealedSecrets
): EndpointSecrets | undefined => {
  const signing = secrets.open("webhook_secret", endpoint.signing_secret, secretBinding(endpoint))
  const openStandard = (sealed: Uint8Array | null): string | undefined =>
    sealed === null ? undefined : secrets.open("webhook_secret", sealed, standardBinding(endpoint))
  if (signing === undefined) return undefined
  const present = openStandard(endpoint.standard_webhooks_secret)
  const previous = openStandard(endpoint.previous_standard_webhooks_secret)
  const until = endpoint.previous_standard_webhooks_secret_until
  const kept = previous === undefined || until === null ? undefined : { secret: previous, until }
  return { signing, standard: present === undefined ? undefined : { present, previous: kept } }
}
