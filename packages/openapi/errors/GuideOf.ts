import { accessGuides } from "./AccessGuides.ts"
import { deliveryGuides } from "./DeliveryGuides.ts"
import { type ErrorGuide, type ErrorGuides, guideByName } from "./ErrorGuide.ts"
import { messagingGuides } from "./MessagingGuides.ts"
import { moneyGuides } from "./MoneyGuides.ts"
import { numberGuides } from "./NumberGuides.ts"

/** Guides of the codes that have one of their own. */
export const guides: ErrorGuides = {
  ...accessGuides,
  ...messagingGuides,
  ...numberGuides,
  ...moneyGuides,
  ...deliveryGuides
}

/** Returns the guide of a code; undefined for one that is not known. */
export const guideOf = (code: string): ErrorGuide | undefined => guides[code] ?? guideByName(code)
