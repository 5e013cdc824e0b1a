import type { Evidence } from "../Evidence.ts"
import { callsOf, fields } from "../Log.ts"
import type { MoneySeen } from "../money/MoneySeen.ts"

/** Whatever a vendor took of somebody's money is in the ledger once, with its amount. C-PKG-14 */
export const takenIsCreditedOnce = ({
  money: { entries, vendors }
}: Pick<Evidence, "money">): ReadonlyArray<string> => {
  const credits = creditsOf(entries)
  return vendors.charges.flatMap(({ amount_centavos, external_id, taken }) => {
    const found = credits.get(external_id) ?? []
    const expected = taken ? [amount_centavos * 100] : []
    return String(found) === String(expected)
      ? []
      : [`${external_id}: the vendor took ${expected.join() || "nothing"}, the ledger has ${found.join() || "nothing"}`]
  })
}

/** Whatever is credited for a charge was taken by its vendor. gaps-3 E "Top-up transitions" */
export const creditedWasTaken = ({ money }: Pick<Evidence, "money">): ReadonlyArray<string> => {
  const taken = new Set(money.vendors.charges.flatMap((charge) => (charge.taken ? [charge.external_id] : [])))
  const topups = new Map(money.topups.map(({ id, provider }) => [id, provider]))
  return [...creditsOf(money.entries).keys()].flatMap((id) => {
    if (id.startsWith("ctu_") && !topups.has(id)) return [`${id} is credited, and there is no such top-up`]
    return isCharged(topups.get(id)) && !taken.has(id) ? [`${id} is credited, and nobody paid`] : []
  })
}

/** A vendor that has a charge is not asked for it again. gaps-3 E "Purchase outcomes" */
export const neverAskedTwice = ({ money }: Pick<Evidence, "money">): ReadonlyArray<string> =>
  money.vendors.repeated.map((id) => `${id} was asked for again`)

/** A key buys once: every answer to it names the same top-up, and no top-up comes from none. C-PKG-14 */
export const oneTopupAKey = ({ entries, money }: Evidence): ReadonlyArray<string> => {
  const byKey = new Map<string, Set<string>>()
  for (const { end, operation } of callsOf(entries, "buy")) {
    const ids = byKey.get(operation.key) ?? new Set()
    byKey.set(operation.key, ids)
    const id = end === undefined ? undefined : topupIn(end.text)
    if (id !== undefined) ids.add(id)
  }
  const answered = new Set([...byKey.values()].flatMap((ids) => [...ids]))
  const bought = money.topups.filter(({ kind }) => kind === "package")
  return [
    ...[...byKey].flatMap(([key, ids]) => (ids.size === 1 ? [] : [`"${key}" bought ${ids.size} packages`])),
    ...bought.flatMap(({ id }) => (answered.has(id) ? [] : [`${id} was bought by nobody`])),
    ...[...answered].flatMap((id) => (bought.some((topup) => topup.id === id) ? [] : [`${id} is gone`]))
  ]
}

/**
 * Returns whether nothing is to come any more: a call that never reached the card processor stays in doubt for longer than a
 * run takes. gaps-3 E "Purchase outcomes"
 */
export const isSettled = (money: MoneySeen): boolean => {
  const known = new Set(money.vendors.charges.map(({ external_id }) => external_id))
  return (
    [takenIsCreditedOnce, creditedWasTaken].every((check) => check({ money }).length === 0) &&
    money.topups.every(({ id, provider, status }) => provider !== "cardproc" || status !== "pending" || !known.has(id))
  )
}

const isCharged = (provider: string | undefined): boolean => provider === "cardproc" || provider === "pixprov2"

/** Amounts credited to top-ups, by their id. */
const creditsOf = (entries: MoneySeen["entries"]): ReadonlyMap<string, ReadonlyArray<number>> => {
  const credits = new Map<string, Array<number>>()
  for (const { amount_brl, source_id, type } of entries) {
    if (type === "credit") credits.set(source_id, [...(credits.get(source_id) ?? []), unitsOf(amount_brl)])
  }
  return credits
}

/** The top-up an answer names: its own, or that of a declined card. */
const topupIn = (text: string): string | undefined => {
  const body = fields(text)
  if (typeof body.id === "string") return body.id
  const error = body.error as { readonly details?: { readonly credit_topup_id?: string } } | undefined
  return error?.details?.credit_topup_id
}

/** 1/10,000 BRL of a decimal with four places. */
const unitsOf = (text: string): number => Number(text.replace(".", ""))
