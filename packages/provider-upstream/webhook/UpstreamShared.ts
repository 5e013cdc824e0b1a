import type { SharedThing } from "@carteiro/provider/ChatNotices.ts"
import type { SharedContact, SharedLocation, SharedOrder } from "@carteiro/schema/messages/InboundContent.ts"
import type { MessageContext } from "@carteiro/schema/messages/Message.ts"
import { listOf, memberOf } from "../UpstreamAnswers.ts"
import { numberOf, shortText } from "./UpstreamValues.ts"

/** The most cards, ordered products, phones or addresses that are read of one message; the raw payload has all. */
const mostItems = 300

/**
 * Returns the content of a location, of cards or of an order; undefined for any other type, and for one without its
 * essential parts. U-INB-02
 */
export const sharedThing = (type: string, inner: unknown): SharedThing | undefined => {
  switch (type) {
    case "location": {
      const location = locationOf(inner)
      return location && { location }
    }
    case "contacts":
      return Array.isArray(inner) ? { contacts: someOf(inner).map(contactOf) } : undefined
    case "order":
      return memberOf(inner, "product_items") === undefined ? undefined : { order: orderOf(inner) }
    default:
      return undefined
  }
}

/** Returns the advertisement or post from which a customer wrote; undefined without one. U-INB-04 */
export const referralOf = (referral: unknown): MessageContext["referral"] =>
  named(
    texts(referral, {
      source_type: "source_type",
      source_id: "source_id",
      source_url: "source_url",
      headline: "headline",
      body: "body",
      click_id: "ctwa_clid"
    })
  )

/** Returns the product that a customer asks about; undefined without one. U-INB-04 */
export const productOf = (product: unknown): MessageContext["referred_product"] =>
  named(texts(product, { catalog_id: "catalog_id", retailer_id: "product_retailer_id" }))

const named = <A extends object>(value: A): A | undefined => (Object.keys(value).length === 0 ? undefined : value)

const someOf = (value: unknown): ReadonlyArray<unknown> => listOf(value).slice(0, mostItems)

const locationOf = (inner: unknown): SharedLocation | undefined => {
  const latitude = numberOf(memberOf(inner, "latitude"))
  const longitude = numberOf(memberOf(inner, "longitude"))
  if (latitude === undefined || longitude === undefined) return undefined
  return { latitude, longitude, ...texts(inner, { name: "name", address: "address", url: "url" }) }
}

const contactOf = (card: unknown): SharedContact => ({
  ...texts(memberOf(card, "name"), { name: "formatted_name" }),
  phones: each(memberOf(card, "phones"), (phone) => memberOf(phone, "phone") ?? memberOf(phone, "wa_id")),
  emails: each(memberOf(card, "emails"), (email) => memberOf(email, "email")),
  ...texts(memberOf(card, "org"), { organization: "company" })
})

const orderOf = (inner: unknown): SharedOrder => ({
  ...texts(inner, { catalog_id: "catalog_id", text: "text" }),
  items: someOf(memberOf(inner, "product_items")).map((item) => ({
    ...texts(item, { retailer_id: "product_retailer_id", currency: "currency" }),
    ...numbers(item, { quantity: "quantity", item_price: "item_price" })
  }))
})

const each = (list: unknown, read: (item: unknown) => unknown): ReadonlyArray<string> =>
  someOf(list).flatMap((item) => shortText(read(item)) ?? [])

/** Returns the texts of a value under our names; those that it does not have are absent. */
const texts = <Name extends string>(value: unknown, names: Readonly<Record<Name, string>>) =>
  present(names, (theirs) => shortText(memberOf(value, theirs)))

const numbers = <Name extends string>(value: unknown, names: Readonly<Record<Name, string>>) =>
  present(names, (theirs) => numberOf(memberOf(value, theirs)))

const present = <Name extends string, A>(
  names: Readonly<Record<Name, string>>,
  read: (theirs: string) => A | undefined
): { readonly [name in Name]?: A } => {
  const found: { [name in Name]?: A } = {}
  for (const name of Object.keys(names) as Array<Name>) {
    const value = read(names[name])
    if (value !== undefined) found[name] = value
  }
  return found
}
