import type { Secrets } from "@carteiro/secrets/Secrets.ts"

type Sealing = Secrets["Service"]

/** A row that holds something sealed: for another row, or another column, it does not open. */
interface SealedPlace {
  readonly environment_id: string
  readonly id: string
}

type SealedColumn = "customer_tax_id" | "payment_link_url"

const bindingOf = ({ environment_id, id }: SealedPlace, column: SealedColumn): string =>
  `${environment_id}/${id}/${column}`

/** Returns a column as it is stored; null stays null. */
export const sealColumn = (
  secrets: Sealing,
  place: SealedPlace,
  column: SealedColumn,
  text: string | null
): Uint8Array | null => (text === null ? null : secrets.seal("payment", text, bindingOf(place, column)))

/** Returns a column as it was; `plain` is that of a row of an earlier release, which is not sealed yet. */
export const openColumn = (
  secrets: Sealing,
  place: SealedPlace,
  column: SealedColumn,
  { plain, sealed }: { readonly plain: string | null; readonly sealed: Uint8Array | null }
): string | null => (sealed === null ? plain : (secrets.open("payment", sealed, bindingOf(place, column)) ?? null))

const pageLabel = (token: string): string => `page/${token}`

/** Returns by what a page of ours is found at rest, where its token itself is not. */
export const pageHash = (secrets: Sealing, token: string): Uint8Array => secrets.mac("capability_url", pageLabel(token))

/** Returns the hashes that a page may be stored under, one a master key. */
export const pageHashes = (secrets: Sealing, token: string): ReadonlyArray<Uint8Array> =>
  secrets.macs("capability_url", pageLabel(token))
