import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Redacted } from "effect"

/** A row that holds a credential: opened for another row it is nothing. gaps-2 L "Credential storage" */
export interface CredentialPlace {
  readonly environment_id: string
  readonly id: string
}

/** Returns the place that a sealed credential is bound to. */
const credentialBinding = ({ environment_id, id }: CredentialPlace): string => `${environment_id}/${id}`

const webhookBinding = (place: CredentialPlace): string => `${credentialBinding(place)}/webhook`

/** A credential as a row keeps it: AES-256-GCM, and the only part of it that anybody reads again. M-CONN-15 */
export const sealCredential = (secrets: Secrets["Service"], place: CredentialPlace, credential: string) => ({
  credential: secrets.seal("provider_credential", credential, credentialBinding(place)),
  credential_last_four: lastFour(credential)
})

/** Seals the secret that signs the vendor's calls about a connection; null without one. */
export const sealWebhookSecret = (secrets: Secrets["Service"], place: CredentialPlace, secret: string | undefined) =>
  secret === undefined ? null : secrets.seal("provider_credential", secret, webhookBinding(place))

/** The credential in the clear; undefined where there is none or where it cannot be opened. */
export const openCredential = (
  secrets: Secrets["Service"],
  place: CredentialPlace,
  sealed: Uint8Array | null
): Redacted.Redacted | undefined => opened(secrets, sealed, credentialBinding(place))

/** The same for what signs calls. */
export const openWebhookSecret = (
  secrets: Secrets["Service"],
  place: CredentialPlace,
  sealed: Uint8Array | null
): Redacted.Redacted | undefined => opened(secrets, sealed, webhookBinding(place))

/** Of a credential that is no longer than that nothing is told. */
const lastFour = (credential: string): string | null => {
  const characters = [...credential]
  return characters.length <= 4 ? null : characters.slice(-4).join("")
}

const opened = (secrets: Secrets["Service"], sealed: Uint8Array | null, binding: string) => {
  const text = sealed === null ? undefined : secrets.open("provider_credential", sealed, binding)
  return text === undefined ? undefined : Redacted.make(text)
}
