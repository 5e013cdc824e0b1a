/** The ids of this service: three letters, an underscore and 26 letters and digits. */
const ours = /^([a-z]{3})_([0-9A-Za-z]{26})$/
const theirs = /^([a-z]{3})([0-9A-Za-z]{26})$/

/** Returns the txid of one of our ids, 29 letters and digits; undefined for an id of another shape, which has none. */
export const txidOf = (externalId: string): string | undefined => {
  const parts = ours.exec(externalId)
  return parts === null ? undefined : `${parts[1]}${parts[2]}`
}

/** Returns our id of a txid; undefined for a charge that this service did not make. */
export const idOfTxid = (txid: unknown): string | undefined => {
  const parts = typeof txid === "string" ? theirs.exec(txid) : null
  return parts === null ? undefined : `${parts[1]}_${parts[2]}`
}
