import type { Secrets } from "@carteiro/secrets/Secrets.ts"

type Sealing = Secrets["Service"]

/** The row and column of an encrypted value, which does not decrypt for any other. */
interface SealedPlace {
  readonly environment_id: string
  readonly id: string
}

type SealedColumn = "customer_tax_id" | "payment_link_url"

const bindingOf = ({ environment_id, id }: SealedPlace, column: SealedColumn): string =>
  `${environment_id}/${id}/${column}`

/** Returns a column in its stored form; null stays null. */
export const sealColumn = (
  secrets: Sealing,
  row: SealedPlace,
  column: SealedColumn,
  text: string | null
): Uint8Array | null => (text === null ? null : secrets.seal("payment", text, bindingOf(row, column)))

/** Returns the decrypted column; `plain` is the value of a row from an earlier release that is not encrypted yet. */
export const openColumn = (
  secrets: Sealing,
  row: SealedPlace,
  column: SealedColumn,
  { plain, sealed }: { readonly plain: string | null; readonly sealed: Uint8Array | null }
): string | null => (sealed === null ? plain : (secrets.open("payment", sealed, bindingOf(row, column)) ?? null))

const pageLabel = (token: string): string => `page/${token}`

/** Returns the hash under which a page of ours is stored and found; the token itself is not stored. */
export const pageHash = (secrets: Sealing, token: string): Uint8Array => secrets.mac("capability_url", pageLabel(token))

/** Returns the hashes under which a page may be stored, one for each master key. */
export const pageHashes = (secrets: Sealing, token: string): ReadonlyArray<Uint8Array> =>
  secrets.macs("capability_url", pageLabel(token))
