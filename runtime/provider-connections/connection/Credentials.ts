import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Redacted } from "effect"

/**
 * The row that holds a credential; the credential cannot be decrypted for another row. gaps-2 L "Credential storage"
 */
export interface CredentialPlace {
  readonly environment_id: string
  readonly id: string
}

/** Returns the place that a sealed credential is bound to. */
const credentialBinding = ({ environment_id, id }: CredentialPlace): string => `${environment_id}/${id}`

const webhookBinding = (place: CredentialPlace): string => `${credentialBinding(place)}/webhook`

/**
 * Returns a credential as its row stores it: encrypted with AES-256-GCM, and the last four characters, the only
 * readable part. M-CONN-15
 */
export const sealCredential = (secrets: Secrets["Service"], connection: CredentialPlace, credential: string) => ({
  credential: secrets.seal("provider_credential", credential, credentialBinding(connection)),
  credential_last_four: lastFour(credential)
})

/** Encrypts the secret that signs the vendor's calls about a connection; null without one. */
export const sealWebhookSecret = (
  secrets: Secrets["Service"],
  connection: CredentialPlace,
  secret: string | undefined
) => (secret === undefined ? null : secrets.seal("provider_credential", secret, webhookBinding(connection)))

/** Returns the credential in plain text; undefined when there is none or when it cannot be decrypted. */
export const openCredential = (
  secrets: Secrets["Service"],
  connection: CredentialPlace,
  sealed: Uint8Array | null
): Redacted.Redacted | undefined => opened(secrets, sealed, credentialBinding(connection))

/**
 * Returns the secret that signs the vendor's calls, in plain text; undefined when there is none or when it cannot be
 * decrypted.
 */
export const openWebhookSecret = (
  secrets: Secrets["Service"],
  connection: CredentialPlace,
  sealed: Uint8Array | null
): Redacted.Redacted | undefined => opened(secrets, sealed, webhookBinding(connection))

/** Returns the last four characters; null for a credential so short that they would reveal too much. */
const lastFour = (credential: string): string | null => {
  const characters = [...credential]
  return characters.length <= 4 ? null : characters.slice(-4).join("")
}

const opened = (secrets: Secrets["Service"], sealed: Uint8Array | null, binding: string) => {
  const text = sealed === null ? undefined : secrets.open("provider_credential", sealed, binding)
  return text === undefined ? undefined : Redacted.make(text)
}
